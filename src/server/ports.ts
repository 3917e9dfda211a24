/** Interfaces to the outside world. `src/worker/adapters` implements them; tests use fakes. */

import { AppError } from "#shared/errors.ts";
import type { BillingInterval } from "#shared/plans.ts";
import type { ChallengeAction, LectureNews } from "#shared/site.ts";

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

export interface ModelCall extends Prompt {
  /** Maximum tokens of the answer, including reasoning tokens. */
  maxTokens: number;
  /**
   * The answer is to be a JSON object with these strings, where the server takes a schema. Others answer as the prompt
   * asks, so either has to be read.
   */
  strings?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  /** Called when the model begins to work on the call, which may have waited for others before. */
  onRun?: (() => void) | undefined;
}

/** How the call of a procedure may use the model. */
export interface ModelUse {
  /** Counts the characters of a call, before the model is asked. */
  spend(characters: number): Promise<void>;
  signal?: AbortSignal | undefined;
  /** As in `ModelCall`. */
  onRun?: (() => void) | undefined;
}

/** A language model that speaks Chat Completions. */
export interface Llm {
  /** Size of the context window: prompt and answer together. */
  readonly contextTokens: number;
  /** Tokens that the model may need for its reasoning before an answer. Default: 2,000. */
  readonly reasoningTokens?: number;
  /** The demonstration: it answers in the language of the text, with a mark. */
  readonly isDemo?: boolean;
  /** Calls that are worth making at the same time. Default: 4. */
  readonly concurrency?: number;
  /**
   * Returns the complete answer. An answer that reaches `maxTokens` is an error.
   * @throws ContextWindowExceeded, AnswerCut, AppError `llm_failed` on an error or an invalid answer; `rate_limited` on 429.
   */
  complete(call: ModelCall): Promise<string>;
  /**
   * Streams the answer. The stream ends only when the model has finished; it throws if the answer is cut off,
   * stalls or is aborted by `signal`.
   * @throws as `complete`; a window that several calls share may be exceeded after the first pieces.
   */
  stream(call: Omit<ModelCall, "strings">): AsyncIterable<string>;
}

/** The prompt is longer than the model's context window. */
export class ContextWindowExceeded extends AppError {
  constructor() {
    super("llm_failed", { detail: "the prompt is longer than the model's window" });
  }
}

/** The answer has reached its limit, or the end of the window: the model answers, and finds no end. */
export class AnswerCut extends AppError {
  constructor() {
    super("llm_unusable", { detail: "the answer ended with length" });
  }
}

/** The model has answered, with nothing that can be used. `detail` has no words of the answer. */
export const createUnusableAnswer = (detail: string) => new AppError("llm_unusable", { detail });

export interface PasswordHasher {
  /** Returns a PHC string (argon2id). */
  hash(password: string): Promise<string>;
  /** False for a wrong password, and if `phc` is not a PHC string. */
  verify(phc: string, password: string): Promise<boolean>;
  /** True when `phc` was created with other cost parameters than `hash` uses now. */
  needsUpgrade(phc: string): boolean;
}

export interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** At most 256 characters. A second mail with the same key within 24 hours is not sent. */
  idempotencyKey: string;
}

export interface Mailer {
  /** Resolves when the service has accepted the mail; throws otherwise. */
  send(mail: Mail): Promise<void>;
}

/** Limits how fast a user may send calls. */
export interface AccountCalls {
  /** Counts an expensive call as `count` additional calls. */
  addCalls(userId: string, count: number): void;
}

/** Counts calls by key in a window. */
export interface RateLimiter {
  /** Counts a call for `key`; false if it exceeds the limit. */
  allow(key: string): Promise<boolean>;
}

export interface WebhookSender {
  /** Whether messages may be sent to `url`: `isWebhookUrl`, and a name that leads to no private address. Null: nobody knows now. */
  isAllowed(url: string): Promise<boolean | null>;
  /**
   * The HTTP status of the answer; null if none came in time, or if `url` is not known to be allowed. Follows no redirect,
   * and never throws.
   */
  post(
    url: string,
    message: { headers: Record<string, string>; body: string },
  ): Promise<number | null>;
}

export interface ChallengeVerifier {
  /**
   * Consumes `token`. False when it was used before, is expired or unknown, or was issued for another action
   * or host.
   *
   * @throws AppError `unavailable` when the service does not respond.
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
   * Ends the user's recording if it is active, because its lecture is being deleted. The recorded time is
   * charged, and the client receives the error `not_found`.
   */
  stop(recording: { recordingId: string; userId: string }): Promise<void>;
  /** Reports that sign-in sessions of the user have ended; the room checks whether the recording may continue. */
  reportEndedSessions(recording: { recordingId: string; userId: string }): Promise<void>;
  /** Makes sure that a room of an earlier version deletes what it has stored. */
  scheduleDeletion(recordingId: string): Promise<void>;
}

/** What the object of an active share is told after a change was committed. */
export interface ShareChange {
  /** Changed rows, from position `from` up to before `to` (null: the end); null if no row has changed. */
  rows: { from: number; to: number | null } | null;
  /** The owner has saved the lecture: a share that lasts only while recording ends. */
  isCompleted?: boolean;
}

/** Calls to the objects of active shares. None throws: an object also checks its share by itself. */
export interface ShareRooms {
  /** The lecture's text or details, or the share's settings, have changed. */
  reportChange(shareId: string, change: ShareChange): Promise<void>;
  /** The shares have ended: tells their readers, and closes their sockets. */
  end(shareIds: readonly string[]): Promise<void>;
  /** Makes sure that the object of an earlier version's share deletes what it has stored after the share's end. */
  scheduleDeletion(shareId: string): Promise<void>;
  /** Readers connected now; 0 if the object cannot be reached. */
  countReaders(shareId: string): Promise<number>;
}

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

/** The current state of a subscription at Stripe. */
export interface BillingSubscription {
  id: string;
  status: (typeof billingStatuses)[number];
  createdAt: Date;
  itemId: string;
  priceId: string;
  productId: string;
  /** Null for a price with another interval than those we offer. */
  interval: BillingInterval | null;
  currentPeriodEnd: Date;
  /** When a scheduled cancellation takes effect; null if the subscription renews. */
  endsAt: Date | null;
  /** True when the cancellation is scheduled for the end of the period, not for a date. */
  endsWithPeriod: boolean;
}

/** A verified event. It names only the customer, because the state is always read from Stripe. */
export interface BillingEvent {
  id: string;
  type: string;
  /** Null if the event concerns no customer or its type changes no plan. */
  customerId: string | null;
}

/**
 * The payment provider. All calls are idempotent. Each throws AppError `unavailable` when the provider does not
 * respond.
 */
export interface Billing {
  /** Returns the customer's id. The same key within a day returns the same customer. */
  createCustomer(input: { userId: string; email: string; key: string }): Promise<string>;
  /** Ids of the customers that were created for the user with this address. */
  findCustomers(input: { userId: string; email: string }): Promise<string[]>;
  /** Deletes the customer, which ends all subscriptions immediately. */
  deleteCustomer(input: { customerId: string }): Promise<void>;
  /** Expires the customer's open checkout pages, except one for `keepPriceId`, whose address is returned. */
  closeCheckouts(input: { customerId: string; keepPriceId: string | null }): Promise<string | null>;
  /**
   * Returns the address of a page on which the user can subscribe.
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
   * Returns the address of the page on which the user manages cards, invoices and the subscription.
   *
   * @throws UnknownCustomer
   */
  openPortal(input: { customerId: string; returnUrl: string }): Promise<string>;
  /** All subscriptions of the customer that have not ended; none for an unknown customer. */
  listSubscriptions(input: { customerId: string }): Promise<BillingSubscription[]>;
  /**
   * Moves a subscription to another price and charges the difference immediately. A scheduled cancellation is
   * withdrawn.
   *
   * @throws AppError `payment_failed` when the difference could not be charged; the price then stays the same.
   */
  changePrice(input: { subscription: BillingSubscription; priceId: string }): Promise<void>;
  /** Schedules the cancellation for the end of the paid period, or withdraws it. */
  setCancelAtPeriodEnd(input: {
    subscription: BillingSubscription;
    cancel: boolean;
  }): Promise<void>;
  /** Ends the subscription immediately. With `credit`, the unused part of the payment is credited to the customer. */
  cancelNow(input: { subscriptionId: string; credit: boolean }): Promise<void>;
  /** @throws AppError `validation_failed` if the provider's signature is missing, wrong or too old. */
  readEvent(input: { body: Uint8Array; signature: string; now: Date }): Promise<BillingEvent>;
}

/** Stripe has no customer with this id, or has deleted it. */
export class UnknownCustomer extends Error {
  override readonly name = "UnknownCustomer";
}

/** Notifies the user's open tabs. Never throws, because tabs also refresh by themselves. */
export interface UserEvents {
  /** Reports that something the profile page shows has changed. */
  reportProfileChange(userId: string): Promise<void>;
  /** Reports that rows, details or marks of a lecture have changed. */
  reportLectureChange(userId: string, news: LectureNews): Promise<void>;
  /** Reports that sign-in sessions of the user have ended; closes the sockets of their tabs. */
  reportEndedSessions(userId: string): Promise<void>;
}

/** RPC methods of the user channel. */
export interface UserChannelCalls {
  reportProfileChange(): Promise<void>;
  reportLectureChange(news: LectureNews): Promise<void>;
  reportEndedSessions(): Promise<void>;
}
