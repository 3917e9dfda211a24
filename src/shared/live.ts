/** A message of `GET /api/live` to a user's open tabs, as a JSON text frame. */
export interface LiveMessage {
  /** What the profile page shows has changed: plan, usage or profile. */
  type: "profile_changed";
}

/** A tab may send `livePing` at any time. The runtime answers `livePong` without waking the Durable Object. */
export const livePing = "ping";
export const livePong = "pong";
