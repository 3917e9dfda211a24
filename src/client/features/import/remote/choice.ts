/** Recordings and feeds that are shown to choose from. */
export const choicesMax = 100;

/** A recording, or a feed with recordings. */
export interface Choice {
  kind: "file" | "feed";
  /** http or https. */
  address: string;
  /** Empty: it has none. */
  title: string;
  /** ISO 8601; null: not known, as the others. */
  publishedAt: string | null;
  seconds: number | null;
  bytes: number | null;
}
