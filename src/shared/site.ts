/** What the page must know of the deployment it was served by (`site.info`). */
export interface SiteInfo {
  /** Services that a stand-in serves, so that the page can say so. */
  standIns: { speech: boolean; llm: boolean; mail: boolean; payments: boolean };
  /** What shows that a person calls; null where the site asks for no such thing. */
  challenge: { siteKey: string; scriptUrl: string } | null;
  /** Where the mails can be read that the embedded outbox took; null where mails are really sent. */
  outboxUrl: string | null;
}

/** What a challenge is passed for. Its token is good for that alone. */
export type ChallengeAction = "sign_up" | "forgot_password" | "guest_ticket";

/** Request header in which a guest sends their ticket. */
export const guestTicketHeader = "dualect-guest-ticket";
/** Query parameter of the relay's address that carries a guest's ticket. */
export const guestTicketParam = "ticket";
/** The same: names the tab, so that its own new connection replaces the one before. */
export const tabParam = "tab";
/** The same, `1`: a person wants to record here, so another tab or device gives way. */
export const takeOverParam = "takeover";

/** A guest's permission to record under one id, signed and short-lived. */
export interface GuestTicket {
  recordingId: string;
  ticket: string;
  /** ISO 8601. */
  expiresAt: string;
}
