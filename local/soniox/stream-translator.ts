import {
  findSampleLanguage,
  type SpokenLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { toComparable } from "#shared/word-units.ts";
import { getSentenceMark, hasSpaces, toNumberText } from "./number-words.ts";
import { segmentWords } from "./sample-words.ts";

/** `translation` of the start message. */
export type WantedTranslation =
  | { type: "one_way"; target_language: SpokenLanguage }
  | { type: "two_way"; language_a: SpokenLanguage; language_b: SpokenLanguage };

/** A word that has become final. */
export interface HeardWord {
  text: string;
  language: SpokenLanguage;
  speaker: number;
  endsSentence: boolean;
  /** Of the test pattern. */
  number?: number;
  /** Of the sample lecture: the whole sentence in each language, and how much of it has been said, 0 to 1. */
  sentence?: { texts: Readonly<Record<string, string>>; share: number };
}

export interface TranslatedPiece {
  text: string;
  language: SpokenLanguage;
  sourceLanguage: SpokenLanguage;
  speaker: number;
}

/** Words of the pieces that are translated at once, by turns: they end before a sentence does, with it and after it. */
const pieceWords = [3, 5, 2, 7, 4];
/** Sound between a piece's last word and its translation, by turns, ms. */
const lagsMs = [1_000, 2_400, 1_600, 3_000, 1_200];
/** A piece waits no longer for its words, ms. */
const longestPieceMs = 2_500;
/** A piece is provisional for so long before it is final, ms. */
const provisionalMs = 400;

interface Piece {
  dueMs: number;
  translated: TranslatedPiece[];
}

/** A sentence begins with a capital letter, where its script has them. */
const capitalise = (text: string): string => {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
};

/** The service's translations of one stream. They depend on the samples alone, as the words do. */
export class StreamTranslator {
  #open: HeardWord[] = [];
  #firstMs = 0;
  #lastMs = 0;
  #pieces: Piece[] = [];
  #count = 0;
  #readyMs = 0;
  /** Words of the sentence's translation that were given. */
  #given = 0;
  readonly #terms: ReadonlyMap<string, string>;

  constructor(
    private readonly wanted: WantedTranslation,
    terms: readonly { source: string; target: string }[] = [],
  ) {
    this.#terms = new Map(terms.map(({ source, target }) => [toComparable(source), target]));
  }

  /** What speech in `language` is translated into; null: it is only transcribed. */
  getTarget(language: SpokenLanguage): SpokenLanguage | null {
    const { wanted } = this;
    if (wanted.type === "one_way")
      return language === wanted.target_language ? null : wanted.target_language;
    if (language === wanted.language_a) return wanted.language_b;
    return language === wanted.language_b ? wanted.language_a : null;
  }

  /** A word is final, after `nowMs` of sound. */
  add(word: HeardWord, nowMs: number): void {
    if (this.getTarget(word.language) === null) return;
    if (this.#open.length === 0) this.#firstMs = nowMs;
    this.#open.push(word);
    this.#lastMs = nowMs;
    if (this.#open.length >= (pieceWords[this.#count % pieceWords.length] ?? 1)) this.#endPiece();
  }

  /** The translations that are due. */
  takeFinal(nowMs: number): TranslatedPiece[] {
    if (this.#open.length > 0 && nowMs - this.#firstMs >= longestPieceMs) this.#endPiece();
    const due = this.#pieces.filter(({ dueMs }) => dueMs <= nowMs);
    this.#pieces = this.#pieces.slice(due.length);
    return due.flatMap(({ translated }) => translated);
  }

  listProvisional(nowMs: number): TranslatedPiece[] {
    return this.#pieces
      .filter(({ dueMs }) => dueMs - provisionalMs <= nowMs)
      .flatMap(({ translated }) => translated);
  }

  /** All that is left. */
  flush(): TranslatedPiece[] {
    this.#endPiece();
    return this.takeFinal(Number.POSITIVE_INFINITY);
  }

  #endPiece(): void {
    if (this.#open.length === 0) return;
    const words = this.#open;
    this.#open = [];
    const lagMs = lagsMs[this.#count % lagsMs.length] ?? 0;
    this.#count += 1;
    this.#readyMs = Math.max(this.#readyMs, this.#lastMs + lagMs);
    const translated = words.flatMap((word) => this.#translate(word));
    this.#pieces.push({ dueMs: this.#readyMs, translated });
  }

  #translate(word: HeardWord): TranslatedPiece[] {
    const { language: sourceLanguage, speaker } = word;
    const language = this.getTarget(sourceLanguage);
    if (language === null) return [];
    const texts = this.#listWords(word, language);
    const pieces = texts.map((word): TranslatedPiece => {
      const text = this.#given === 0 ? capitalise(word) : word;
      const space = hasSpaces(language) || (this.#given === 0 && language === "th") ? " " : "";
      this.#given += 1;
      return { text: space + text, language, sourceLanguage, speaker };
    });
    if (word.endsSentence) this.#given = 0;
    return pieces;
  }

  #listWords({ text, number, sentence, endsSentence }: HeardWord, target: SpokenLanguage) {
    const sample = target === "en" ? "en" : findSampleLanguage(toTranslationLanguage(target));
    const whole = sample === null ? undefined : sentence?.texts[sample];
    if (whole !== undefined) {
      const words = hasSpaces(target) ? whole.split(" ") : segmentWords(whole, target);
      const until = endsSentence ? words.length : Math.floor(words.length * (sentence?.share ?? 1));
      return words.slice(this.#given, Math.max(this.#given, until));
    }
    const letters = text.replace(/[^\p{L}\p{N}]+$/u, "");
    const mark = endsSentence ? getSentenceMark(target) : "";
    const agreed = this.#terms.get(toComparable(letters));
    if (agreed !== undefined) return [agreed + mark];
    if (number !== undefined) return [toNumberText(number, target, endsSentence)];
    return [`${target}:${letters}${mark}`];
  }
}
