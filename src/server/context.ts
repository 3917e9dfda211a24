import type { SessionUser } from "../shared/account.ts";
import type { SiteInfo } from "../shared/site.ts";
import type { Database } from "./database.ts";
import type {
  Billing,
  Clock,
  Llm,
  Logger,
  Mailer,
  PasswordHasher,
  RateLimiter,
  Recordings,
  UserEvents,
} from "./ports.ts";
import type { PriceBook } from "./subscriptions/prices.ts";

/** What a deployment gives to every request; `src/worker` builds it once for each isolate. */
export interface Services {
  db: Database;
  clock: Clock;
  logger: Logger;
  llm: Llm;
  hasher: PasswordHasher;
  mailer: Mailer;
  billing: Billing;
  userEvents: UserEvents;
  recordings: Recordings;
  limits: Limits;
}

/** Calls in a minute. Keys name their kind: `account:…`, `address:…`, `user:…`, `ticket:…`. */
interface Limits {
  credentials: RateLimiter;
  /** Mails that a call may send. */
  mails: RateLimiter;
  /** Links and tokens that are shown to us. */
  links: RateLimiter;
  guestTickets: RateLimiter;
  translations: RateLimiter;
  contexts: RateLimiter;
  summaries: RateLimiter;
  recordings: RateLimiter;
  /** Calls that ask the payment provider. */
  billing: RateLimiter;
}

/** A session that was validated for this request. */
export interface CurrentSession {
  /** SHA-256 of the session's secret in hexadecimal, as the table holds it. */
  id: string;
  user: SessionUser;
  expiresAt: Date;
}

/** A session that may set a new password and nothing else. */
export type CurrentRecovery = CurrentSession;

/** A guest whose ticket was verified for this request. */
export interface CurrentGuest {
  recordingId: string;
}

/** What a procedure may use. */
export interface Context extends Services {
  requestId: string;
  session: CurrentSession | null;
  recovery: CurrentRecovery | null;
  guest: CurrentGuest | null;
  /** Rate-limit key of the caller's network address (`address:…`); null where it says nothing. */
  addressKey: string | null;
  /** Cookies are set through it. */
  responseHeaders: Headers;
  /** Work that goes on after the answer. It must not fail: nobody would be told. */
  background(work: Promise<void>): void;
  settings: {
    guestTicketSecret: string;
    /** False only in development, where the page is served over plain HTTP. */
    secureCookies: boolean;
    standIns: SiteInfo["standIns"];
    outboxUrl: string | null;
    /** `https://…`, where links in mails lead. */
    origin: string;
    billing: BillingSettings;
  };
}

export interface BillingSettings {
  /** `test`: payments may be simulated. */
  mode: "live" | "test";
  prices: PriceBook;
  /** Per cent that a year costs less than twelve months. */
  annualSavingPercent: number;
}
