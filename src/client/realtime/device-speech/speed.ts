import type { Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { SpeechModel } from "./speech-model.ts";

/** New sound per computing time. Below this factor, words come too late to be read along, and ever later. */
const slowestFactor = 0.8;
/** A recording's usual window: its context, which was recognised before, and what is new. */
const contextMs = 2_000;
const newMs = 3_000;
const measuredWindows = 2;
/** The first call compiles code, and says nothing of the others. */
const warmUpMs = 1_000;
const warmUpLimitMs = 60_000;
/** A window that takes longer is far too slow; its exact time does not matter. */
const windowLimitMs = 12_000;

/**
 * Measures a model before a recording: after a warm-up, two windows of 5 s, of which 3 s count as new. The generated sound
 * is recognised as few words or none, so speech, each of whose words is decoded, is slower.
 *
 * @throws what the model throws
 */
export async function isTooSlow(
  model: Pick<SpeechModel, "transcribe">,
  clock: Clock,
): Promise<boolean> {
  const transcribe = async (lengthMs: number, limitMs: number): Promise<number> => {
    const startedAt = clock.now();
    const options = { language: "en", prompt: "", said: "", terms: [] } as const;
    let isLate = () => false;
    const call = (signal: AbortSignal) => {
      isLate = () => signal.aborted;
      return model.transcribe(createSound(lengthMs), options, signal);
    };
    try {
      await withTimeout(clock, limitMs, call);
    } catch (error) {
      if (!isLate()) throw error;
    }
    return clock.now() - startedAt;
  };
  if ((await transcribe(warmUpMs, warmUpLimitMs)) >= warmUpLimitMs) return true;
  let computeMs = 0;
  for (let count = 1; count <= measuredWindows; count += 1) {
    computeMs += await transcribe(contextMs + newMs, windowLimitMs);
    if (count * newMs < computeMs * slowestFactor) return true;
  }
  return false;
}

const syllableMs = 180;
const pitchHz = 130;
const harmonics = 20;

/** Syllables of a buzzing tone, so that no model stops early at silence. */
function createSound(lengthMs: number): Float32Array {
  const length = (lengthMs * captureSampleRate) / 1_000;
  return Float32Array.from({ length }, (_, at) => {
    const ms = (at * 1_000) / captureSampleRate;
    const loudness = Math.max(0, Math.sin((Math.PI * ms) / syllableMs));
    const phase = (2 * Math.PI * pitchHz * at) / captureSampleRate;
    let value = 0;
    for (let harmonic = 1; harmonic <= harmonics; harmonic += 1)
      value += Math.sin(harmonic * phase) / harmonic;
    return 0.15 * loudness * value;
  });
}
