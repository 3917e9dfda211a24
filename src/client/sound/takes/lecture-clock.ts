import type { StoredTake } from "./stored-take.ts";
import type { Take } from "./take.ts";

/**
 * End of a take's words that are among the saved `rows`, ms on the take's own clock; 0 without any.
 * A row does not store its take. It is the take's if it lies where a placement put the take on the lecture's
 * clock, because no two takes are placed at the same time. Behind `heldMs` the take has no words yet.
 */
export function getSavedWordsEndMs(
  { placements, heldMs, savedMs }: Pick<StoredTake, "placements" | "heldMs" | "savedMs">,
  rows: readonly { startMs: number; endMs: number }[],
): number {
  let end = savedMs;
  for (const [index, { fromMs, offsetMs }] of placements.entries()) {
    const toMs = Math.min(heldMs, placements[index + 1]?.fromMs ?? heldMs);
    for (const row of rows) {
      // The middle of the row, because two transcriptions never agree on a word's start to the ms.
      const middleMs = (row.startMs + row.endMs) / 2 - offsetMs;
      if (middleMs >= fromMs && middleMs < toMs)
        end = Math.max(end, Math.min(row.endMs - offsetMs, heldMs));
    }
  }
  return end;
}

/** End of the clock of a lecture that ended at `endMs` before `takes`, ms. */
export function getClockEndMs(takes: readonly Take[], endMs: number): number {
  return takes.reduce(
    (end, { offsetMs, lengthMs }) =>
      offsetMs === null ? end + lengthMs : Math.max(end, offsetMs + lengthMs),
    endMs,
  );
}

/** End of a take's words on the page on the lecture's clock, ms, whatever the times of another engine are worth. */
export const getWordsEndMs = ({ offsetMs, heldMs, repeated }: Take): number =>
  Math.max((offsetMs ?? 0) + heldMs, repeated?.untilMs ?? 0);

/**
 * Where the room is to place the rest of `take` on the clock of a lecture whose words end at `endMs`: there, or where the
 * sound lies if its beginning has the last of those words.
 */
export function getRestStartMs(take: Take, endMs: number): number {
  const { offsetMs, firstUnsent, chunkMs } = take;
  if (offsetMs === null || endMs > getWordsEndMs(take) + 1) return endMs;
  // A rest that was placed at the clock's beginning may be needed from some sound before that on.
  return Math.max(0, Math.min(endMs, offsetMs + firstUnsent * chunkMs));
}
