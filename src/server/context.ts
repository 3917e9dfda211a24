import type { SessionUser } from "#shared/account.ts";
import type { SiteInfo } from "#shared/site.ts";
import type { Database } from "./database.ts";
import type { AnswerBudget } from "./lectures/page.ts";
import type {
  AccountCalls,
  Billing,
  ChallengeVerifier,
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
  /** Null where the site asks for no challenge. */
  challenge: ChallengeVerifier | null;
  userEvents: UserEvents;
  recordings: Recordings;
  limits: Limits;
  accountCalls: AccountCalls;
}

/** Calls in a minute. Keys name their kind: `account:…`, `address:…`, `user:…`, `ticket:…`. */
export interface Limits {
  credentials: RateLimiter;
  /** Mails that a call may send. */
  mails: RateLimiter;
  /** Links and tokens that are shown to us. */
  links: RateLimiter;
  guestTickets: RateLimiter;
  translations: RateLimiter;
  contexts: RateLimiter;
  summaries: RateLimiter;
  /** Model calls of all guests in an IPv6 range (`network:…`). */
  guestNetworks: RateLimiter;
  recordings: RateLimiter;
  /** Sessions of the speech service that rooms open: for guests and free accounts, and for paid plans. */
  streams: RateLimiter;
  paidStreams: RateLimiter;
  /** Calls that ask the payment provider. */
  billing: RateLimiter;
  /** Calls that change the library, by size: see `countWrites`. */
  writes: RateLimiter;
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
  /** Key of the range around it (`network:…`): the /48 of IPv6, the /24 of IPv4. */
  networkKey: string | null;
  /** What the calls of the request may answer together. */
  answerBudget: AnswerBudget;
  /** The request's Cookie header. */
  cookieHeader: string | null;
  /** The caller's network address, for the challenge alone; null where it says nothing. */
  remoteAddress: string | null;
  /** Cookies are set through it. */
  responseHeaders: Headers;
  /** Work that goes on after the answer. It must not fail: nobody would be told. */
  runInBackground(work: Promise<void>): void;
  settings: {
    guestTicketSecret: string;
    /** False only in development, where the page is served over plain HTTP. */
    secureCookies: boolean;
    standIns: SiteInfo["standIns"];
    outboxUrl: string | null;
    challenge: SiteInfo["challenge"];
    /** `https://…`, where links in mails lead. */
    origin: string;
    billing: BillingSettings;
    dailyLimits: DailyLimits;
    /** Characters that may be sent to the model in a day: by guests together, and by everybody. */
    modelBudget: { guests: number; site: number };
  };
}

/** What the whole site may do in a day (UTC). */
export interface DailyLimits {
  /** New accounts. */
  accounts: number;
  /** Mails with links. */
  mails: number;
}

export interface BillingSettings {
  /** `test`: payments may be simulated. */
  mode: "live" | "test";
  prices: PriceBook;
  /** Per cent that a year costs less than twelve months. */
  annualSavingPercent: number;
}
