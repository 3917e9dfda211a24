import { getEndMs, type Placement } from "./take-placement.ts";

/** A resumed provider session hears this much of what came before, so that it does not start in a word. */
export const leadInMs = 2_000;
/** Sound without a word for so long will yield none. */
const silenceIsFinalMs = 10_000;

/** How far a provider session has come, on the recording's clock. */
export interface SessionProgress {
  finalMs: number;
  totalMs: number;
  /** End of the last word, final or interim; the session's beginning where there was none. */
  lastWordMs: number;
  /** True while words may still change. */
  hasInterim: boolean;
}

/** Time up to which everything that was said has been delivered as final words. */
export function getTranscribedMs(heard: SessionProgress): number {
  const silent = !heard.hasInterim && heard.totalMs - heard.lastWordMs >= silenceIsFinalMs;
  return silent ? Math.max(heard.finalMs, heard.totalMs) : heard.finalMs;
}

/** The last chunk, from `acked + 1` to `last`, that may leave the browser's spool; `acked` when none may. */
export function findAcknowledgeableSeq(
  placement: Placement | null,
  acked: number,
  last: number,
  settled: number,
): number {
  let seq = acked;
  while (seq < last && getEndMs(placement, seq + 1) + leadInMs <= settled) seq += 1;
  return seq;
}
