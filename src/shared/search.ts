/** A lecture that was found, with the place that fits best. */
interface SearchResult {
  lectureId: string;
  title: string;
  folderId: string | null;
  /** ISO 8601. */
  createdAt: string;
  hit: SearchHit;
}

/** Texts are cut to 500 characters. */
export type SearchHit =
  | { kind: "title" }
  | { kind: "summary"; text: string }
  /** A text that came without alignment. */
  | { kind: "text"; text: string }
  /** A row of the transcript: `position` is its place, `startMs` its moment on the recording's clock. */
  | { kind: "entry"; position: number; startMs: number; english: string; translated: string };

export interface SearchPage {
  results: SearchResult[];
  nextCursor: string | null;
}
