import { findMissedSpeech, wordReachMs } from "#client/recognition/missed-speech.ts";
import {
  measureSpeech,
  type SpeechActivity,
  type SpeechInterval,
} from "#client/sound/capture/voice-activity.ts";
import { listUnits, toComparable } from "#shared/word-units.ts";
import { isUnspaced } from "#shared/words.ts";
import { countAgreed, findJoint, joinWords } from "./agreement.ts";
import { cleanHypothesis, endsSentence } from "./clean-hypothesis.ts";
import type { EarlierWords, RecognitionWindow, WindowResult } from "./recognition-window.ts";
import type { HypothesisWord } from "./speech-model.ts";
import {
  findCuts,
  type HeardSound,
  paddingMs,
  pauseMs,
  skippedMs,
  windowMaxMs,
} from "./window-cuts.ts";

/** Sound before the first word without text that `RecognitionWindows` may ask for, ms. */
const contextMaxMs = 8_000;
/** A window that reaches this length is shortened at its beginning, if words are final. */
const trimMs = 15_000;
/** Final words that begin a shortened window: at least, and at most to reach the beginning of a sentence. */
const contextMs = 1_500;
/** The same for a window whose context may have led the model astray. */
const shortContextMs = 500;
/** Without any pause, the first of two windows that must agree has this length. */
const firstLengthMs = 20_000;
/** Words that end so near to the end of a window may be cut off. */
const edgeMs = 400;
/** A window that ends so far behind speech has its last word whole. */
const settledMs = 150;
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
      text: toComparable(text),
      ...at,
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
      return endMs - this.#endMs >= sound.stepMs ? this.#create(endMs, "speech") : null;
    if (gapEndMs !== null) return this.#create(gapEndMs, "gap");
    const firstEndMs = startMs + firstLengthMs;
    return this.#endMs < firstEndMs
      ? this.#create(firstEndMs, "speech")
      : this.#create(limitMs, "full");
  }

  /** The words that the last window has brought become final, if it had heard all that was said before a pause since. */
  settle(sound: HeardSound): WindowResult | null {
    if (this.#retry !== null || this.#startMs === null || this.#previous.length === 0) return null;
    const speech = sound.activity.intervals.filter(({ endMs }) => endMs > this.#doneMs);
    const { pauseEndMs, speechEndMs } = findCuts(speech, sound, this.#startMs);
    if (pauseEndMs === null || this.#endMs < speechEndMs + settledMs) return null;
    const finals = this.#commit(this.#previous);
    this.#restart(Math.min(pauseEndMs, this.#endMs));
    return { finals, interim: [], endpoint: true, wordless: [] };
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
    const { intervals: speech, voice } = activity;
    const clean = cleanHypothesis(words, { startMs, endMs, speech, voice }, terms);
    const fresh = clean.words.slice(this.#countKnown(window, clean.words));
    const isRetry = this.#retry !== null;
    this.#retry = null;
    if (end !== "speech" && !isRetry && clean.fault !== null) return this.#tryAgain(window);
    const missed = findMissedSpeech(clean.words, speech, this.#doneMs, getHeardMs(window));
    const isMissed = missed !== null && this.#isWorthWindow(missed, window, fresh);
    if (isMissed) return this.#recognizeMissed(window, missed, fresh, speech);
    if (end === "speech") return this.#addAgreed(window, fresh, activity);
    const fromMs = Math.max(this.#doneMs, this.#wordsEndMs);
    const isEmpty =
      fresh.length === 0 &&
      (this.#previous.length > 0 || measureSpeech(speech, fromMs, endMs) >= audibleMs);
    if (!isRetry && isEmpty) return this.#tryAgain(window);
    if (end === "full") return this.#addAgreed(window, fresh, activity);
    const finals = this.#commit(fresh);
    this.#restart(endMs);
    return { finals, interim: [], endpoint: end === "pause", wordless: [] };
  }

  #tryAgain(window: RecognitionWindow): WindowResult {
    this.#retry = this.#createRetry(window);
    return { finals: [], interim: [...this.#previous], endpoint: false, wordless: [] };
  }

  /** Speech that goes on, and has had no words from its beginning, may get them with more sound. */
  #isWorthWindow(
    missed: SpeechInterval,
    { startMs, end }: RecognitionWindow,
    fresh: readonly HypothesisWord[],
  ): boolean {
    const isBehind = fresh.some((word) => word.startMs > missed.startMs);
    const isBeginning = missed.startMs < Math.max(startMs, this.#doneMs) + advanceMinMs;
    return end !== "speech" || isBehind || !isBeginning;
  }

  /**
   * The words before the speech that was missed are final, and a window begins there. If this one began there, the model
   * is asked for exactly that speech; if it was, it has no words.
   */
  #recognizeMissed(
    window: RecognitionWindow,
    missed: SpeechInterval,
    fresh: readonly HypothesisWord[],
    speech: readonly SpeechInterval[],
  ): WindowResult {
    const heardMs = Math.max(window.startMs, this.#doneMs);
    const before = fresh.filter((word) => word.startMs < missed.startMs);
    const finals = this.#commit(
      before.map((word) => ({ ...word, endMs: Math.min(word.endMs, missed.startMs) })),
    );
    // A word reaches no further.
    const nextMs = missed.startMs - wordReachMs;
    const endpoint = finals.length > 0 && nextMs - this.#wordsEndMs >= pauseMs;
    const result = { finals, interim: [], endpoint, wordless: [] };
    if (nextMs >= heardMs + advanceMinMs) {
      this.#restart(nextMs);
      return result;
    }
    this.#restart(Math.max(this.#doneMs, Math.min(nextMs, missed.endMs)));
    const startMs = this.#doneMs;
    const { endMs: missedEndMs } = missed;
    const goesOn = speech.some((one) => one.startMs < missedEndMs && one.endMs > missedEndMs);
    const endMs = Math.min(missedEndMs + (goesOn ? wordReachMs : paddingMs), window.endMs);
    if (window.isExact && endMs > window.endMs - advanceMinMs) {
      this.#restart(window.endMs);
      return { ...result, wordless: [missed] };
    }
    this.#retry = {
      startMs,
      endMs,
      end: "gap",
      prompt: "",
      said: "",
      isRetry: true,
      isExact: true,
    };
    return result;
  }

  #create(endMs: number, end: RecognitionWindow["end"]): RecognitionWindow {
    const startMs = this.#startMs ?? this.#doneMs;
    // Words of another engine, and their times, may differ from what this model hears.
    const hasContext = !this.#isFirst && startMs < this.#doneMs - overlapMinMs;
    const at = hasContext ? this.#tail.findIndex((word) => word.startMs >= startMs) : -1;
    const [before, said] =
      at === -1 ? [this.#tail, []] : [this.#tail.slice(0, at), this.#tail.slice(at)];
    return {
      startMs,
      endMs,
      end,
      prompt: this.#createPrompt(before, startMs),
      said: joinWords(said).trim(),
    };
  }

  /** Most faults come from the prompt and the context: without the one and with little of the other. */
  #createRetry(window: RecognitionWindow): RecognitionWindow {
    const hasContext = !this.#isFirst && window.startMs < this.#doneMs - overlapMinMs;
    const startMs = hasContext
      ? this.#findContext(window.startMs, shortContextMs)
      : Math.max(0, window.startMs - paddingMs / 2);
    return { ...window, startMs, prompt: "", said: "", isRetry: true };
  }

  /** The end of the final words before a window that begins at `startMs`. */
  #createPrompt(before: readonly HypothesisWord[], startMs: number): string {
    if (this.#isFirst) return "";
    const text = joinWords(before).trim();
    // Without the sound of its end, half a sentence is taken for one that something else must follow.
    const hasSound = startMs < this.#wordsEndMs - overlapMinMs;
    if (!hasSound && !endsSentence(text)) return "";
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
    return { finals, interim: [...rest], endpoint: false, wordless: [] };
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

/** The end of what a model can have heard whole: a word at the end of speech that goes on may be cut off. */
const getHeardMs = ({ endMs, end }: RecognitionWindow): number =>
  end === "speech" || end === "full" ? endMs - edgeMs : endMs;
