import type { TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import type { Span } from "#client/realtime/transcript/row-timeline.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { removeRows } from "./fill-gaps.ts";
import { NotRecognizedError } from "./recognize-kept.ts";
import {
  createRows,
  createSentences,
  type HeardWords,
  type NewRow,
  replaceRows,
  splitRows,
  toEntry,
} from "./replace-rows.ts";

export interface PlannedRows {
  /** What is to be in the place of all rows; null: they stay as they are. */
  entries: TranscriptEntry[] | null;
  /** Number of new rows. */
  count: number;
  undo: RowPlan;
}

/**
 * Of the rows as they are when it is carried out; `languages`: the lecture's then.
 *
 * @throws NotRecognizedError if nothing would be in the place of rows
 */
export type RowPlan = (rows: readonly TranscriptRow[], languages: LanguagePair) => PlannedRows;

/** The rows of `words` replace those in `spans` that no person has corrected. */
export const planReplacement = (
  words: readonly HeardWords[],
  spans: readonly Span[],
  languages: LanguagePair,
): RowPlan =>
  planRows(spans, (kept, replaced) =>
    createRows(createSentences(words, kept), replaced, languages),
  );

const planRows =
  (
    spans: readonly Span[],
    select: (kept: TranscriptRow[], replaced: TranscriptRow[]) => NewRow[],
  ): RowPlan =>
  (rows, languages) => {
    const { kept, replaced } = splitRows(rows, spans);
    const added = select(kept, replaced);
    if (added.length === 0 && replaced.length > 0) throw new NotRecognizedError(null);
    const old = replaced.map((row) => toEntry(row, languages));
    return {
      entries: replaceRows(rows, spans, added, languages),
      count: added.length,
      undo: planRows(spans, () => old),
    };
  };

/** All rows stay. Rows of `words` that none of them has come between them. */
export const planAddition =
  (words: readonly HeardWords[], languages: LanguagePair): RowPlan =>
  (rows, shownLanguages) => {
    const added = createRows(createSentences(words, rows), [], languages);
    return {
      entries: added.length > 0 ? replaceRows(rows, [], added, shownLanguages) : null,
      count: added.length,
      undo: planRemoval(added),
    };
  };

const planRemoval =
  (added: readonly NewRow[]): RowPlan =>
  (rows, languages) => ({
    entries: added.length > 0 ? removeRows(rows, added, languages) : null,
    count: 0,
    undo: planRemoval([]),
  });
