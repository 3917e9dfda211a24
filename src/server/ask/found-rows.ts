import type { Database } from "#server/database.ts";
import type { Clock } from "#server/ports.ts";
import type { QuestionScope } from "#shared/question.ts";
import { translationFailed } from "#shared/words.ts";
import { type FoundRow, retrieveRows } from "./retrieve-rows.ts";

const toKey = ({ lectureId, position }: FoundRow) => `${lectureId} ${position}`;

/** Rows about `words`, best first. */
export async function findRows(
  { db, clock }: { db: Database; clock: Clock },
  { userId, scope, words }: { userId: string; scope: QuestionScope; words: string },
): Promise<FoundRow[]> {
  const found = await retrieveRows(db, { userId, scope, question: words, clock });
  return found.map((row) =>
    row.translated === translationFailed ? { ...row, translated: "", translatedInto: null } : row,
  );
}

/** `found` with those of `further` that it has not: these are the better ones, as the model has chosen their words. */
export function addRows(found: readonly FoundRow[], further: readonly FoundRow[]): FoundRow[] {
  const keys = new Set(further.map(toKey));
  return [...further, ...found.filter((row) => !keys.has(toKey(row)))];
}

/** `rows` by lecture, those with the best rows first; a lecture's rows in its order. */
export function groupRows(rows: readonly FoundRow[]): FoundRow[] {
  const byLecture = Map.groupBy(rows, ({ lectureId }) => lectureId);
  return [...byLecture.values()].flatMap((group) =>
    group.toSorted((a, b) => a.position - b.position),
  );
}

/** Rows that a question without an answer is left with. */
const nearestRowsMax = 5;

export const selectNearest = (found: readonly FoundRow[]): FoundRow[] =>
  found
    .filter(({ isHit }) => isHit)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, nearestRowsMax);
