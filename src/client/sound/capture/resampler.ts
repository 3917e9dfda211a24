/** How far the stop band is down, dB. */
const stopBandDb = 70;
/** Shape of the Kaiser window for `stopBandDb` (J. F. Kaiser, 1974). */
const kaiserShape = 0.1102 * (stopBandDb - 8.7);
/** Width of the transition band around half of the lower rate, as a part of that rate: 7.1 to 8.9 kHz at 16 kHz. */
const transition = 0.1125;

/**
 * Converts a stream of samples to another rate with a windowed sinc filter. The place of each sample is counted in whole
 * numbers, so the clock does not drift, and the blocks of the stream leave no trace.
 */
export class Resampler {
  /** Output samples for `#down` input samples. */
  readonly #up: number;
  readonly #down: number;
  /** Input samples on each side of an output sample that it depends on. */
  readonly #reach: number;
  /** The filter for each place of an output sample between two input samples, made when it is first needed. */
  readonly #filters: (Float32Array | undefined)[] = [];
  readonly #cutoff: number;
  readonly #buffer: Float32Array;
  #length: number;
  /** The next output sample: the input sample before it, in `#buffer`, and its place after that, in 1 / `#up`. */
  #at: number;
  #place = 0;

  /** Rates in Hz. */
  constructor(
    from: number,
    to: number,
    private readonly emit: (sample: number) => void,
  ) {
    const divisor = findCommonDivisor(Math.round(from), Math.round(to));
    this.#up = Math.round(to) / divisor;
    this.#down = Math.round(from) / divisor;
    const lower = Math.min(from, to);
    this.#cutoff = lower / from;
    this.#reach = Math.ceil(((stopBandDb - 7.95) * from) / (14.36 * transition * lower) / 2);
    this.#buffer = new Float32Array(2 * this.#reach + 2_048);
    // Before the first sample is silence.
    this.#length = this.#reach - 1;
    this.#at = this.#reach - 1;
  }

  push(samples: Float32Array): void {
    for (let from = 0; from < samples.length; ) {
      const part = samples.subarray(from, from + this.#buffer.length - this.#length);
      this.#buffer.set(part, this.#length);
      this.#length += part.length;
      from += part.length;
      this.#convert();
    }
  }

  /** Emits what waits for later samples: behind the last one is silence. */
  flush(): void {
    this.push(new Float32Array(this.#reach));
  }

  #convert(): void {
    const buffer = this.#buffer;
    while (this.#at + this.#reach < this.#length) {
      const filter = this.#getFilter(this.#place);
      const first = this.#at - this.#reach + 1;
      let sum = 0;
      for (let index = 0; index < filter.length; index += 1)
        sum += (filter[index] as number) * (buffer[first + index] as number);
      this.emit(sum);
      this.#place += this.#down;
      this.#at += Math.floor(this.#place / this.#up);
      this.#place %= this.#up;
    }
    const done = Math.min(this.#at - this.#reach + 1, this.#length);
    buffer.copyWithin(0, done, this.#length);
    this.#length -= done;
    this.#at -= done;
  }

  #getFilter(place: number): Float32Array {
    this.#filters[place] ??= this.#createFilter(place / this.#up);
    return this.#filters[place];
  }

  /** `fraction`: where the output sample lies between two input samples, 0 to 1. */
  #createFilter(fraction: number): Float32Array {
    const filter = Float32Array.from({ length: 2 * this.#reach }, (_, index) => {
      const distance = index - this.#reach + 1 - fraction;
      return sinc(distance * this.#cutoff) * getWindow(distance / this.#reach);
    });
    const sum = filter.reduce((total, weight) => total + weight, 0);
    return filter.map((weight) => weight / sum);
  }
}

const findCommonDivisor = (first: number, second: number): number =>
  second === 0 ? first : findCommonDivisor(second, first % second);

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** The Kaiser window at `x`, -1 to 1, but for a factor. */
const getWindow = (x: number): number => getBessel(kaiserShape * Math.sqrt(Math.max(0, 1 - x * x)));

/** The modified Bessel function of order 0. */
function getBessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let index = 1; term > sum * 1e-9; index += 1) {
    term *= (x / (2 * index)) ** 2;
    sum += term;
  }
  return sum;
}
