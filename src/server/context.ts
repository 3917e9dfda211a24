import type { SessionUser } from "../shared/account.ts";
import type { SiteInfo } from "../shared/site.ts";
import type { Database } from "./database.ts";
import type { Clock, Llm, Logger, PasswordHasher, RateLimiter } from "./ports.ts";

/** What a deployment gives to every request; `src/worker` builds it once for each isolate. */
export interface Services {
  db: Database;
  clock: Clock;
  logger: Logger;
  llm: Llm;
  hasher: PasswordHasher;
  limits: Limits;
}

/** Calls in a minute. Keys name their kind: `account:…`, `address:…`, `user:…`, `ticket:…`. */
export interface Limits {
  credentials: RateLimiter;
  guestTickets: RateLimiter;
  translations: RateLimiter;
  recordings: RateLimiter;
}

/** A session that was validated for this request. */
export interface CurrentSession {
  /** SHA-256 of the session's secret in hexadecimal, as the table holds it. */
  id: string;
  user: SessionUser;
  expiresAt: Date;
}

/** A guest whose ticket was verified for this request. */
export interface CurrentGuest {
  recordingId: string;
}

/** What a procedure may use. */
export interface Context extends Services {
  requestId: string;
  session: CurrentSession | null;
  guest: CurrentGuest | null;
  /** Rate-limit key of the caller's network address (`address:…`); null where it says nothing. */
  addressKey: string | null;
  /** Cookies are set through it. */
  responseHeaders: Headers;
  settings: {
    guestTicketSecret: string;
    /** False only in development, where the page is served over plain HTTP. */
    secureCookies: boolean;
    standIns: SiteInfo["standIns"];
  };
}
