import type { BillingInterval } from "#shared/plans.ts";

/** What the rules need of the outside world. `src/worker/adapters` implements them; tests use recorded fakes. */

import { AppError } from "#shared/errors.ts";
import type { ChallengeAction } from "#shared/site.ts";

export interface Clock {
  now(): Date;
}

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** One JSON line an event. Never transcript text, e-mail addresses or tokens. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** What a language model is asked: instructions, and what they are about. */
export interface Prompt {
  system: string;
  user: string;
}

interface ModelCall extends Prompt {
  /** Tokens that the answer may have, those of a model that thinks first included. */
  maxTokens: number;
  signal?: AbortSignal;
}

/** A language model that speaks Chat Completions. */
export interface Llm {
  /** Tokens that a prompt and its answer may have together. */
  readonly contextTokens: number;
  /**
   * The model's whole answer; one that reaches `maxTokens` has failed.
   * @throws AppError `llm_failed` on refusal, garbage or an exhausted retry; `rate_limited` on 429.
   */
  complete(call: ModelCall): Promise<string>;
  /**
   * The same in pieces, as the model writes them. It ends only when the model has finished: an answer
   * that is cut, stalls or stops for another reason throws, and so does one that `signal` ends.
   * @throws WindowExceeded before the first piece, otherwise as `complete`.
   */
  stream(call: ModelCall): AsyncIterable<string>;
}

/** The prompt is longer than the model's window. */
export class ContextWindowExceeded extends AppError {
  constructor() {
    super("llm_failed", { detail: "the prompt is longer than the model's window" });
  }
}

export interface PasswordHasher {
  /** A PHC string (argon2id). */
  hash(password: string): Promise<string>;
  /** False for a wrong password and for a string that is no PHC string. */
  verify(phc: string, password: string): Promise<boolean>;
  /** True when `phc` was made with other costs than `hash` uses now. */
  needsUpgrade(phc: string): boolean;
}

export interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** The same key again is the same mail, for 24 hours; at most 256 characters. */
  idempotencyKey: string;
}

export interface Mailer {
  /** Resolves when the service has taken the mail; throws when it has not. */
  send(mail: Mail): Promise<void>;
}

/** Puts off an account's later calls by what earlier ones took. */
export interface AccountCalls {
  /** Counts a call that was longer than others as so many more. */
  addCalls(userId: string, turns: number): void;
}

/** Counts calls by key in a window. */
export interface RateLimiter {
  /** True while `key` is within its limit. */
  allow(key: string): Promise<boolean>;
}

/** Tells whether a person passed the challenge that a page showed. */
export interface ChallengeVerifier {
  /**
   * Uses `token` up. False when it is spent, expired or unknown, or was made for another action or on
   * another host.
   *
   * @throws AppError `unavailable` when nobody could tell.
   */
  verify(input: {
    token: string;
    action: ChallengeAction;
    hostname: string;
    remoteAddress: string | null;
  }): Promise<boolean>;
}

/** The rooms in which recordings are under way. */
export interface Recordings {
  /**
   * Ends the user's recording, if it is under way: its lecture is being deleted. The time until now is
   * charged, and the page is told that the lecture no longer exists.
   */
  stop(recording: { recordingId: string; userId: string }): Promise<void>;
  /** Sessions of the user have ended: the recording asks at once whether it may go on. */
  sessionsEnded(recording: { recordingId: string; userId: string }): Promise<void>;
}

/** Stripe's own names of what a subscription can be in. */
export const billingStatuses = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "incomplete",
  "incomplete_expired",
  "canceled",
] as const;

/** A subscription as Stripe has it now. */
export interface BillingSubscription {
  id: string;
  status: (typeof billingStatuses)[number];
  createdAt: Date;
  /** The one thing it is paid for. */
  itemId: string;
  priceId: string;
  productId: string;
  /** Null for one that we do not sell. */
  interval: BillingInterval | null;
  currentPeriodEnd: Date;
  /** When a cancellation that was scheduled takes effect; null where it renews. */
  endsAt: Date | null;
  /** The cancellation was scheduled for the end of the period, not for a date. */
  endsWithPeriod: boolean;
}

/** An event whose signature was good: which customer it is about, never what it says of them. */
export interface BillingEvent {
  id: string;
  type: string;
  /** Null for an event that is about no customer, or of a type that changes no plan. */
  customerId: string | null;
}

/**
 * The payment provider. Every method may throw `unavailable` when it does not answer; repeating a call
 * that was carried out already does no harm.
 */
export interface Billing {
  /** The same key again, within a day, is the same customer. Returns the customer's id. */
  createCustomer(input: { userId: string; email: string; key: string }): Promise<string>;
  /** The customers that were made for the user under this address. */
  findCustomers(input: { userId: string; email: string }): Promise<string[]>;
  /** Ends the customer's subscriptions at once and forgets the customer. */
  deleteCustomer(input: { customerId: string }): Promise<void>;
  /** Closes the customer's checkout pages that are still open, but for one for `keepPriceId`; its address. */
  closeCheckouts(input: { customerId: string; keepPriceId: string | null }): Promise<string | null>;
  /**
   * The address of a page on which the user can subscribe.
   *
   * @throws UnknownCustomer
   */
  createCheckout(input: {
    customerId: string;
    userId: string;
    priceId: string;
    successUrl: string;
    cancelUrl: string;
  }): Promise<string>;
  /**
   * The address of the page on which the user manages cards, invoices and the subscription.
   *
   * @throws UnknownCustomer
   */
  openPortal(input: { customerId: string; returnUrl: string }): Promise<string>;
  /** Every subscription of the customer that has not ended; none for one that is not known. */
  listSubscriptions(input: { customerId: string }): Promise<BillingSubscription[]>;
  /**
   * Moves a subscription to another price, settling the difference at once; it renews again.
   *
   * @throws AppError `payment_failed` when the difference could not be charged; nothing has changed.
   */
  changePrice(input: { subscription: BillingSubscription; priceId: string }): Promise<void>;
  /** Schedules the end at the end of the period that is paid for, or takes that back. */
  setCancelAtPeriodEnd(input: {
    subscription: BillingSubscription;
    cancel: boolean;
  }): Promise<void>;
  /** Ends it at once. With `credit`, what was paid for and not used goes to the customer's balance. */
  cancelNow(input: { subscriptionId: string; credit: boolean }): Promise<void>;
  /** @throws AppError `validation_failed` for a body that was not signed by the provider, or not now. */
  readEvent(input: { body: Uint8Array; signature: string; now: Date }): Promise<BillingEvent>;
}

/** Stripe knows no customer of this id (any more). */
export class UnknownCustomer extends Error {
  override readonly name = "UnknownCustomer";
}

/** Tells the user's open pages. Never throws: a page that is not told asks by itself, later. */
export interface UserEvents {
  /** What the profile page shows of the user has changed. */
  profileChanged(userId: string): Promise<void>;
  /** Sessions of the user have ended: their pages are told no more. */
  sessionsEnded(userId: string): Promise<void>;
}

/** What a user's live channel is called for. */
export interface UserChannelCalls {
  profileChanged(): Promise<void>;
  sessionsEnded(): Promise<void>;
}
