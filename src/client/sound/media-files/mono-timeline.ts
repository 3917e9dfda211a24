import { Resampler } from "#client/sound/capture/resampler.ts";

/** Sound may begin this much earlier or later than the end of the sound before it: containers round times. */
const toleranceMs = 40;
/** Samples of silence that are passed on at a time. */
const silenceSamples = 16_000;

/** Mono sound of one moment. */
export interface SoundBlock {
  /** -1 to 1. */
  samples: Float32Array;
  /** Hz. */
  sampleRate: number;
  /** When it begins, ms on the file's clock. */
  atMs: number;
}

/**
 * Keeps decoded sound on the file's clock: what is missing becomes silence, what is there twice or lies before the
 * beginning is left out.
 */
export class MonoTimeline {
  /** Samples so far, at `#sampleRate`. */
  #length = 0;
  /** Of the last block with another rate. */
  #converter: { rate: number; resampler: Resampler; converted: number[] } | null = null;

  /** `startMs`: where the first sample of the output lies on the file's clock. `sampleRate`: of the output. */
  constructor(
    private readonly startMs: number,
    private readonly sampleRate: number,
    private readonly push: (samples: Float32Array) => void,
  ) {}

  /** End of the sound so far, ms on the file's clock. */
  get endMs(): number {
    return this.startMs + (this.#length * 1_000) / this.sampleRate;
  }

  add(block: SoundBlock): void {
    const samples = this.#convertRate(block);
    const lateMs = block.atMs - this.endMs;
    const isExact = this.#length > 0 && Math.abs(lateMs) <= toleranceMs;
    if (isExact) this.#push(samples);
    else if (lateMs > 0) {
      this.#fillUntil(block.atMs);
      this.#push(samples);
    } else this.#push(samples.subarray(Math.round((-lateMs * this.sampleRate) / 1_000)));
  }

  /** A file that is joined of others may change its rate. The filter holds the last ms back. */
  #convertRate({ samples, sampleRate }: SoundBlock): Float32Array {
    if (sampleRate === this.sampleRate) return samples;
    if (this.#converter?.rate !== sampleRate) {
      const converted: number[] = [];
      const resampler = new Resampler(sampleRate, this.sampleRate, (one) => converted.push(one));
      this.#converter = { rate: sampleRate, resampler, converted };
    }
    const { resampler, converted } = this.#converter;
    resampler.push(samples);
    return Float32Array.from(converted.splice(0));
  }

  /** Puts silence in up to `ms` on the file's clock. */
  #fillUntil(ms: number): void {
    let missing = Math.max(0, Math.round(((ms - this.endMs) * this.sampleRate) / 1_000));
    for (; missing > 0; missing -= silenceSamples)
      this.#push(new Float32Array(Math.min(missing, silenceSamples)));
  }

  #push(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#length += samples.length;
    this.push(samples);
  }
}
