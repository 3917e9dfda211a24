import type { Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { SpeechModel } from "./speech-model.ts";

/**
 * What a device does with a model while somebody speaks. `follows`: words come while the sentence is spoken. `behind`:
 * they come a sentence later. `tooSlow`: ever later.
 */
export type ModelSpeed = "follows" | "behind" | "tooSlow";

/** Longest computing for a window of 5 s: windows follow each other by 1.4 s, see `WindowPace`. */
const followsMaxMs = 1_050;
/** Of the 5 s, 3 s are new to a device that is so slow; it recognises 0.8 s in a second. */
const behindMaxMs = 3_750;

/** `windowMs`: computing time of a window of 5 s of speech. */
export function getModelSpeed(windowMs: number): ModelSpeed {
  if (windowMs <= followsMaxMs) return "follows";
  return windowMs <= behindMaxMs ? "behind" : "tooSlow";
}

const windowLengthMs = 5_000;
/** What is said in 5 s, with the times. Each token is a step of the decoder. */
const windowTokens = 20;
/** The first call compiles code, and says nothing of the others. */
const warmUpMs = 1_000;
const warmUpLimitMs = 60_000;
/** A window that takes longer is far too slow; its exact time does not matter. */
const windowLimitMs = 12_000;

/**
 * Measures how long a model computes for a window of 5 s of speech, ms: the faster of two, because what else the device
 * does may slow one. The sound is silence, of which as many tokens are decoded as speech has: it costs the same.
 *
 * @throws what the model throws; when `signal` is aborted, any error
 */
export async function measureWindow(
  model: Pick<SpeechModel, "transcribe">,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const transcribe = async (lengthMs: number, tokenCount: number, limitMs: number) => {
    const startedAt = clock.now();
    const samples = new Float32Array((lengthMs * captureSampleRate) / 1_000);
    const options = { language: "en", prompt: "", said: "And so", terms: [], tokenCount } as const;
    let isLate = () => false;
    const call = (inner: AbortSignal) => {
      isLate = () => inner.aborted;
      return model.transcribe(samples, options, inner);
    };
    try {
      await withTimeout(clock, limitMs, call, signal);
    } catch (error) {
      if (signal?.aborted || !isLate()) throw error;
    }
    return clock.now() - startedAt;
  };
  const firstMs = await transcribe(warmUpMs, 1, warmUpLimitMs);
  if (firstMs >= warmUpLimitMs) return firstMs;
  const windowMs = await transcribe(windowLengthMs, windowTokens, windowLimitMs);
  if (windowMs >= windowLimitMs) return windowMs;
  return Math.min(windowMs, await transcribe(windowLengthMs, windowTokens, windowLimitMs));
}
