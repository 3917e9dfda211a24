import type { FoundRow } from "./retrieve-rows.ts";

const toKey = ({ lectureId, position }: FoundRow) => `${lectureId} ${position}`;

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
