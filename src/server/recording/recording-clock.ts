import * as z from "zod/mini";
import { chunkSamples } from "../../shared/limits.ts";

/** From `seq` on, which begins at `ms`, a chunk lasts `chunkMs`. */
export const rateSpan = z.object({ seq: z.int(), ms: z.number(), sampleRate: z.int() });
type RateSpan = z.infer<typeof rateSpan>;

/** The recording's clock: sequence number × chunk length, rebased wherever the sample rate changes. */
export type RecordingClock = readonly RateSpan[];

/** Length of a chunk at `sampleRate` (Hz), ms. */
export function chunkLengthMs(sampleRate: number): number {
  return (chunkSamples * 1_000) / sampleRate;
}

/** When chunk `seq` begins on the recording's clock, ms. An empty clock stands at 0. */
export function startOf(clock: RecordingClock, seq: number): number {
  const span = clock.findLast((one) => one.seq <= seq);
  return span ? span.ms + (seq - span.seq) * chunkLengthMs(span.sampleRate) : 0;
}

/** When chunk `seq` ends on the recording's clock, ms. */
export function endOf(clock: RecordingClock, seq: number): number {
  return startOf(clock, seq + 1);
}

/** The clock on which `seq` and what follows is sampled at `sampleRate`. */
export function rebase(clock: RecordingClock, seq: number, sampleRate: number): RecordingClock {
  if (clock.length === 0) return [{ seq: 0, ms: 0, sampleRate }];
  const before = clock.filter((span) => span.seq < seq);
  if (before.at(-1)?.sampleRate === sampleRate) return before;
  return [...before, { seq, ms: startOf(clock, seq), sampleRate }];
}
