/** What the rules need of the outside world. `src/worker/adapters` implements them; tests use recorded fakes. */

import { AppError } from "../shared/errors.ts";

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

/** A language model that speaks Chat Completions. */
export interface Llm {
  /** Tokens that a prompt and its answer may have together. */
  readonly contextTokens: number;
  /**
   * The model's whole answer.
   * @throws AppError `llm_failed` on refusal, garbage or an exhausted retry; `rate_limited` on 429.
   */
  complete(input: Prompt & { signal?: AbortSignal }): Promise<string>;
  /**
   * The same in pieces, as the model writes them. It ends only when the model has finished: an answer
   * that is cut, stalls or stops for another reason throws, and so does one that `signal` ends.
   * @throws WindowExceeded before the first piece, otherwise as `complete`.
   */
  stream(input: Prompt & { signal?: AbortSignal }): AsyncIterable<string>;
}

/** The prompt is longer than the model's window. */
export class WindowExceeded extends AppError {
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

/** Counts calls by key in a window. */
export interface RateLimiter {
  /** True while `key` is within its limit. */
  allow(key: string): Promise<boolean>;
}
