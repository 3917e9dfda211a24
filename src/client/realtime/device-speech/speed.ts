import type { Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/realtime/timeouts-and-retries.ts";
import type { SourceLanguage } from "#shared/languages.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { SpeechModel } from "./speech-model.ts";

/** One window that a model has recognised. */
export interface MeasuredWindow {
  /** Sound of the window that no window before it had, ms. What two windows share counts once. */
  newMs: number;
  /** From the call to its words, ms. */
  computeMs: number;
}

/** Below this factor, words come too late to be read along, and ever later. */
const slowestFactor = 0.8;
/** Computing time and windows from which a factor says something. */
const meaningfulMs = 1_000;
const meaningfulWindows = 2;
/** Windows of a recording that count: a device becomes slow when it is warm or its battery low. */
const recentWindows = 8;

/**
 * How fast a device recognises: new sound per computing time, both in ms. Windows overlap, because words become final
 * when two windows agree, and only sound that a window is the first to have counts. While somebody speaks, the next
 * window begins when the one before is done and has all that was said meanwhile: so the factor is above 1 where the model
 * waits for sound, near 1 where it is always busy and keeps up, and below 1 where the words fall behind by
 * 1 - factor seconds each second.
 */
export class SpeedMeter {
  #windows: MeasuredWindow[] = [];

  add(window: MeasuredWindow): void {
    this.#windows = [...this.#windows, window].slice(-recentWindows);
  }

  /** Null: too little was measured. */
  get factor(): number | null {
    const newMs = this.#windows.reduce((sum, window) => sum + window.newMs, 0);
    const computeMs = this.#windows.reduce((sum, window) => sum + window.computeMs, 0);
    const isMeaningful = this.#windows.length >= meaningfulWindows || computeMs >= meaningfulMs;
    return isMeaningful && newMs > 0 ? newMs / Math.max(1, computeMs) : null;
  }

  get isTooSlow(): boolean {
    return this.factor !== null && this.factor < slowestFactor;
  }
}

/** A recording's usual window: its context, which was recognised before, and what is new. */
const contextMs = 2_000;
const newMs = 3_000;
const measuredMs = contextMs + newMs;
const measuredWindows = 2;
/** The first call compiles shaders and code, and says nothing of the others. */
const warmUpMs = 1_000;
const warmUpLimitMs = 60_000;
/** A window that takes longer is far too slow; its exact time does not matter. */
const windowLimitMs = 12_000;

export interface MeasuredSpeed {
  /** See `SpeedMeter`. An upper bound where the model was stopped, because it took too long. */
  factor: number;
  /** Slower than 0.8 times real time. */
  isTooSlow: boolean;
}

/**
 * Measures a model before a recording: after a warm-up, two windows of 5 s, of which 3 s count as new. `sound`: speech,
 * mono at 16 kHz, where there is some. The generated sound is recognised as few words or none, so real speech, each of
 * whose words is decoded, is slower; `DeviceRecognizer.speed` goes on measuring.
 *
 * @throws what the model throws; ApiError when `signal` aborts
 */
export async function measureSpeed(
  model: SpeechModel,
  clock: Clock,
  language: SourceLanguage,
  { sound = createSound(), signal }: { sound?: Float32Array; signal?: AbortSignal } = {},
): Promise<MeasuredSpeed> {
  const meter = new SpeedMeter();
  const transcribe = async (lengthMs: number, limitMs: number): Promise<number> => {
    const startedAt = clock.now();
    const window = takeSamples(sound, lengthMs);
    let isLate = false;
    const cancel = clock.after(limitMs, () => {
      isLate = true;
    });
    const call = (inner: AbortSignal) => model.transcribe(window, { language }, inner);
    try {
      await withTimeout(clock, limitMs, call, signal);
    } catch (error) {
      if (!isLate) throw error;
    } finally {
      cancel();
    }
    return Math.max(1, clock.now() - startedAt);
  };
  const warmedUpMs = await transcribe(warmUpMs, warmUpLimitMs);
  for (let count = 0; warmedUpMs < warmUpLimitMs && count < measuredWindows; count += 1) {
    const computeMs = await transcribe(measuredMs, windowLimitMs);
    meter.add({ newMs, computeMs });
    if (meter.isTooSlow) break;
  }
  const factor = meter.factor ?? warmUpMs / warmedUpMs;
  return { factor, isTooSlow: factor < slowestFactor };
}

/** `lengthMs` of `sound`, from its beginning and as often as needed. */
function takeSamples(sound: Float32Array, lengthMs: number): Float32Array {
  const length = Math.round((lengthMs * captureSampleRate) / 1_000);
  return Float32Array.from({ length }, (_, at) => sound[at % Math.max(1, sound.length)] ?? 0);
}

const syllableMs = 180;
const pitchHz = 130;
const harmonics = 20;

/** Syllables of a buzzing tone, so that no model stops early at silence. */
function createSound(): Float32Array {
  const length = (measuredMs * captureSampleRate) / 1_000;
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
