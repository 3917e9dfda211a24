import { levelsPerDb } from "#client/realtime/audio/level.ts";

/** Speech begins this far above the noise, and goes on until it is this near to it, in steps of a level. */
const enterAbove = 9 * levelsPerDb;
const leaveAbove = 5 * levelsPerDb;
/** A click is shorter than this. */
const onsetMs = 40;
/** Gaps between words, and within some consonants, are shorter than this. */
const hangOverMs = 300;
/** The noise is the quietest moment of this time: nobody speaks so long without a breath. */
const floorBlocks = 12;
const floorBlockMs = 1_000;
/** Noise before anything is known of it (-35 dB): what is louder by `enterAbove` counts as speech from the first frame. */
const firstFloor = 25 * levelsPerDb;
/** Intervals that are kept when nobody drops them. */
const intervalsMax = 1_024;

/** A stretch of speech, ms from the first frame. */
export interface SpeechInterval {
  readonly startMs: number;
  readonly endMs: number;
}

/** Length of the speech between two times, ms. */
export function measureSpeech(
  intervals: readonly SpeechInterval[],
  fromMs: number,
  toMs: number,
): number {
  return intervals.reduce((sum, { startMs, endMs }) => {
    return sum + Math.max(0, Math.min(endMs, toMs) - Math.max(startMs, fromMs));
  }, 0);
}

/**
 * Tells speech from noise by the level alone (`measureLevel`), with a noise floor that follows the room. Errs towards
 * speech: what is no speech costs time in the model, whose words are checked again; what is missed is lost. It takes
 * frames of 10 to 300 ms, so a chunk's level is enough to tell that somebody speaks, and 20 ms tell where words lie.
 *
 * @example
 * const activity = new VoiceActivity(chunkMs.pcm_s16le);
 * for (const level of levels) activity.add(level);
 * measureSpeech(activity.intervals, lastResultMs, activity.endMs); // speech since the last result
 */
export class VoiceActivity {
  /** The lowest level of each second, the newest last. */
  readonly #minima: number[] = Array<number>(floorBlocks).fill(firstFloor);
  #blockMs = 0;
  /** Loud frames that are too few to be speech. */
  #onsetMs = 0;
  #isSpeech = false;
  #endMs: number;
  readonly #intervals: SpeechInterval[] = [];

  /** `frameMs`: length of each frame. `startMs`: where the first one begins. */
  constructor(
    private readonly frameMs: number,
    startMs = 0,
  ) {
    this.#endMs = startMs;
  }

  /** End of the last frame, ms. */
  get endMs(): number {
    return this.#endMs;
  }
  /** Somebody speaks, or has just now. */
  get isSpeech(): boolean {
    return this.#isSpeech;
  }
  /** In order, with gaps of at least 300 ms. The last one grows while `isSpeech`. */
  get intervals(): readonly SpeechInterval[] {
    return this.#intervals;
  }
  /** From here on, frames that were taken already may still turn out to be the beginning of speech, ms. */
  get decidedMs(): number {
    return this.#endMs - this.#onsetMs;
  }

  /** `level`: 0 to 255. */
  add(level: number): void {
    const floor = this.#updateFloor(level);
    this.#endMs += this.frameMs;
    if (this.#isSpeech) {
      const current = this.#intervals.at(-1);
      if (current === undefined) return;
      if (level >= floor + leaveAbove)
        this.#intervals[this.#intervals.length - 1] = { ...current, endMs: this.#endMs };
      else if (this.#endMs - current.endMs >= hangOverMs) this.#isSpeech = false;
      return;
    }
    this.#onsetMs = level >= floor + enterAbove ? this.#onsetMs + this.frameMs : 0;
    if (this.#onsetMs < onsetMs) return;
    this.#intervals.push({ startMs: this.#endMs - this.#onsetMs, endMs: this.#endMs });
    if (this.#intervals.length > intervalsMax) this.#intervals.shift();
    this.#isSpeech = true;
    this.#onsetMs = 0;
  }

  /** Forgets intervals that end before `ms`. */
  dropBefore(ms: number): void {
    const kept = this.#intervals.findIndex(({ endMs }) => endMs >= ms);
    const isOpen = kept === -1 && this.#isSpeech;
    this.#intervals.splice(0, kept === -1 ? this.#intervals.length - Number(isOpen) : kept);
  }

  #updateFloor(level: number): number {
    const last = this.#minima.length - 1;
    this.#minima[last] = Math.min(this.#minima[last] ?? level, level);
    const floor = Math.min(...this.#minima);
    this.#blockMs += this.frameMs;
    if (this.#blockMs >= floorBlockMs) {
      this.#blockMs = 0;
      this.#minima.shift();
      this.#minima.push(levelUnknown);
    }
    return floor;
  }
}

/** Above every level. */
const levelUnknown = 256;
