/** The wire of `GET /api/live`: what a user's open pages are told, as JSON text frames. */
export interface LiveMessage {
  /** What the profile page shows has changed: plan, usage or profile. */
  type: "profile_changed";
}

/** A page may send the one at any time and gets the other, without waking anything. */
export const livePing = "ping";
export const livePong = "pong";
