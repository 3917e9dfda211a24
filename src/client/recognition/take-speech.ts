import { isSilenceText } from "#client/recognition/device/silence-texts.ts";
import {
  measureSpeech,
  type SpeechInterval,
  VoiceActivity,
} from "#client/sound/capture/voice-activity.ts";
import type { RelayToken } from "#shared/relay.ts";
import { lettersPerWord, listComparable } from "#shared/word-units.ts";
import { unspacedScripts } from "#shared/words.ts";
import { findMissedSpeech } from "./missed-speech.ts";

/** Times of words from a server may be so far from their sound. */
const reachMs = 1_000;
/** Until then, the noise of the room is not known. */
const unknownMs = 12_000;
const unspaced = new RegExp(`[${unspacedScripts}]`, "u");
/** So many words, of which so large a share has sound, prove that the level shows when somebody speaks. */
const provingWords = 30;
const provingShare = 0.95;
/** Words that are remembered for it. */
const rememberedWords = 200;
/** Words stay for so long, several times what a room leaves unacknowledged. Only some services have them looked for. */
const wordsKeptMs = 180_000;
/** The level alone takes a cough, and a chair that is moved, for speech. */
const wordlessLimits = { minMs: 2_000, reachMs, pauseMs: 3_000 };

/**
 * Where somebody speaks in a take that is being captured, by the level of its chunks, and where a server has found words.
 * Times are ms on the take's own clock.
 */
export class TakeSpeech {
  readonly #activity: VoiceActivity;
  /** Final words in order, as far back as they are needed. */
  #words: SpeechInterval[] = [];
  /** The last words, and whether the level has shown speech near to them. */
  #heard: { startMs: number; isHeard: boolean }[] = [];
  /** Successive sound that is searched for speech without words. */
  #searched = { fromMs: 0, untilMs: 0 };

  /** `chunkMs`: length of a chunk. */
  constructor(chunkMs: number) {
    this.#activity = new VoiceActivity(chunkMs);
  }

  /** `level`: of the next chunk, 0 to 255. */
  add(level: number): void {
    this.#activity.add(level);
  }

  /** `offsetMs`: how far the clock of the tokens is ahead of the take's own. */
  addWords(tokens: readonly RelayToken[], offsetMs: number): void {
    for (const { is_final, start_ms, end_ms } of tokens) {
      if (!is_final || start_ms === undefined || end_ms === undefined) continue;
      const word = { startMs: start_ms - offsetMs, endMs: end_ms - offsetMs };
      this.#words.push(word);
      if (this.#isKnown(word.startMs, word.endMs))
        this.#heard.push({ startMs: word.startMs, isHeard: this.#measure(word) > 0 });
    }
    this.#heard = this.#heard.slice(-rememberedWords);
    this.#words.sort((a, b) => a.startMs - b.startMs);
    const keptFromMs = (this.#words.at(-1)?.startMs ?? 0) - wordsKeptMs;
    if ((this.#words[0]?.startMs ?? 0) < keptFromMs)
      this.#words = this.#words.filter(({ startMs }) => startMs >= keptFromMs);
  }

  /**
   * Where somebody speaks without words between `fromMs` and `untilMs`, all of whose words have been added. Speech that
   * goes on is told again, with its later end. `isEnd`: no sound follows.
   */
  findWordless(fromMs: number, untilMs: number, isEnd: boolean): SpeechInterval[] {
    const startMs = fromMs > this.#searched.untilMs ? fromMs : this.#searched.fromMs;
    const endMs = isEnd ? untilMs : untilMs - reachMs;
    const { intervals } = this.#activity;
    const found: SpeechInterval[] = [];
    let next: SpeechInterval | null = { startMs, endMs: startMs };
    while (next !== null) {
      next = findMissedSpeech(this.#words, intervals, next.endMs, endMs, wordlessLimits);
      if (next !== null) found.push(next);
    }
    const lastWord = this.#words.findLast((word) => word.startMs <= endMs);
    this.#searched = { fromMs: Math.max(startMs, lastWord?.startMs ?? 0), untilMs };
    this.#words = this.#words.filter((word) => word.startMs >= this.#searched.fromMs);
    return found;
  }

  /**
   * Whether `text`, between two times, is a sentence that a model has invented: one of those that models write in silence,
   * where too little is said for its words, or any other where nobody speaks. Somebody may be too quiet for the level:
   * then the words before have no sound either, and it says nothing.
   */
  isInvented(text: string, startMs: number, endMs: number): boolean {
    if (!this.#isKnown(startMs, endMs)) return false;
    const speechMs = this.#measure({ startMs, endMs });
    const before = this.#heard.filter((word) => word.startMs < startMs);
    const heard = before.filter(({ isHeard }) => isHeard).length;
    const isProven = before.length >= provingWords && heard >= before.length * provingShare;
    if (isProven && speechMs === 0) return true;
    const words = listComparable(text);
    return isSilenceText(
      words,
      words.length / (unspaced.test(text) ? lettersPerWord : 1),
      speechMs,
    );
  }

  /** Speech near to what is said between two times. */
  #measure({ startMs, endMs }: SpeechInterval): number {
    return measureSpeech(this.#activity.intervals, startMs - reachMs, endMs + reachMs);
  }

  /** Whether the level between two times is there, and the noise of the room was known. */
  #isKnown(startMs: number, endMs: number): boolean {
    const { intervals } = this.#activity;
    const isForgotten = startMs - reachMs < (intervals[0]?.startMs ?? 0);
    return endMs <= this.#activity.endMs && startMs >= unknownMs && !isForgotten;
  }
}
