import { getEndMs, type Placement } from "./take-placement.ts";

/** Audio that a resumed provider session receives again, so that it does not start inside a word. */
export const leadInMs = 2_000;
/** Audio without words for this long is treated as silence. */
const silenceIsFinalMs = 10_000;

/** Progress of a provider session, in ms on the recording's clock. */
export interface SessionProgress {
  finalMs: number;
  totalMs: number;
  /** End of the last word, final or interim; the start of the session if there was none. */
  lastWordMs: number;
  /** True while the session has interim words. */
  hasInterim: boolean;
}

/** Time up to which all speech was delivered as final words. */
export function getTranscribedMs(progress: SessionProgress): number {
  const silent = !progress.hasInterim && progress.totalMs - progress.lastWordMs >= silenceIsFinalMs;
  return silent ? Math.max(progress.finalMs, progress.totalMs) : progress.finalMs;
}

/** The last chunk that the browser may delete, between `acked + 1` and `last`; `acked` if there is none. */
export function findAcknowledgeableSeq(
  placement: Placement | null,
  acked: number,
  last: number,
  transcribedMs: number,
): number {
  let seq = acked;
  while (seq < last && getEndMs(placement, seq + 1) + leadInMs <= transcribedMs) seq += 1;
  return seq;
}
