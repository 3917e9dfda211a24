import type { SpokenLanguage } from "#shared/languages.ts";
import type { RelayToken } from "#shared/relay.ts";
import {
  addTokens,
  createPending,
  endCompleteSentence,
  endSentence,
  joinText,
  type Pending,
  type Sentence,
} from "#shared/segmentation.ts";
import { getSentenceFinder } from "#shared/sentences.ts";

/**
 * Which translation belongs to which sentence. The provider translates in its stream: translated tokens follow those of
 * which they are made, in their order, in pieces that end anywhere, and without times. So sentences of both languages are
 * counted. What shows that the count is wrong, because a translation has joined two sentences or divided one, makes the
 * sentences since the last proof doubtful.
 *
 * A proof is the end of a translation at a time at which only one sentence can have been translated: the sentence before
 * has ended more than `lagMs` earlier, and the one after has not ended.
 */

/** So much sound after its end, a sentence has its translation. The service needs one to three seconds. */
const lagMs = 8_000;
/** So much sound after the last translated token, no more come: after one that ends a sentence, and after any. */
const quietAfterEndMs = 700;
const quietMs = 1_500;
/** Older sentences are not doubted any more. */
const doubtfulForMs = 180_000;

/** A translated token; it has no times. */
interface TranslatedToken {
  text: string;
  isFinal: boolean;
  /** Null where the provider does not say it. */
  sourceLanguage: SpokenLanguage | null;
}

/** A token of one message, in order: words as they are delivered, on the lecture's clock, or a translation. */
export type AlignedToken =
  | { kind: "word"; token: RelayToken; isTranslated: boolean }
  | ({ kind: "translation" } & TranslatedToken);

/** `final`: the sentence has its whole translation. `doubtful`: it may be another sentence's, at least in part. */
export interface SentenceTranslation {
  startMs: number;
  endMs: number;
  spokenIn: SpokenLanguage;
  text: string;
  state: "interim" | "final" | "doubtful";
}

interface Entry extends Pick<Sentence, "startMs" | "endMs" | "spokenIn"> {
  text: string;
  isDone: boolean;
  isDoubtful: boolean;
}

/** State of one session's alignment. */
export interface Alignment {
  readonly pending: Pending;
  /** The middles of words that are translated and in no sentence yet. */
  readonly middles: readonly number[];
  /** Sentences since the last proof, in order. */
  readonly entries: readonly Entry[];
  /** The entry to which the next translation belongs; their number: the pending sentence. */
  readonly cursor: number;
  /** The pending sentence's translation, as far as it is there: whole, if the sentence has no more than so many characters. */
  readonly ahead: { text: string; wholeLength: number };
  /** Translation whose sentence has not ended. */
  readonly rest: string;
  /** Until the next proof, it is not known which sentence the translations belong to. */
  readonly isLost: boolean;
  /** The last sentence before `entries`. */
  readonly proven: Entry | null;
  /** When the last translated token came, and the last word ended. */
  readonly translatedAt: number;
  readonly spokenMs: number;
  /** What was reported of the pending sentence last. */
  readonly preview: string;
}

const noText: Alignment["ahead"] = { text: "", wholeLength: 0 };

export const createAlignment = (startMs: number, language: SpokenLanguage): Alignment => ({
  pending: createPending(startMs, language),
  middles: [],
  entries: [],
  cursor: 0,
  ahead: noText,
  rest: "",
  isLost: false,
  proven: null,
  translatedAt: Number.NEGATIVE_INFINITY,
  spokenMs: startMs,
  preview: "",
});

interface AlignmentInput {
  tokens: readonly AlignedToken[];
  /** The provider has heard so far, ms on the lecture's clock. */
  processedMs: number;
  finalMs: number;
  /** The speaker has paused. */
  endpoint: boolean;
  diarization: boolean;
  /** Words say their language. */
  identifiesLanguage: boolean;
  getTarget(spokenIn: SpokenLanguage): SpokenLanguage | null;
  /** No more words belong to the pending sentence. */
  isLast: boolean;
  /** No more translations come. */
  isEnd: boolean;
}

/** Adds a message; `changes` has what it says of sentences, in order. */
export function align(
  before: Alignment,
  input: AlignmentInput,
): { alignment: Alignment; changes: SentenceTranslation[] } {
  const step = new AlignmentStep(before, input);
  return { alignment: step.run(), changes: step.listChanges() };
}

/** Up to here on the lecture's clock, all that is translated has its translation; `Infinity`: all has. */
export function getTranslatedMs({ entries, cursor, pending, middles }: Alignment): number {
  const waiting = entries.slice(cursor).find(({ isDone }) => !isDone);
  if (waiting) return waiting.startMs;
  const isWaiting = middles.length > 0 && pending.pieces.length > 0;
  return isWaiting ? (pending.pieces[0]?.startMs ?? Infinity) : Infinity;
}

/** What has come may be all: the last sentence's translation has an end. */
export function mayBeTranslated({ entries, cursor, rest }: Alignment, target: SpokenLanguage) {
  return cursor >= entries.length - 1 && hasEnded(target, rest);
}

const hasEnded = (language: SpokenLanguage, text: string): boolean => {
  if (text.trim() === "") return false;
  const end = getSentenceFinder(language)(text, 0, true);
  return end !== null && text.slice(end).trim() === "";
};

class AlignmentStep {
  #pending: Pending;
  #middles: number[];
  #entries: Entry[];
  #cursor: number;
  #ahead: Alignment["ahead"];
  #rest: string;
  #isLost: boolean;
  #proven: Entry | null;
  #translatedAt: number;
  #spokenMs: number;
  #preview: string;
  #interim = "";
  readonly #changed = new Set<Entry>();
  #pendingChange: SentenceTranslation | null = null;

  constructor(
    before: Alignment,
    private readonly input: AlignmentInput,
  ) {
    this.#pending = before.pending;
    this.#middles = [...before.middles];
    this.#entries = before.entries.map((entry) => ({ ...entry }));
    this.#cursor = before.cursor;
    this.#ahead = before.ahead;
    this.#rest = before.rest;
    this.#isLost = before.isLost;
    this.#proven = before.proven && { ...before.proven };
    this.#translatedAt = before.translatedAt;
    this.#spokenMs = before.spokenMs;
    this.#preview = before.preview;
  }

  run(): Alignment {
    const { tokens, processedMs, endpoint, isLast, isEnd } = this.input;
    let interimWords = "";
    for (const token of tokens) {
      if (token.kind === "translation") {
        if (token.isFinal) this.#addTranslation(token);
        else this.#interim += token.text;
      } else if (token.token.is_final) this.#addWord(token.token, token.isTranslated);
      else interimWords += token.token.text;
    }
    const isPause = interimWords === "" && processedMs - this.#pending.clockMs >= quietMs;
    if (isLast) this.#addSentences(endSentence(this.#pending));
    else if (endpoint || isPause || interimWords !== "")
      this.#addSentences(
        endCompleteSentence(this.#pending, endpoint ? "" : interimWords, endpoint || isPause),
      );
    const quietForMs = processedMs - this.#translatedAt;
    if (this.#interim === "" && (isEnd || quietForMs >= quietAfterEndMs)) this.#endRest();
    const isQuiet = interimWords === "" && quietForMs >= quietMs;
    const isOver = isQuiet && processedMs - this.#spokenMs >= lagMs;
    if (isOver || isEnd) this.#close();
    this.#forget();
    this.#updatePreview();
    return {
      pending: this.#pending,
      middles: this.#middles,
      entries: this.#entries,
      cursor: this.#cursor,
      ahead: this.#ahead,
      rest: this.#rest,
      isLost: this.#isLost,
      proven: this.#proven,
      translatedAt: this.#translatedAt,
      spokenMs: this.#spokenMs,
      preview: this.#preview,
    };
  }

  listChanges(): SentenceTranslation[] {
    const changes = [...this.#changed].map(
      ({ startMs, endMs, spokenIn, text, isDone, isDoubtful }): SentenceTranslation => ({
        startMs,
        endMs,
        spokenIn,
        text: text.trim(),
        state: isDoubtful ? "doubtful" : isDone ? "final" : "interim",
      }),
    );
    return this.#pendingChange ? [...changes, this.#pendingChange] : changes;
  }

  #addWord(token: RelayToken, isTranslated: boolean): void {
    const { finalMs, diarization, identifiesLanguage } = this.input;
    const { language: _, ...rest } = token;
    const word = identifiesLanguage ? token : rest;
    const { start_ms: startMs = finalMs, end_ms: endMs = startMs } = token;
    if (isTranslated && token.text.trim() !== "") this.#middles.push((startMs + endMs) / 2);
    this.#spokenMs = Math.max(this.#spokenMs, endMs);
    const options = { finalMs, endpoint: false, diarization, interim: "" };
    this.#addSentences(addTokens(this.#pending, [word], options));
  }

  #addSentences({ pending, sentences }: ReturnType<typeof addTokens>): void {
    this.#pending = pending;
    for (const { startMs, endMs, spokenIn, original } of sentences) {
      const isTranslated = this.#middles.some((ms) => ms <= endMs);
      this.#middles = this.#middles.filter((ms) => ms >= endMs);
      if (!isTranslated || this.input.getTarget(spokenIn) === null) continue;
      const isNext = this.#cursor === this.#entries.length;
      const { text, wholeLength } = isNext ? this.#ahead : noText;
      const entry = { startMs, endMs, spokenIn, text, isDone: false, isDoubtful: false };
      this.#entries.push(entry);
      if (!isNext) continue;
      this.#ahead = noText;
      if (original.length <= wholeLength) this.#finish(entry);
      else if (text !== "" || this.#rest !== "") this.#changed.add(entry);
    }
  }

  #addTranslation({ text, sourceLanguage }: TranslatedToken): void {
    const { processedMs } = this.input;
    this.#translatedAt = processedMs;
    if (sourceLanguage !== null && this.input.identifiesLanguage && !this.#goTo(sourceLanguage)) {
      const before = this.#entries[this.#cursor - 1] ?? this.#proven;
      if (before?.spokenIn !== sourceLanguage) return;
      before.text += text;
      this.#changed.add(before);
      return;
    }
    const next = this.#entries[this.#cursor];
    if (next && next.endMs < processedMs - lagMs) this.#skipOld();
    this.#rest += text;
    const spokenIn = this.#entries[this.#cursor]?.spokenIn ?? this.#pending.language;
    const target = this.input.getTarget(spokenIn);
    if (target === null) return;
    const find = getSentenceFinder(target);
    for (;;) {
      const end = find(this.#rest, 0, false);
      if (end === null) break;
      const sentence = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end);
      this.#endTranslation(sentence);
    }
    const entry = this.#entries[this.#cursor];
    if (entry && this.#rest !== "") this.#changed.add(entry);
  }

  /** A translation has no mark at its end, or nothing has followed that. */
  #endRest(): void {
    const entry = this.#entries[this.#cursor];
    const spokenIn = entry?.spokenIn ?? this.#pending.language;
    const target = this.input.getTarget(spokenIn);
    if (target === null || !hasEnded(target, this.#rest)) return;
    if (!entry && !this.#isPendingWhole && !this.#isAfterLast) return;
    const rest = this.#rest;
    this.#rest = "";
    this.#endTranslation(rest);
  }

  /** What is translated now belongs to the last sentence: nothing has been said since. */
  get #isAfterLast(): boolean {
    return this.#cursor === this.#entries.length && this.#pending.pieces.length === 0;
  }

  get #isPendingWhole(): boolean {
    return hasEnded(this.#pending.language, joinText(this.#pending.pieces));
  }

  #endTranslation(text: string): void {
    const entry = this.#entries[this.#cursor];
    if (entry) {
      entry.text += text;
      this.#finish(entry);
      return;
    }
    const before = this.#entries.at(-1) ?? this.#proven;
    const oldestMs = this.input.processedMs - lagMs;
    const isWhole = this.#isPendingWhole;
    if (this.#isAfterLast && before !== null) {
      before.text += text;
      this.#changed.add(before);
      const second = this.#entries.length > 0 ? (this.#entries.at(-2) ?? this.#proven) : null;
      if (second === null || second.endMs < oldestMs) return;
    } else {
      const wholeLength = isWhole ? joinText(this.#pending.pieces).trim().length : 0;
      this.#ahead = { text: this.#ahead.text + text, wholeLength };
      if (isWhole || before === null || before.endMs < oldestMs) return;
    }
    // The translation has divided a sentence: this one, or one before, whose translation has ended too early.
    this.#lose();
    if (this.#proven) this.#markDoubtful(this.#proven);
  }

  /** The entry at the cursor has its translation. */
  #finish(entry: Entry): void {
    const { processedMs } = this.input;
    const before = this.#entries[this.#cursor - 1] ?? this.#proven;
    const isOnlyOne =
      (before === null || before.endMs < processedMs - lagMs) &&
      this.#cursor + 1 === this.#entries.length &&
      !this.#isPendingWhole;
    this.#cursor += 1;
    entry.isDone = true;
    entry.isDoubtful = this.#isLost;
    this.#changed.add(entry);
    if (isOnlyOne) this.#prove();
  }

  /** Goes on to the next sentence in the language of a translation. False: there is none. */
  #goTo(sourceLanguage: SpokenLanguage): boolean {
    const current = this.#entries[this.#cursor];
    if ((current?.spokenIn ?? this.#pending.language) === sourceLanguage) return true;
    const ahead = this.#entries.findIndex(
      ({ spokenIn }, index) => index > this.#cursor && spokenIn === sourceLanguage,
    );
    const isPending = ahead === -1 && current && this.#pending.language === sourceLanguage;
    if (ahead === -1 && !isPending) return false;
    const next = ahead === -1 ? this.#entries.length : ahead;
    while (this.#cursor < next) {
      const entry = this.#entries[this.#cursor];
      if (!entry) break;
      const isMissing = entry.text === "" && this.#rest.trim() === "";
      entry.text += this.#rest;
      this.#rest = "";
      if (isMissing) this.#lose();
      this.#finish(entry);
    }
    // The language says which sentence it is.
    if (this.#isLost) this.#prove();
    return true;
  }

  /** The next translation is of a later sentence than the count says: one has been joined with another. */
  #skipOld(): void {
    const oldestMs = this.input.processedMs - lagMs;
    while ((this.#entries[this.#cursor]?.endMs ?? Infinity) < oldestMs) {
      const entry = this.#entries[this.#cursor];
      if (entry) this.#markDoubtful(entry);
      this.#cursor += 1;
    }
    this.#lose();
  }

  #lose(): void {
    this.#isLost = true;
    for (const entry of this.#entries.slice(0, this.#cursor)) this.#markDoubtful(entry);
  }

  #markDoubtful(entry: Entry): void {
    if (entry.isDoubtful) return;
    entry.isDoubtful = true;
    entry.isDone = true;
    this.#changed.add(entry);
  }

  /** What is before the cursor is certain, or known to be doubtful. */
  #prove(): void {
    this.#isLost = false;
    this.#proven = this.#entries[this.#cursor - 1] ?? this.#proven;
    this.#entries = this.#entries.slice(this.#cursor);
    this.#cursor = 0;
  }

  /** Nobody speaks, and no more translations come. */
  #close(): void {
    if (this.#isAfterLast && this.#rest.trim() !== "") {
      const rest = this.#rest;
      this.#rest = "";
      this.#endTranslation(rest);
    }
    const entry = this.#entries[this.#cursor];
    if (entry && (entry.text + this.#rest).trim() !== "") {
      entry.text += this.#rest;
      this.#rest = "";
      this.#finish(entry);
    }
    if (this.#cursor < this.#entries.length) {
      this.#lose();
      for (const missing of this.#entries) this.#markDoubtful(missing);
      this.#cursor = this.#entries.length;
    }
    // A sentence that has not ended goes on later.
    if (this.#pending.pieces.length === 0) this.#prove();
  }

  #forget(): void {
    const oldestMs = this.input.processedMs - doubtfulForMs;
    const count = this.#entries.findIndex(({ endMs }) => endMs >= oldestMs);
    const old = Math.min(this.#cursor, count === -1 ? this.#entries.length : count);
    if (old === 0) return;
    this.#proven = this.#entries[old - 1] ?? this.#proven;
    this.#entries = this.#entries.slice(old);
    this.#cursor -= old;
  }

  /** What comes behind a sentence's end is the next one's. */
  #cutSentence(spokenIn: SpokenLanguage, text: string): string {
    const target = this.input.getTarget(spokenIn);
    const end = target && getSentenceFinder(target)(text, 0, false);
    return end === null ? text : text.slice(0, end);
  }

  #updatePreview(): void {
    const live = this.#rest + this.#interim;
    const entry = this.#entries[this.#cursor];
    if (entry) {
      if (this.#changed.has(entry) || this.#interim !== "") {
        this.#changed.delete(entry);
        this.#changed.add({ ...entry, text: entry.text + this.#cutSentence(entry.spokenIn, live) });
      }
      this.#preview = "";
      return;
    }
    const text = (this.#ahead.text + live).trim();
    const [first] = this.#pending.pieces;
    if (text === this.#preview || first === undefined) return;
    this.#preview = text;
    const { clockMs: endMs, language: spokenIn } = this.#pending;
    this.#pendingChange = { startMs: first.startMs, endMs, spokenIn, text, state: "interim" };
  }
}
