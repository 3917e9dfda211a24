import type { OpenSession } from "./state.ts";
import { getEndMs, type Placement } from "./take-placement.ts";

/** Audio that a resumed provider session receives again, so that it does not start inside a word. */
export const overlapMs = 2_000;
/** Audio without words for this long is treated as silence. */
const silenceIsFinalMs = 10_000;

/** Time up to which all speech was delivered as final words, ms on the lecture's clock. */
export function getTranscribedMs({
  finalMs,
  totalMs,
  lastWordMs,
  hasInterim,
}: OpenSession): number {
  const isSilent = !hasInterim && totalMs - lastWordMs >= silenceIsFinalMs;
  return isSilent ? Math.max(finalMs, totalMs) : finalMs;
}

/** The last chunk that the browser may delete, between `acked + 1` and `last`; `acked` if there is none. */
export function findAcknowledgeableSeq(
  placement: Placement | null,
  acked: number,
  last: number,
  transcribedMs: number,
): number {
  let seq = acked;
  while (seq < last && getEndMs(placement, seq + 1) + overlapMs <= transcribedMs) seq += 1;
  return seq;
}
