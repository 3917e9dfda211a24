import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import type { StoredTake } from "./take-storage.ts";

/** Length of one chunk, ms. */
export const chunkMs = (chunkSamples * 1_000) / captureSampleRate;

/** Number of the chunk in which `ms` of the take's own clock lies. */
export function toChunkNumber(ms: number): number {
  return Math.floor(ms / chunkMs);
}

/** Length of `chunks`, whole seconds and at least one. */
export function chunksToSeconds(chunks: number): number {
  return Math.max(1, Math.round((chunks * chunkMs) / 1_000));
}

/**
 * End of the words of a take that are among `rows`, ms on the take's own clock; 0 where there are none.
 * The lecture's clock tells whose words they are: as far as its tab has shown words, no other take has
 * the same place on it.
 */
export function getSavedWordsEndMs(
  { placements, heldMs, savedMs }: Pick<StoredTake, "placements" | "heldMs" | "savedMs">,
  rows: readonly { startMs: number; endMs: number }[],
): number {
  let end = savedMs;
  for (const [index, { fromMs, offsetMs }] of placements.entries()) {
    const toMs = Math.min(heldMs, placements[index + 1]?.fromMs ?? heldMs);
    for (const row of rows) {
      // Two recognitions never agree to the millisecond on where a word begins.
      const middleMs = (row.startMs + row.endMs) / 2 - offsetMs;
      if (middleMs >= fromMs && middleMs < toMs)
        end = Math.max(end, Math.min(row.endMs - offsetMs, heldMs));
    }
  }
  return end;
}
