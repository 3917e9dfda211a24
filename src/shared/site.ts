import type { Recognizer } from "./engine-languages.ts";

/** Settings of the deployment that the page needs (`site.info`). */
export interface SiteInfo {
  /**
   * The speech service, by its name; of the operator's own servers whether it is on the machine on which the page is
   * opened (`localServer`). Null: the site has none.
   */
  speechService: "Soniox" | "Deepgram" | "localServer" | "ownServer" | null;
  /** The site has no language model, nor its stand-in. */
  lacksModel: boolean;
  /** No plans can be bought: everybody has the same hours, or no limit. */
  lacksPlans: boolean;
  /** Which languages the speech service recognises: see `listRecognized`. */
  recognizer: Recognizer;
  /**
   * What translates where the person has not chosen: the speech service in its stream (`fast`), or the language model.
   * Missing: the model.
   */
  translationPace?: "fast" | "careful";
  /** Services that are replaced by a stand-in, which the page mentions. */
  standIns: { speech: boolean; llm: boolean; mail: boolean; payments: boolean };
  /** The demo voice recognises where nobody has chosen an engine: for developers and tests, never in production. */
  isDemoDefault: boolean;
  /** Null if the site uses no challenge. */
  challenge: { siteKey: string; scriptUrl: string } | null;
  /** Page of the embedded outbox with the mails; null if mails are really sent. */
  outboxUrl: string | null;
}

/** The action that a challenge protects; its token is valid for this action only. */
export type ChallengeAction = "sign_up" | "forgot_password" | "guest_ticket";

/** Who may create an account: everybody, invited addresses, addresses of domains, or who is signed on at the organisation. */
export const signUpRules = ["open", "invitation", "domain", "sign-on"] as const;

/** Request header in which a guest sends their ticket. */
export const guestTicketHeader = "dualect-guest-ticket";
/** Request header: how the page knows rows. One of the version before sends another value; see `hasFormerRows`. */
export const namesHeader = "dualect-names";
export const rowIdNames = "row-ids";
/** Request header: an id that a page chooses when it is loaded, so that it knows its own changes in the user channel. */
export const pageHeader = "dualect-page";
/** Query parameter of the relay's address that carries a guest's ticket. */
export const guestTicketParam = "ticket";
/** The same: the tab's id, so that a new connection of the tab replaces its old one. */
export const tabParam = "tab";
/** The same, `1`: the lecture's kept sound is recognised again. */
export const againParam = "again";
/** The same, `1`: the user wants to record here, so this client replaces another tab's or device's. */
export const takeOverParam = "takeover";

/** A guest's permission to record under one id, signed and short-lived. */
export interface GuestTicket {
  recordingId: string;
  ticket: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** Parameters of a reader's address, `/api/shares`. */
export const shareCodeParam = "code";
/** The same: the reader's language. */
export const shareLanguageParam = "language";
/** The same, of a reader that connects again: `epoch` and sequence number of what it has. */
export const shareEpochParam = "epoch";
export const shareSinceParam = "since";
/** The same, `1`: the reader sends probes back. Pages of the version before do not. */
export const shareProbesParam = "probes";
/** Close code for a reader that has not read what it was sent. When it has, it connects again at once. */
export const shareUnreadCode = 4002;
/** A reader may send `sharePing` at any time. It is answered with `sharePong` without waking the share's object. */
export const sharePing = "ping";
export const sharePong = "pong";
export const sharePingMs = 30_000;

/** A message of the user channel (`GET /api/live`) to a user's open tabs, as a JSON text frame. */
export type UserChannelMessage =
  /** What the profile page shows has changed: plan, usage or profile. */
  | { type: "profile_changed" }
  /** Rows, details or marks of a lecture have changed. */
  | ({ type: "lecture_changed" } & LectureNews);

export interface LectureNews {
  lectureId: string;
  /** The page that has changed it, as it says in `pageHeader`; null: a program, or a page of the version before. */
  pageId: string | null;
  /** The person may not read it any more: it was another one's. */
  hasEnded?: boolean;
}

/** A tab may send this at any time. The runtime answers `userChannelPong` without waking the Durable Object. */
export const userChannelPing = "ping";
export const userChannelPong = "pong";
