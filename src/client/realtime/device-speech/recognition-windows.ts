import {
  measureSpeech,
  type SpeechActivity,
  type SpeechInterval,
} from "#client/realtime/audio/voice-activity.ts";
import { listUnits, toComparable } from "#shared/word-units.ts";
import { isUnspaced } from "#shared/words.ts";
import { countAgreed, findJoint, joinWords } from "./agreement.ts";
import { cleanHypothesis, endsSentence } from "./clean-hypothesis.ts";
import type { HypothesisWord } from "./speech-model.ts";

/** Longest window. Below Whisper's 30 s, so that no word is cut off by rounding. */
export const windowMaxMs = 28_000;
/** Sound before the first word without text that `RecognitionWindows` may ask for, ms. */
const contextMaxMs = 8_000;
/** Sound before and after speech, so that no short word and no soft consonant is lost. */
const paddingMs = 300;
/** Silence after which an utterance has ended: all its words become final. */
const pauseMs = 800;
/** Longer silence is left out of a window. */
const skippedMs = 2_000;
/** New sound that is worth another window while somebody speaks. */
const stepMs = 1_000;
/** A window that reaches this length is shortened at its beginning, if words are final. */
const trimMs = 15_000;
/** Final words that begin a shortened window: at least, and at most to reach the beginning of a sentence. */
const contextMs = 1_500;
/** The same for a window whose context may have led the model astray. */
const shortContextMs = 500;
/** Without any pause, the first of two windows that must agree has this length. */
const firstLengthMs = 20_000;
/** A pause between words at which a full window may be cut is not nearer to its beginning. */
const cutMinMs = 10_000;
/** Words that end so near to the end of a window may be cut off. */
const edgeMs = 400;
/** The same where two windows of full length have not agreed. */
const forcedEdgeMs = 4_000;
/** Shortest advance after a window whose words repeat themselves. */
const advanceMinMs = 500;
/** Sound that two windows share by chance, at a pause, has no words. */
const overlapMinMs = 200;
/** A word is as long as this: a model that finds none in so much speech is asked again. */
const audibleMs = 100;
/** How far times of words may differ: of two windows, and of this device and another engine. */
const ownToleranceMs = 150;
const otherToleranceMs = 500;
/** Final words that are remembered: for the joint and as the model's prompt. */
const tailWords = 240;
const promptMaxLength = 200;

/** The sound that is there; times are ms on the take's own clock. */
export interface HeardSound {
  endMs: number;
  /** The take has ended, and all of it is there. */
  hasEnded: boolean;
  /** More of the take can be read now. */
  hasMore: boolean;
  activity: SpeechActivity;
}

/** Sound to be recognised next; times are ms on the take's own clock. */
export interface RecognitionWindow {
  startMs: number;
  endMs: number;
  /**
   * `speech`: somebody speaks on. `full`: also, and no window can be longer. After a `gap` between two words or a `pause`
   * of the speaker all its words are final.
   */
  end: "speech" | "full" | "gap" | "pause";
  /** What was said before, for the model. */
  prompt: string;
  /** It is recognised again, so the model is told nothing that may have misled it. */
  isRetry?: true;
}

/** What a window has brought. */
export interface WindowResult {
  /** New final words; times ascend. */
  finals: HypothesisWord[];
  /** Words after them that may still change. */
  interim: HypothesisWord[];
  /** The speaker has paused after the final words. */
  endpoint: boolean;
}

/** Final words before the first window, by this device or another engine. */
export interface EarlierWords {
  /** Their last words; empty where they are not known. */
  text: string;
  /** Their end, ms. */
  endMs: number;
}

/**
 * Decides which sound of a take a model recognises next, and which of the words it returns become final. Final words are
 * never taken back, and every moment of speech is in the last window of exactly one step of `doneMs`. Knows no time but
 * that of the take, so sound that was recorded long ago gives the same words as sound that is arriving.
 */
export class RecognitionWindows {
  /** Speech before this is final, ms. */
  #doneMs: number;
  /** End of the last final word, ms. */
  #wordsEndMs: number;
  #tail: HypothesisWord[];
  /** The final words are those of another engine, whose times are less certain. */
  #isFirst = true;
  /** Start of the stretch of speech that is recognised; null between two. */
  #startMs: number | null = null;
  /** What the last window returned and is not final. */
  #previous: readonly HypothesisWord[] = [];
  /** End of the last window, ms. */
  #endMs: number;
  /** A window that is recognised again, because its words were not to be trusted. */
  #retry: RecognitionWindow | null = null;

  /** `fromMs`: start of the sound. `earlier`: words of this sound, or of that before it, that are final already. */
  constructor(fromMs: number, earlier: EarlierWords) {
    this.#doneMs = fromMs;
    this.#endMs = fromMs;
    this.#wordsEndMs = earlier.endMs;
    const at = { startMs: earlier.endMs, endMs: earlier.endMs };
    const words = listUnits(earlier.text).map(({ text }) => ({
      ...{ text: toComparable(text), ...at },
      ...(/^\s/u.test(text) ? {} : ({ isJoined: true } as const)),
    }));
    this.#tail = words.filter(({ text }) => text !== "").slice(-tailWords);
  }

  /** Before this, everything is final or silence, ms. */
  get doneMs(): number {
    return this.#doneMs;
  }
  /** Start of the sound that may be needed again, ms. */
  get neededMs(): number {
    return Math.min(this.#startMs ?? this.#doneMs, this.#doneMs) - paddingMs;
  }
  /** End of the sound by which the next window is chosen, ms. */
  get wantedMs(): number {
    return (this.#startMs ?? this.#doneMs) + windowMaxMs + pauseMs + skippedMs;
  }

  /** The next window; null: what is there has nothing to recognise, or more is there up to `wantedMs`. */
  next(sound: HeardSound): RecognitionWindow | null {
    if (this.#retry !== null) return this.#retry;
    const { endMs, hasEnded, activity } = sound;
    const speech = activity.intervals.filter((interval) => interval.endMs > this.#doneMs);
    const first = speech[0];
    if (first === undefined) {
      // What is not decided yet may be the beginning of a word, with its padding.
      const silentMs = hasEnded ? endMs : activity.decidedMs - paddingMs;
      this.#restart(Math.max(this.#doneMs, silentMs));
      return null;
    }
    if (this.#startMs === null) {
      this.#restart(Math.max(this.#doneMs, first.startMs - paddingMs));
      this.#startMs = this.#doneMs;
    }
    if (sound.hasMore && endMs < this.wantedMs) return null;
    const startMs = this.#startMs;
    const limitMs = startMs + windowMaxMs;
    const { pauseEndMs, gapEndMs } = findCuts(speech, sound, startMs);
    if (pauseEndMs !== null) return this.#create(pauseEndMs, "pause");
    // Somebody speaks on: up to now, or beyond the longest window.
    if (endMs < limitMs)
      return endMs - this.#endMs >= stepMs ? this.#create(endMs, "speech") : null;
    if (gapEndMs !== null) return this.#create(gapEndMs, "gap");
    const firstEndMs = startMs + firstLengthMs;
    return this.#endMs < firstEndMs
      ? this.#create(firstEndMs, "speech")
      : this.#create(limitMs, "full");
  }

  /**
   * Takes what the model has returned for `window`; times of `words` are from the window's start. `terms`: what it was
   * told beside the prompt.
   */
  add(
    window: RecognitionWindow,
    words: readonly HypothesisWord[],
    activity: SpeechActivity,
    terms: readonly string[] = [],
  ): WindowResult {
    const { startMs, endMs, end } = window;
    const sound = { startMs, endMs, speech: activity.intervals };
    const clean = cleanHypothesis(words, sound, terms);
    const fresh = clean.words.slice(this.#countKnown(window, clean.words));
    if (end === "speech") return this.#addAgreed(window, fresh, activity);
    const isRetry = this.#retry !== null;
    this.#retry = null;
    const fromMs = Math.max(this.#doneMs, this.#wordsEndMs);
    const isEmpty =
      fresh.length === 0 &&
      (this.#previous.length > 0 || measureSpeech(activity.intervals, fromMs, endMs) >= audibleMs);
    if (!isRetry && (clean.fault !== null || isEmpty)) {
      this.#retry = this.#createRetry(window);
      return { finals: [], interim: [...this.#previous], endpoint: false };
    }
    if (clean.fault === "repeated") {
      const finals = this.#commit(fresh);
      const stoppedMs = Math.max(this.#doneMs + advanceMinMs, this.#wordsEndMs);
      if (stoppedMs < endMs - advanceMinMs) {
        // The sound behind the repetition has no words yet: it gets a window of its own.
        this.#restart(stoppedMs);
        this.#startMs = this.#findContext(startMs, shortContextMs);
        return { finals, interim: [], endpoint: false };
      }
      this.#restart(endMs);
      return { finals, interim: [], endpoint: end === "pause" };
    }
    if (end === "full") return this.#addAgreed(window, fresh, activity);
    const finals = this.#commit(fresh);
    this.#restart(endMs);
    return { finals, interim: [], endpoint: end === "pause" };
  }

  #create(endMs: number, end: RecognitionWindow["end"]): RecognitionWindow {
    const startMs = this.#startMs ?? this.#doneMs;
    return { startMs, endMs, end, prompt: this.#createPrompt(startMs) };
  }

  /** Most faults come from the prompt and the context: without the one and with little of the other. */
  #createRetry(window: RecognitionWindow): RecognitionWindow {
    const hasContext = !this.#isFirst && window.startMs < this.#doneMs - overlapMinMs;
    const startMs = hasContext
      ? this.#findContext(window.startMs, shortContextMs)
      : Math.max(0, window.startMs - paddingMs / 2);
    return { ...window, startMs, prompt: "", isRetry: true };
  }

  /** The final words before `startMs`; those behind it are in the window. */
  #createPrompt(startMs: number): string {
    if (this.#isFirst) return "";
    const before = this.#tail.filter(({ endMs }) => endMs <= startMs + overlapMinMs);
    const text = joinWords(before).trim();
    if (text.length <= promptMaxLength) return text;
    // Without the rest of a word, or of a letter, that the limit has split.
    const rest = isUnspaced(text) ? /^[\udc00-\udfff\p{M}]+/u : /^\S*\s+/u;
    return text.slice(-promptMaxLength).replace(rest, "");
  }

  /** Number of words at the beginning of `words` that are final already. */
  #countKnown({ startMs }: RecognitionWindow, words: readonly HypothesisWord[]): number {
    // Behind a pause nothing was recognised before: a word that is said twice is no repetition.
    if (startMs >= this.#wordsEndMs - overlapMinMs) return 0;
    const before = this.#tail.map(({ text }) => toComparable(text));
    const toleranceMs = this.#isFirst ? otherToleranceMs : ownToleranceMs;
    const after = this.#previous.map(({ text }) => toComparable(text));
    return findJoint(before, words, this.#wordsEndMs, toleranceMs, after);
  }

  /** Somebody speaks on: what two windows agree on is final, and of a full window all that is far from its end. */
  #addAgreed(
    { startMs, endMs, end }: RecognitionWindow,
    fresh: readonly HypothesisWord[],
    activity: SpeechActivity,
  ): WindowResult {
    let count = countAgreed(this.#previous, fresh, endMs - edgeMs);
    if (end === "full") {
      const unstable = fresh.findIndex((word) => word.endMs > endMs - forcedEdgeMs);
      count = Math.max(count, unstable === -1 ? fresh.length : unstable);
    }
    const finals = this.#commit(fresh.slice(0, count));
    const rest = fresh.slice(count);
    this.#previous = rest;
    this.#endMs = endMs;
    // The words that are not final belong to speech that is not done.
    const speechEndMs = activity.intervals.findLast((one) => one.startMs < endMs)?.endMs ?? endMs;
    if (finals.length > 0)
      this.#doneMs = Math.max(this.#doneMs, Math.min(this.#wordsEndMs, speechEndMs - 1));
    if (end === "full") {
      const nextMs = Math.min(rest[0]?.startMs ?? endMs, endMs - forcedEdgeMs);
      // No word is so long that it begins earlier.
      this.#doneMs = Math.max(this.#doneMs, nextMs, endMs - 2 * forcedEdgeMs);
    }
    if (endMs - startMs >= trimMs) this.#startMs = this.#findContext(startMs, contextMs, true);
    return { finals, interim: [...rest], endpoint: false };
  }

  /**
   * Start of a final word at least `lengthMs` before the words that are not final, at the beginning of a sentence where
   * `prefersSentence`. A window that began where a final word ends would have a part of that word.
   */
  #findContext(fromMs: number, lengthMs: number, prefersSentence = false): number {
    const isNear = (word: HypothesisWord) =>
      word.startMs >= this.#doneMs - contextMaxMs && word.startMs <= this.#doneMs - lengthMs;
    const isBeginning = (word: HypothesisWord, index: number) =>
      isNear(word) && endsSentence(this.#tail[index - 1]?.text ?? "");
    const sentence = prefersSentence ? this.#tail.findLast(isBeginning) : undefined;
    const first = sentence ?? this.#tail.findLast(isNear);
    return Math.max(fromMs, first?.startMs ?? this.#doneMs - lengthMs);
  }

  /** The sound before `ms` is done; what follows is recognised for the first time. */
  #restart(ms: number): void {
    this.#doneMs = ms;
    this.#endMs = Math.max(this.#endMs, ms);
    this.#startMs = null;
    this.#previous = [];
  }

  #commit(words: readonly HypothesisWord[]): HypothesisWord[] {
    const finals = words.map((word) => {
      const start = Math.max(word.startMs, this.#wordsEndMs);
      this.#wordsEndMs = Math.max(word.endMs, start);
      return { ...word, startMs: start, endMs: this.#wordsEndMs };
    });
    if (finals.length === 0) return finals;
    this.#tail = [...this.#tail, ...finals].slice(-tailWords);
    this.#isFirst = false;
    return finals;
  }
}

/** Where a window that begins at `startMs` may end: behind the last pause of the speaker, or the last gap, in its reach. */
function findCuts(
  speech: readonly SpeechInterval[],
  { endMs, hasEnded }: HeardSound,
  startMs: number,
): { pauseEndMs: number | null; gapEndMs: number | null } {
  let pauseEndMs: number | null = null;
  let gapEndMs: number | null = null;
  for (const [index, interval] of speech.entries()) {
    const nextMs = speech[index + 1]?.startMs;
    const silenceMs = (nextMs ?? (hasEnded ? Number.POSITIVE_INFINITY : endMs)) - interval.endMs;
    const cutMs = Math.min(interval.endMs + Math.min(paddingMs, silenceMs / 2), endMs);
    if (cutMs > startMs + windowMaxMs) break;
    if (silenceMs >= pauseMs) pauseEndMs = cutMs;
    if (nextMs !== undefined && cutMs - startMs >= cutMinMs) gapEndMs = cutMs;
    if (silenceMs >= skippedMs) break;
  }
  return { pauseEndMs, gapEndMs };
}
