import { levelsPerDb } from "#client/sound/capture/level.ts";

/** Gaps between words, and within some consonants, are shorter than this. */
const hangOverMs = 300;
/** Intervals that are kept when nobody drops them. */
const intervalsMax = 1_024;

/** Speech begins this far above the noise, and goes on until it is this near to it, in steps of a level. */
const enterAbove = 9 * levelsPerDb;
const leaveAbove = 5 * levelsPerDb;
/** A click is shorter than this. */
const clickMs = 40;
/** The noise is the quietest moment of this time: nobody speaks so long without a breath. */
const floorBlocks = 12;
const floorBlockMs = 1_000;
/** Noise before anything is known of it (-35 dB): what is louder by `enterAbove` counts as speech from the first frame. */
const firstFloor = 25 * levelsPerDb;

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

/** Where there is speech in a sound whose frames have been examined; times are ms on the sound's own clock. */
export interface SpeechActivity {
  /** End of the last frame, ms. */
  readonly endMs: number;
  /** Somebody speaks, or has just now. */
  readonly isSpeech: boolean;
  /** In order, with gaps of at least 300 ms. The last one grows while `isSpeech`. */
  readonly intervals: readonly SpeechInterval[];
  /** Where a voice is certain, in order, with shorter gaps. */
  readonly voice: readonly SpeechInterval[];
  /** From here on, frames that were taken already may still turn out to be the beginning of speech, ms. */
  readonly decidedMs: number;
  /** Forgets intervals that end before `ms`. */
  dropBefore(ms: number): void;
}

/** Joins frames in which there may be speech to intervals. */
export class SpeechIntervals implements SpeechActivity {
  /** Successive frames that begin speech, and are too few to be speech. */
  #onsetMs = 0;
  #isSpeech = false;
  #endMs: number;
  readonly #intervals: SpeechInterval[] = [];

  /** `frameMs`: length of each frame. `onsetMinMs`: what is shorter is no speech. `startMs`: where the first frame begins. `gapMs`: longer gaps divide speech. */
  constructor(
    protected readonly frameMs: number,
    private readonly onsetMinMs: number,
    startMs: number,
    private readonly gapMs = hangOverMs,
  ) {
    this.#endMs = startMs;
  }

  get endMs(): number {
    return this.#endMs;
  }
  get isSpeech(): boolean {
    return this.#isSpeech;
  }
  get intervals(): readonly SpeechInterval[] {
    return this.#intervals;
  }
  get voice(): readonly SpeechInterval[] {
    return this.#intervals;
  }
  get decidedMs(): number {
    return this.#endMs - this.#onsetMs;
  }

  dropBefore(ms: number): void {
    const kept = this.#intervals.findIndex(({ endMs }) => endMs >= ms);
    const isOpen = kept === -1 && this.#isSpeech;
    this.#intervals.splice(0, kept === -1 ? this.#intervals.length - Number(isOpen) : kept);
  }

  /** Takes the next frame: it is like the beginning of speech, or at least as speech that goes on. */
  protected addFrame(isBeginning: boolean, isContinued: boolean): void {
    this.#endMs += this.frameMs;
    if (this.#isSpeech) {
      const current = this.#intervals.at(-1);
      if (current === undefined) return;
      if (isContinued)
        this.#intervals[this.#intervals.length - 1] = { ...current, endMs: this.#endMs };
      else if (this.#endMs - current.endMs >= this.gapMs) this.#isSpeech = false;
      return;
    }
    this.#onsetMs = isBeginning ? this.#onsetMs + this.frameMs : 0;
    if (this.#onsetMs < this.onsetMinMs) return;
    this.#intervals.push({ startMs: this.#endMs - this.#onsetMs, endMs: this.#endMs });
    if (this.#intervals.length > intervalsMax) this.#intervals.shift();
    this.#isSpeech = true;
    this.#onsetMs = 0;
  }
}

/**
 * Tells speech from noise by the level alone (`measureLevel`), with a noise floor that follows the room. It takes frames
 * of 10 to 300 ms, so a chunk's level is enough to tell that somebody speaks. Noise and music count as speech.
 *
 * @example
 * const activity = new VoiceActivity(chunkMs.pcm_s16le);
 * for (const level of levels) activity.add(level);
 * measureSpeech(activity.intervals, lastResultMs, activity.endMs); // speech since the last result
 */
export class VoiceActivity extends SpeechIntervals {
  /** The lowest level of each second, the newest last. */
  readonly #minima: number[] = Array<number>(floorBlocks).fill(firstFloor);
  #blockMs = 0;

  /** `frameMs`: length of each frame. `startMs`: where the first one begins. */
  constructor(frameMs: number, startMs = 0) {
    super(frameMs, clickMs, startMs);
  }

  /** `level`: 0 to 255. */
  add(level: number): void {
    const floor = this.#updateFloor(level);
    this.addFrame(level >= floor + enterAbove, level >= floor + leaveAbove);
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
