/** Sound may begin this much earlier or later than the end of the sound before it: containers round times. */
const toleranceMs = 40;
/** Samples of silence that are passed on at a time. */
const silenceSamples = 16_000;

/** Sound of one moment: a plane of samples (-1 to 1) for each channel, all of the same length. */
export interface SoundBlock {
  planes: readonly Float32Array[];
  /** Hz. */
  sampleRate: number;
  /** When it begins, ms on the file's clock. */
  atMs: number;
}

/**
 * Mixes decoded sound to mono and keeps it on the file's clock: what is missing becomes silence, what is there twice or
 * lies before the beginning is left out.
 */
export class MonoTimeline {
  /** Samples so far, at `#sampleRate`. */
  #length = 0;

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
    const samples = convertRate(mixToMono(block.planes), block.sampleRate, this.sampleRate);
    const lateMs = block.atMs - this.endMs;
    const isExact = this.#length > 0 && Math.abs(lateMs) <= toleranceMs;
    if (isExact) this.#push(samples);
    else if (lateMs > 0) {
      this.#fillUntil(block.atMs);
      this.#push(samples);
    } else this.#push(samples.subarray(Math.round((-lateMs * this.sampleRate) / 1_000)));
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

/** The mean of all channels. */
function mixToMono(planes: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = planes;
  if (planes.length <= 1) return first;
  const mixed = new Float32Array(first.length);
  for (const plane of planes)
    for (let at = 0; at < mixed.length; at += 1)
      mixed[at] = (mixed[at] ?? 0) + (plane[at] ?? 0) / planes.length;
  return mixed;
}

/** A file whose rate changes is rare, so the nearest sample is good enough. */
function convertRate(samples: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return samples;
  const length = Math.round((samples.length * to) / from);
  return Float32Array.from({ length }, (_, at) => samples[Math.floor((at * from) / to)] ?? 0);
}
