import type { Database } from "#server/database.ts";
import { findWithIndex } from "#shared/find-terms.ts";
import type { TermPair } from "#shared/glossary.ts";
import { finishInSlices } from "#shared/slices.ts";
import { indexSizeMax, TermIndex } from "#shared/term-index.ts";
import { type TranslationPair, toPairKey } from "#shared/translation-pairs.ts";
import { type LectureOfUser, readTermPairs, readTermsVersion } from "./queries.ts";

/** The terms that apply to a lecture, as they were when `readLectureTerms` was called. */
export interface LectureTerms extends LectureOfUser {
  version: string;
}

/** Null if there are none. */
export async function readLectureTerms(
  db: Database,
  lecture: LectureOfUser,
): Promise<LectureTerms | null> {
  const version = await readTermsVersion(db, lecture);
  return version === null ? null : { ...lecture, version };
}

/** Of all indexes that are kept together, see `TermIndex.size`: 40 MB at most. */
const sizeMax = 2 * indexSizeMax;
/** Of an index, beside its terms. */
const baseSize = 10_000;

/** The indexes of terms that were used last, by user, version and languages. */
const indexes = new Map<string, TermIndex>();

function keepIndex(key: string, index: TermIndex): void {
  // The last one that was used is the last of the map.
  indexes.delete(key);
  indexes.set(key, index);
  let size = 0;
  for (const [one, { size: own }] of [...indexes].reverse()) {
    size += own + baseSize;
    if (size > sizeMax && one !== key) indexes.delete(one);
  }
}

/**
 * The agreed translations of terms in `text`, the first `max`. Others are served meanwhile: the index is built once for a
 * version of the terms, and built and used in slices.
 */
export async function findAgreedTerms(
  db: Database,
  { userId, lectureId, version }: LectureTerms,
  { text, ...pair }: TranslationPair & { text: string },
  max?: number,
): Promise<TermPair[]> {
  const key = `${userId} ${version} ${toPairKey(pair)}`;
  let index = indexes.get(key);
  if (!index) {
    const pairs = await readTermPairs(db, { userId, lectureId }, pair);
    // Another call may have read them meanwhile.
    index = indexes.get(key) ?? new TermIndex(pairs, pair.sourceLanguage);
  }
  keepIndex(key, index);
  const found = await finishInSlices(findWithIndex(text, index, max));
  // It has grown.
  if (indexes.get(key) === index) keepIndex(key, index);
  return found;
}

/** For tests: the steps that all calls for a user have taken so far, and the indexes that are kept. */
export function measureIndexes(userId: string): { count: number; steps: number } {
  const own = [...indexes].filter(([key]) => key.startsWith(userId));
  return { count: own.length, steps: own.reduce((sum, [, { steps }]) => sum + steps, 0) };
}
