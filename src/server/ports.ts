/** Interfaces to the outside world. `src/worker/adapters` implements them; tests use fakes. */

import { AppError } from "#shared/errors.ts";
import type { BillingInterval } from "#shared/plans.ts";
import type { ChallengeAction } from "#shared/site.ts";

export interface Clock {
  now(): Date;
}

export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Writes one JSON line per event. Never transcript text, e-mail addresses or tokens. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Prompt of a language model: instructions, and the data they apply to. */
export interface Prompt {
  system: string;
  user: string;
}

interface ModelCall extends Prompt {
  /** Maximum tokens of the answer, including reasoning tokens. */
  maxTokens: number;
  signal?: AbortSignal | undefined;
}

/** A language model that speaks Chat Completions. */
export interface Llm {
  /** Size of the context window: prompt and answer together. */
  readonly contextTokens: number;
  /**
   * Returns the complete answer; one that reaches `maxTokens` is an error.
   * @throws AppError `llm_failed` on an error or an invalid answer; `rate_limited` on 429.
   */
  complete(call: ModelCall): Promise<string>;
  /**
   * Streams the answer. The stream ends only when the model has finished; it throws if the answer is cut off,
   * stalls or is aborted by `signal`.
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

/** Paces the calls of an account. */
export interface AccountCalls {
  /** Counts an expensive call as additional calls. */
  addCalls(userId: string, turns: number): void;
}

/** Counts calls by key in a window. */
export interface RateLimiter {
  /** Counts a call for `key`; false if it exceeds the limit. */
  allow(key: string): Promise<boolean>;
}

/** Verifies challenge tokens. */
export interface ChallengeVerifier {
  /**
   * Uses `token` up. False when it is spent, expired or unknown, or was made for another action or on
   * another host.
   *
   * @throws AppError `unavailable` when the service does not answer.
   */
  verify(input: {
    token: string;
    action: ChallengeAction;
    hostname: string;
    remoteAddress: string | null;
  }): Promise<boolean>;
}

/** Calls to the rooms of active recordings. */
export interface Recordings {
  /**
   * Ends the user's recording if it is active, because its lecture is being deleted. The time so far is
   * charged, and the client gets an error that the lecture no longer exists.
   */
  stop(recording: { recordingId: string; userId: string }): Promise<void>;
  /** Sign-in sessions of the user have ended: the room checks at once whether the recording may continue. */
  sessionsEnded(recording: { recordingId: string; userId: string }): Promise<void>;
}

/** Stripe's subscription statuses. */
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

/** A verified event. Holds only the customer, because the state is always read from Stripe. */
export interface BillingEvent {
  id: string;
  type: string;
  /** Null for an event that is about no customer, or of a type that changes no plan. */
  customerId: string | null;
}

/**
 * The payment provider. Every method may throw `unavailable` when it does not answer; all calls are
 * idempotent.
 */
export interface Billing {
  /** Returns the customer's id. The same key within a day returns the same customer. */
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

/** Stripe has no customer with this id (any more). */
export class UnknownCustomer extends Error {
  override readonly name = "UnknownCustomer";
}

/** Notifies the user's open tabs. Never throws: tabs also refresh by themselves. */
export interface UserEvents {
  /** What the profile page shows of the user has changed. */
  profileChanged(userId: string): Promise<void>;
  /** Sign-in sessions of the user have ended: closes the sockets of their tabs. */
  sessionsEnded(userId: string): Promise<void>;
}

/** RPC methods of a user's live channel. */
export interface UserChannelCalls {
  profileChanged(): Promise<void>;
  sessionsEnded(): Promise<void>;
}
