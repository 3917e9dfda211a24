import type { SessionUser } from "#shared/account.ts";
import type { TokenScope } from "#shared/programs.ts";
import type { SiteInfo, signUpRules } from "#shared/site.ts";
import type { Database } from "./database.ts";
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
  ShareRooms,
  UserEvents,
  WebhookSender,
} from "./ports.ts";
import type { PriceBook } from "./subscriptions/prices.ts";

/** Services of a deployment; `src/worker` creates them once per isolate. */
export interface Services {
  db: Database;
  clock: Clock;
  logger: Logger;
  llm: Llm;
  hasher: PasswordHasher;
  mailer: Mailer;
  billing: Billing;
  /** Null if the site uses no challenge. */
  challenge: ChallengeVerifier | null;
  userEvents: UserEvents;
  recordings: Recordings;
  shareRooms: ShareRooms;
  limits: Limits;
  accountCalls: AccountCalls;
  webhookSender: WebhookSender;
}

/**
 * Rate limits per minute. The figures are in wrangler.toml (`[[ratelimits]]`), the bindings in src/worker/settings.ts.
 * Keys have a prefix: `account:…`, `address:…`, `user:…`, `ticket:…`.
 */
export interface Limits {
  credentials: RateLimiter;
  mails: RateLimiter;
  /** Calls that verify links and tokens. */
  links: RateLimiter;
  guestTickets: RateLimiter;
  translations: RateLimiter;
  contexts: RateLimiter;
  summaries: RateLimiter;
  /** Model calls of all guests in an IPv6 range (`network:…`). */
  guestNetworks: RateLimiter;
  recordings: RateLimiter;
  /** Sockets of readers, by network address. A class may share one. */
  readers: RateLimiter;
  /** Sessions of the speech service that rooms open: for guests and free accounts, and for paid plans. */
  streams: RateLimiter;
  paidStreams: RateLimiter;
  billing: RateLimiter;
  /** Calls that change the library, by size: see `countWrites`. */
  writes: RateLimiter;
  /** Calls of an account's programs, with whichever token. */
  programs: RateLimiter;
  /** Calls with which programs register and get tokens, by address and endpoint. */
  oauth: RateLimiter;
  /** Files of other sites that the server fetches for the page. */
  remoteFiles: RateLimiter;
  /** Secrets that were looked up and not found, by network address: `SecretLookups`. */
  unknownSecrets: RateLimiter;
}

/** A session that was validated for this request. */
export interface CurrentSession {
  /** SHA-256 of the session's secret in hexadecimal, as the table holds it. */
  id: string;
  user: SessionUser;
  expiresAt: Date;
}

/** A personal token that was verified for this request. */
export interface CurrentToken {
  id: string;
  scope: TokenScope;
}

/** A guest whose ticket was verified for this request. */
export interface CurrentGuest {
  recordingId: string;
}

export interface Context extends Services {
  requestId: string;
  session: CurrentSession | null;
  /** The caller is a program: `session` is its user's, within what the token may do. */
  token: CurrentToken | null;
  /** A session that may set a new password and nothing else. */
  recovery: CurrentSession | null;
  guest: CurrentGuest | null;
  /** Rate-limit key of the caller's network address (`address:…`); null if not known. */
  addressKey: string | null;
  /** Key of the range around it (`network:…`): the /48 of IPv6, the /24 of IPv4. */
  networkKey: string | null;
  /** The caller takes values that follow an answer; a program that asks for plain JSON does not. */
  takesStream: boolean;
  /** Size limit for the answers of all calls in the request. */
  answerBudget: AnswerBudget;
  /** As the page says in `pageHeader`. */
  pageId: string | null;
  /** A page of the version before, which saves rows by their index (src/server/lectures/former-rows.ts). */
  hasFormerRows: boolean;
  cookieHeader: string | null;
  /** Whom the organisation's sign-on names, as the reverse proxy says; null without one. */
  signedOnAs: string | null;
  /** The caller's network address, for the challenge alone; null if not known. */
  remoteAddress: string | null;
  /** Response headers, used to set cookies. */
  responseHeaders: Headers;
  /** Continues work after the response. The promise must not reject: the error would be lost. */
  runInBackground(work: Promise<void>): void;
  settings: SiteInfo & {
    /** Signs guest tickets and known devices, and hashes network addresses. */
    guestTicketSecret: string;
    /** False only in development, where the page is served over plain HTTP. */
    secureCookies: boolean;
    /** `https://…`, where links in mails lead. */
    origin: string;
    billing: BillingSettings;
    signUp: { rule: (typeof signUpRules)[number]; domains: readonly string[] };
    /** 0: guests may not record. */
    guestMinutesPerDay: number;
    dailyLimits: DailyLimits;
    /** Characters that may be sent to the model in a day: by guests together, and by everybody. */
    modelBudget: { guests: number; site: number };
  };
}

/** Daily limits (UTC) of the whole site. */
interface DailyLimits {
  accounts: number;
  /** Mails with links. */
  mails: number;
}

export interface BillingSettings {
  /** `test`: payments may be simulated. An object: there are none, and everybody has these hours; null: no limit. */
  mode: "live" | "test" | { hoursPerMonth: number | null };
  prices: PriceBook;
  /** Per cent that a year costs less than twelve months. */
  annualSavingPercent: number;
}

/** Text that all calls of one HTTP request may return, in bytes. The isolate has 128 MB. */
const requestBytes = 2.25 * 1024 * 1024;

/** Divides the size limit of one HTTP request among the calls of its batch. */
export class AnswerBudget {
  #left: number;

  constructor(bytes = requestBytes) {
    this.#left = bytes;
  }

  /** @returns `bytes`, or what is left of the budget if that is less, but at least `min`. */
  reserve(bytes: number, min: number): number {
    const reserved = Math.max(min, Math.min(bytes, this.#left));
    this.#left -= reserved;
    return reserved;
  }
}
