import type { RecordedTake } from "#shared/recorded-take.ts";
import { chunkMs } from "./chunk-codec.ts";
import type { StoredTake } from "./stored-take.ts";
import { measureAbsent, measureFilled, toLectureGaps } from "./take-gaps.ts";

/** What has become of a take's sound. The first `sent` chunks are acknowledged, `dropped` were lost to full memory. */
export function createTakeReport(take: StoredTake, sent: number, dropped: number): RecordedTake {
  const { id, codec, startedAt, gaps, wordless, placements, heldMs, nextSeq } = take;
  const lengthMs = nextSeq * chunkMs[codec];
  const sentMs = sent * chunkMs[codec];
  const absentMs = measureAbsent(gaps) + dropped * chunkMs[codec];
  const wordsMs = Math.min(heldMs, sentMs);
  return {
    id,
    codec,
    startedAt: startedAt ?? 0,
    capturedMs: Math.round(lengthMs + absentMs),
    acknowledgedMs: Math.round(sentMs - measureFilled(gaps, 0, sentMs)),
    transcribedMs: Math.round(wordsMs - measureFilled(gaps, 0, wordsMs)),
    missingMs: Math.round(measureFilled(gaps, 0, lengthMs) + absentMs),
    gaps: toLectureGaps(gaps, wordless, placements),
  };
}
