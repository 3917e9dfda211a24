import { sampleWords } from "./sample-lecture.ts";
import { blockMs } from "./tones.ts";

export interface SpokenWord {
  text: string;
  speaker: number;
  startMs: number;
  endMs: number;
}

/** Voice that a word takes: about 400 ms for one of average length, so 2.5 words a second. */
const wordBaseMs = 180;
const letterMs = 45;
/** After this much silence a word that had begun counts as begun with the next voice. */
const forgetStartMs = 1_000;

/** Reads the sample lecture aloud: its place depends on the voiced time so far and on nothing else. */
export class SampleReader {
  private nextIndex = 0;
  private voicedMs = 0;
  private startMs: number | null = null;
  private lastVoiceMs = Number.NEGATIVE_INFINITY;

  /** The verdict on the 10 ms that end at `endMs`; the word that they complete, if any. */
  feed(voiced: boolean, endMs: number): SpokenWord | null {
    if (!voiced) {
      if (endMs - this.lastVoiceMs > forgetStartMs) this.startMs = null;
      return null;
    }
    this.lastVoiceMs = endMs;
    this.startMs ??= endMs - blockMs;
    this.voicedMs += blockMs;
    const getNextWord = this.word();
    if (this.voicedMs < toDurationMs(getNextWord.text)) return null;
    const spoken = { ...getNextWord, startMs: this.startMs, endMs };
    this.nextIndex++;
    this.voicedMs = 0;
    this.startMs = null;
    return spoken;
  }

  /** The word that is being spoken, once half of it is out. */
  get currentWord(): SpokenWord | null {
    const word = this.word();
    return this.startMs !== null && this.voicedMs * 2 >= toDurationMs(word.text)
      ? { ...word, startMs: this.startMs, endMs: this.lastVoiceMs }
      : null;
  }

  /** Where the word being spoken began, or null in silence. */
  get currentStartMs(): number | null {
    return this.startMs;
  }

  private word() {
    return sampleWords[this.nextIndex % sampleWords.length] ?? { text: "", speaker: 0 };
  }
}

const toDurationMs = (text: string) => wordBaseMs + letterMs * text.replace(/[^a-z]/gi, "").length;
