/** Settings of the deployment that the page needs (`site.info`). */
export interface SiteInfo {
  /** Name of the speech service, for its error messages. */
  speechService: "Soniox" | "Deepgram";
  /** Services that are replaced by a stand-in, which the page mentions. */
  standIns: { speech: boolean; llm: boolean; mail: boolean; payments: boolean };
  /** Null if the site uses no challenge. */
  challenge: { siteKey: string; scriptUrl: string } | null;
  /** Page of the embedded outbox with the mails; null if mails are really sent. */
  outboxUrl: string | null;
}

/** The action that a challenge protects; its token is valid for this action only. */
export type ChallengeAction = "sign_up" | "forgot_password" | "guest_ticket";

/** Request header in which a guest sends their ticket. */
export const guestTicketHeader = "dualect-guest-ticket";
/** Query parameter of the relay's address that carries a guest's ticket. */
export const guestTicketParam = "ticket";
/** The same: the tab's id, so that a new connection of the tab replaces its old one. */
export const tabParam = "tab";
/** The same, `1`: the user wants to record here, so this client replaces another tab's or device's. */
export const takeOverParam = "takeover";

/** A guest's permission to record under one id, signed and short-lived. */
export interface GuestTicket {
  recordingId: string;
  ticket: string;
  /** ISO 8601. */
  expiresAt: string;
}
