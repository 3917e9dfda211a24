/** Audio kept before the first unsaved word, so that a new transcription does not start within a word. */
const leadInMs = 2_000;

interface Sound {
  /** First chunk that is not acknowledged. */
  firstUnsent: number;
  nextSeq: number;
  chunkMs: number;
  isComplete: boolean;
  isKept: boolean;
}

/**
 * What of a take's stored sound is needed. `unsavedMs`: start of the first unsaved words on the take's own clock.
 *
 * @returns `isSaved`: all words are saved; `savedMs`: their end on that clock; `firstSeq`: first chunk that the next
 *   visit needs.
 */
export function findNeededSound(
  { firstUnsent, nextSeq, chunkMs, isComplete, isKept }: Sound,
  unsavedMs: number,
) {
  const sentMs = firstUnsent * chunkMs;
  const savedMs = Math.min(sentMs, Math.max(0, unsavedMs));
  const isSaved = isComplete && savedMs >= sentMs;
  const neededSeq = Math.floor(Math.max(0, savedMs - leadInMs) / chunkMs);
  // A kept take of which nothing is needed would not be found by the next visit.
  const firstSeq = isSaved && !isKept ? nextSeq : Math.min(firstUnsent, neededSeq);
  return { isSaved, savedMs, firstSeq };
}
