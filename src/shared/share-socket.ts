// What the page of readers needs at once; the schemas of its messages are in share.ts.

/** Of `/api/shares`. */
export const shareCodeParam = "code";
/** The same: the reader's language. */
export const shareLanguageParam = "language";
/** The same, of a reader that connects again: `epoch` and sequence number of what it has. */
export const shareEpochParam = "epoch";
export const shareSinceParam = "since";

/** A reader may send `sharePing` at any time. It is answered with `sharePong` without waking the share's object. */
export const sharePing = "ping";
export const sharePong = "pong";
export const sharePingMs = 30_000;
