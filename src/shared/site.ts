/** What the page must know of the deployment it was served by (`site.info`). */
export interface SiteInfo {
  /** Services that a stand-in serves, so that the page can say so. */
  standIns: { speech: boolean; llm: boolean; mail: boolean; payments: boolean };
  /** Where the mails can be read that the embedded outbox took; null where mails are really sent. */
  outboxUrl: string | null;
}

/** Request header in which a guest sends their ticket. */
export const guestTicketHeader = "dualect-guest-ticket";
/** Query parameter of the relay's address that carries a guest's ticket. */
export const guestTicketParam = "ticket";

/** A guest's permission to record under one id, signed and short-lived. */
export interface GuestTicket {
  recordingId: string;
  ticket: string;
  /** ISO 8601. */
  expiresAt: string;
}
