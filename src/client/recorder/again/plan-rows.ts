import { isCorrected } from "#client/lecture/rows/merge-rows.ts";
import { createCover, type Span } from "#client/lecture/rows/row-timeline.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { RowVersion, TranscriptEntry } from "#shared/lecture.ts";
import { NotRecognizedError } from "./recognize-kept.ts";
import {
  createRows,
  createSentences,
  getMiddle,
  type HeardWords,
  splitRows,
} from "./replace-rows.ts";

/** What one call stores. */
export interface RowChanges {
  /** New rows, or rows that come back. */
  entries: TranscriptEntry[];
  deleted: RowVersion[];
}

/** The changes of the rows as the server has them when they are carried out. */
export type RowPlan = (rows: readonly TranscriptEntry[]) => RowChanges & {
  /** Brings back the rows that were deleted at `seq`, but for what a person has corrected since. */
  undo: (rows: readonly TranscriptEntry[], seq: number) => RowChanges;
};

interface PlanOptions {
  /** Of the new rows. */
  languages: LanguagePair;
  newId(): string;
}

/**
 * The rows of `words` replace those in `spans` that no person has corrected. The plan throws NotRecognizedError if nothing
 * would be in the place of rows.
 */
export const planReplacement =
  (words: readonly HeardWords[], spans: readonly Span[], options: PlanOptions): RowPlan =>
  (rows) => {
    const { kept, replaced } = splitRows(rows, spans);
    const added = createNewRows(words, { rows, kept, replaced }, options);
    if (added.length === 0 && replaced.length > 0) throw new NotRecognizedError(null);
    return exchange(replaced, added);
  };

/** All rows stay. Rows of `words` that none of them has come between them. */
export const planAddition =
  (words: readonly HeardWords[], options: PlanOptions): RowPlan =>
  (rows) =>
    exchange([], createNewRows(words, { rows, kept: rows, replaced: [] }, options));

interface SplitRows {
  rows: readonly TranscriptEntry[];
  kept: readonly TranscriptEntry[];
  replaced: readonly TranscriptEntry[];
}

function createNewRows(
  words: readonly HeardWords[],
  { rows, kept, replaced }: SplitRows,
  options: PlanOptions,
): TranscriptEntry[] {
  const ordinal = rows.reduce((next, row) => Math.max(next, row.ordinal + 1), 0);
  const added = createRows(createSentences(words, kept), replaced, { ...options, ordinal });
  const isKept = createCover(kept);
  return added.filter((row) => !isKept(getMiddle(row)));
}

const exchange = (
  replaced: readonly TranscriptEntry[],
  added: TranscriptEntry[],
): ReturnType<RowPlan> => ({
  entries: added,
  deleted: replaced.map(toVersion),
  undo(rows, seq) {
    const ids = new Set(rows.map(({ id }) => id));
    const addedIds = new Set(added.map(({ id }) => id));
    const there = rows.filter(({ id }) => addedIds.has(id));
    const isKept = createCover(there.filter(isCorrected));
    return {
      entries: replaced
        .filter((row) => !ids.has(row.id) && !isKept(getMiddle(row)))
        .map((row) => ({ ...row, seq })),
      deleted: there.filter((row) => !isCorrected(row)).map(toVersion),
    };
  },
});

const toVersion = ({ id, seq }: TranscriptEntry): RowVersion => ({ id, seq });
