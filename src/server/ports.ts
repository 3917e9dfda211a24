/** What the rules need of the outside world. `src/worker/adapters` implements them; tests use recorded fakes. */

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

/** A language model that speaks Chat Completions. */
export interface Llm {
  /**
   * The model's answer to one system and one user message.
   * @throws AppError `llm_failed` on refusal, garbage or an exhausted retry; `rate_limited` on 429.
   */
  complete(input: { system: string; user: string; signal?: AbortSignal }): Promise<string>;
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

/** The rooms in which recordings are under way. */
export interface Recordings {
  /**
   * Ends the user's recording, if it is under way: its lecture is being deleted. The time until now is
   * charged, and the page is told that the lecture no longer exists.
   */
  stop(recording: { recordingId: string; userId: string }): Promise<void>;
}
