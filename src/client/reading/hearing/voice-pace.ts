/**
 * How long a voice takes for a text, and how fast it is asked to speak. Voices differ, and 1.3 asked of one is 1.3 times
 * its speed, of another 1.7: so both are learned from what it has spoken.
 */

/** Faster than this nobody is made to listen, times the voice's own pace; who has chosen more keeps it. */
const catchUpMax = 1.3;

/** With more than this to speak the pace rises, and with less it falls; ms at the voice's own pace. */
const usualBacklogMs = 4_000;

/** Of the pace, from one sentence to the next, up and down. */
const stepUp = 0.3;
const stepDown = 0.1;

/**
 * Of a usual voice, ms a character. Estimated from 15 letters a second in alphabetic scripts, 4.5 characters a second in
 * Chinese and 7.5 in kana; of what follows them only the proportions matter, because each voice is measured.
 */
const lengths: readonly [RegExp, number][] = [
  [/\p{Script=Han}/u, 220],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 130],
  [/\p{Script=Hangul}/u, 170],
  [/\p{N}/u, 250],
  [/\p{L}/u, 68],
  [/[.!?;:。！？；：।]/u, 300],
  [/[,、，،]/u, 150],
];
const otherMs = 30;

/** How long a usual voice takes for `text`, ms. */
export const estimateMs = (text: string): number =>
  Array.from(text).reduce(
    (sum, character) => sum + (lengths.find(([kind]) => kind.test(character))?.[1] ?? otherMs),
    0,
  );

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/** Shorter than this, the voice's beginning and end are most of what is measured, ms. */
const measuredMinMs = 800;
/** A duration that is so many times another than expected was not one of speech. */
const unlikely = 4;
/** What was learned from a sentence counts so much less with each one after it. */
const keptPart = 0.98;

/** Before anything is learned: a voice that makes more of a rate than it is asked for, so that nobody has to run. */
const firstExponent = 1.2;
/** How much what is assumed counts: as six sentences at 1.3 among as many at 1; and half a sentence. */
const exponentWeight = 0.1;

const slownessWeight = 0.5;

/** What is known of one voice: a line through the logarithms of rates and durations. */
export class VoicePace {
  /** Of all sentences: their number, rates, durations by those of a usual voice, and products of these. */
  #sums = { n: 0, x: 0, y: 0, xx: 0, xy: 0 };
  /** Logarithm of its duration by that of a usual voice. */
  #slowness = 0;
  /** It speaks `rate ** exponent` times as fast if it is asked for `rate`. */
  #exponent = firstExponent;

  /** How long it takes for `text` at its own pace, ms. */
  predictMs(text: string): number {
    return estimateMs(text) * Math.exp(this.#slowness);
  }

  /** What it has to be asked for, to speak at `pace`. Engines refuse more than 2, or are silent. */
  getRate(pace: number): number {
    return clamp(pace ** (1 / this.#exponent), 0.5, 2);
  }

  /** It took `ms` for `text`, asked for `rate`. */
  learn(text: string, rate: number, ms: number): void {
    const estimate = estimateMs(text);
    const ratio = ms / estimate;
    if (estimate < measuredMinMs || !(ratio < unlikely) || ratio * unlikely < 1) return;
    const [x, y] = [Math.log(rate), Math.log(ratio)];
    const sums = this.#sums;
    this.#sums = {
      n: sums.n * keptPart + 1,
      x: sums.x * keptPart + x,
      y: sums.y * keptPart + y,
      xx: sums.xx * keptPart + x * x,
      xy: sums.xy * keptPart + x * y,
    };
    const all = this.#sums;
    const spread = all.xx - all.x ** 2 / all.n;
    const slope = all.xy - (all.x * all.y) / all.n;
    this.#exponent = clamp(
      (firstExponent * exponentWeight - slope) / (spread + exponentWeight),
      0.5,
      2.5,
    );
    this.#slowness = (all.y + this.#exponent * all.x) / (all.n + slownessWeight);
  }
}

/**
 * The pace of the next sentence. `chosen`: by the listener; `backlogMs`: of it and of all that waits, at the voice's own
 * pace; `before`: of the sentence before it.
 */
export function choosePace(chosen: number, backlogMs: number, before: number): number {
  const highest = Math.max(chosen, catchUpMax);
  const wanted = clamp(backlogMs / usualBacklogMs, chosen, highest);
  return clamp(clamp(wanted, before - stepDown, before + stepUp), chosen, highest);
}
