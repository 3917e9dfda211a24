import { type InitialState, toRow } from "#client/lecture/initial-state.ts";
import type { LiveLine, OtherTexts } from "#client/lecture/lecture-document.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { isShallowEqual } from "#client/lib/observable.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import { LivePreview, previewFailed } from "#client/translation/live-preview.ts";
import { RowTranslator } from "#client/translation/row-translator.ts";
import {
  defaultSourceLanguage,
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TargetLanguage,
  toSpokenLanguage,
  unmarkedLanguages,
} from "#shared/languages.ts";
import type { Mark, TranscriptEntry } from "#shared/lecture.ts";
import { sentenceSweepMs } from "#shared/limits.ts";
import type { RelayToken, RelayTokens, RelayTranslation } from "#shared/relay.ts";
import {
  addTokens,
  createPending,
  endCompleteSentence,
  endSentence,
  joinText,
  type Pending,
  type Segmented,
  type Sentence,
} from "#shared/segmentation.ts";
import { countWords } from "#shared/words.ts";
import {
  findOther,
  isSameContent,
  isSameOriginal,
  isSameTranslation,
  type MergedEntry,
  selectOther,
} from "./merge-rows.ts";
import { isOfLiveLine, StreamTranslations, shareTranslation } from "./stream-translations.ts";
import { placeRows, Transcript, type UnplacedRow } from "./transcript.ts";

interface Deps {
  clock: Clock;
  log: Log;
  translate: SessionApi["translate"];
  /** What the lecture is about; read when a request is sent. */
  wordContext(): string;
  /** Row `id` is new, or changed. */
  onRowChange(id: string): void;
  /** A translation that a person wants has failed. */
  onFailed(): void;
  /** An id for a new row. */
  newId(): string;
  /** The speaker of a new row; null: the one that its words name, if they do. */
  findSpeaker?(sentence: Sentence): string | null;
  /** Nobody has said the sentence: it becomes no row. */
  isInvented?(sentence: Sentence): boolean;
}

interface AboutWords {
  /** Rows have speakers. */
  diarization: boolean;
  /** In which they were recognised: words that do not say their language are in the first. */
  languages: TakeLanguages;
  /** Their translations come with them. */
  isTranslated?: boolean;
}

/** Adds words to a transcript, until another source does. */
export interface WordSource {
  addTokens(batch: RelayTokens, about: AboutWords): void;
  /** Turns the pending final text into a row. Interim text is dropped; its tokens come again. */
  endSentence(): void;
  /** The source has no more words. */
  close(): void;
}

/**
 * Turns the provider's tokens into rows and the live line, and has them translated. Words come from one source at a
 * time: `openSource` is the only way to add some.
 */
export class TranscriptWriter {
  readonly transcript = new Transcript(countWords);
  readonly translator: RowTranslator;
  readonly #preview: LivePreview;
  #languages: LanguagePair;
  readonly #isOthers: boolean;
  #pending: Pending;
  #interim: readonly RelayToken[] = [];
  #diarization = false;
  /** Of the last words. */
  #spoken: TakeLanguages | null = null;
  #isTranslated = false;
  readonly #streamed = new StreamTranslations();
  readonly #sweep: Timer;
  #source: { replace(): void } | null = null;

  constructor(
    private readonly deps: Deps,
    initial: Pick<InitialState, "rows" | "finalMs" | "languages" | "access">,
  ) {
    this.#languages = initial.languages;
    this.#isOthers = initial.access !== undefined;
    this.#pending = createPending(initial.finalMs, getFirstLanguage(initial));
    this.#sweep = new Timer(deps.clock);
    this.transcript.append(initial.rows);
    this.translator = new RowTranslator({
      clock: deps.clock,
      log: deps.log,
      translate: deps.translate,
      transcript: this.transcript,
      wordContext: deps.wordContext,
      onRowChange: deps.onRowChange,
      onFailed: deps.onFailed,
    });
    this.#preview = new LivePreview({
      clock: deps.clock,
      translate: deps.translate,
      times: this.translator.times,
      hasWaitingRows: () => this.translator.pendingCount > 0,
      show: (text) => this.#setPreview(text),
    });
    for (const row of initial.rows) {
      if (row.translation === "waiting") this.#requestTranslation(row);
    }
  }

  get languages(): LanguagePair {
    return this.#languages;
  }

  /**
   * The language that row `id` is translated into in a lecture with `targetLanguage`; `none`: it is not translated.
   */
  getRowTarget(
    id: string,
    targetLanguage: TargetLanguage = this.#languages.targetLanguage,
  ): TargetLanguage {
    const row = this.transcript.rowById(id);
    const languages = { ...this.#languages, targetLanguage };
    return (row && getTranslationLanguage(languages, row.spokenIn)) ?? "none";
  }

  /** End of the last final word on the lecture's clock, ms. */
  get finalMs(): number {
    return this.#pending.clockMs;
  }

  /** Words come after all rows from now on, also after those that another device has added. */
  goToEnd(): void {
    const rows = this.transcript.rows();
    const clockMs = rows.reduce((end, row) => Math.max(end, row.endMs), this.finalMs);
    this.#pending = { ...this.#pending, clockMs };
  }

  /** Some text is not in a row yet. */
  get hasLiveText(): boolean {
    return this.transcript.live.get() !== null;
  }

  /**
   * The anchor of a mark on row `position`; null: on the sentence being spoken, or else on the last row. Its time is
   * the sentence's middle, because its bounds may still move a little. A row that ends at 0 was imported without
   * times, and keeps its ordinal.
   */
  getAnchor(position: number | null): Pick<Mark, "atMs" | "position"> {
    const live = position === null ? this.transcript.live.get() : null;
    const row = this.transcript.row(position ?? this.transcript.length - 1);
    if (live === null && row?.endMs === 0) return { atMs: 0, position: row.ordinal };
    const { startMs, endMs } = live
      ? { ...live, endMs: this.#interim.at(-1)?.end_ms ?? this.#pending.clockMs }
      : (row ?? { startMs: 0, endMs: 0 });
    return { atMs: Math.round((startMs + Math.max(startMs, endMs)) / 2), position: null };
  }

  /** Words come from somewhere now. */
  get hasSource(): boolean {
    return this.#source !== null;
  }

  /**
   * Makes the caller the source of words. The one before is told by its `onReplaced`, with its live line turned into
   * rows; what it adds afterwards is ignored.
   */
  openSource(onReplaced: () => void): WordSource {
    const before = this.#source;
    this.#source = null;
    if (before !== null) {
      this.commit();
      before.replace();
    }
    const source = { replace: onReplaced };
    this.#source = source;
    const isCurrent = () => this.#source === source;
    return {
      addTokens: (...batch) => {
        if (isCurrent()) this.#addTokens(...batch);
      },
      endSentence: () => {
        if (isCurrent()) this.endSentence();
      },
      close: () => {
        if (isCurrent()) this.#source = null;
      },
    };
  }

  /** Takes effect with the next sentence. The words that come are in the language of their source. */
  setLanguages(languages: LanguagePair): void {
    this.#languages = languages;
    this.#setPreview("");
    this.#updatePreview();
  }

  #addTokens(
    batch: RelayTokens,
    { diarization, languages, isTranslated = false }: AboutWords,
  ): void {
    this.#diarization = diarization;
    if (!isTranslated && this.#isTranslated) this.translator.endExpecting();
    this.#isTranslated = isTranslated;
    if (this.#spoken === null || !isShallowEqual(this.#spoken, languages)) {
      this.endSentence();
      this.#spoken = languages;
      const { language } = languages;
      if (language !== "detect") this.#pending = { ...this.#pending, language };
    }
    const finals = batch.tokens.filter((token) => token.is_final);
    this.#interim = batch.tokens.filter((token) => !token.is_final);
    this.#apply(
      addTokens(this.#pending, finals, {
        finalMs: batch.audio_final_proc_ms,
        endpoint: batch.endpoint ?? false,
        diarization,
        interim: joinText(this.#interim),
      }),
    );
    for (const translation of batch.translations ?? []) this.#addTranslation(translation);
  }

  /** A sentence's translation from the stream of words. */
  #addTranslation(translation: RelayTranslation): void {
    const { transcript, translator } = this;
    const live = transcript.live.get();
    if (live !== null && isOfLiveLine(translation, live)) {
      const target = getTranslationLanguage(this.#languages, live.spokenIn);
      if (target === translation.language) this.#setPreview(translation.text);
    }
    // All of them: the sound of a take that another one interrupted may be from long ago.
    const rows = this.#streamed.findRows(translation, transcript.rows());
    for (const [row, part] of shareTranslation(translation, rows)) translator.accept(row.id, part);
  }

  /** The stream of words translates what is said in `language`. */
  #isExpected(language: SpokenLanguage): boolean {
    const { sourceLanguage, targetLanguage, isTwoWay } = this.#languages;
    if (!this.#isTranslated || unmarkedLanguages.includes(language)) return false;
    // Of two languages, a third one is only written.
    const isThird =
      isTwoWay &&
      targetLanguage !== "none" &&
      language !== sourceLanguage &&
      language !== toSpokenLanguage(targetLanguage);
    return !isThird && getTranslationLanguage(this.#languages, language) !== null;
  }

  /** Turns all remaining text into rows, interim text included: no more tokens will come. */
  commit(): void {
    const rest = addTokens(this.#pending, this.#interim, {
      finalMs: this.#pending.clockMs,
      endpoint: false,
      diarization: this.#diarization,
      interim: "",
    });
    this.#interim = [];
    this.#apply(rest);
    this.endSentence();
    this.translator.endExpecting();
  }

  /** As in `WordSource`. */
  endSentence(): void {
    this.#interim = [];
    this.#apply(endSentence(this.#pending));
  }

  /** Shows `entries` in place of the rows with their ids, and no longer `deletedIds`. The live line is not affected. */
  updateRows(entries: readonly MergedEntry[], deletedIds: readonly string[]): void {
    const { transcript, translator } = this;
    const rows = new Map<string, UnplacedRow>(transcript.rows().map((row) => [row.id, row]));
    for (const id of deletedIds) {
      translator.cancel(id);
      rows.delete(id);
    }
    for (const entry of entries) {
      const { id, speaker, startMs, endMs, ordinal } = entry;
      const before = this.getEntry(id);
      const row = rows.get(id);
      const other = selectOther(entry, { ...row?.other, ...entry.other });
      if (row && before && isSameOriginal(before, entry) && isSameTranslation(before, entry)) {
        const { author = "" } = entry;
        const hasSameAuthor = author === (row.author ?? "");
        const isSame =
          isSameContent(before, entry) && row.ordinal === ordinal && hasSameAuthor && !entry.other;
        const named = hasSameAuthor ? row : { ...row, author };
        if (!isSame) rows.set(id, { ...named, speaker, startMs, endMs, ordinal, other });
      } else {
        translator.cancel(id);
        rows.set(id, { ...toRow(entry, this.#languages), other });
      }
    }
    transcript.replaceAll(placeRows([...rows.values()]));
    translator.onMoved();
    for (const { id } of entries) {
      const row = transcript.rowById(id);
      if (row?.translation === "waiting" && !translator.isRequested(id))
        this.#requestTranslation(row);
    }
  }

  /** Row `id` offers what another person has written in it since `base`, and a correction has replaced. */
  offerOther(id: string, versions: Parameters<typeof findOther>[1]): void {
    const row = this.transcript.rowById(id);
    const other = row && findOther(row, versions);
    if (other) this.transcript.change(id, { other: { ...row.other, ...other } });
  }

  /** Row `id` no longer offers the other person's texts that are its own now, nor that of `field`. */
  dropOther(id: string, field?: keyof OtherTexts): void {
    const row = this.transcript.rowById(id);
    if (row?.other === undefined) return;
    const other = field ? { ...row.other, [field]: "" } : row.other;
    this.transcript.change(id, { other: selectOther(row, other) });
  }

  /**
   * Row `id` as it is saved. While it waits for its translation, it is saved without an old one but with the language of the
   * new one, so that a page that closes meanwhile does not leave a translation of other words.
   */
  getEntry(id: string): Omit<TranscriptEntry, "seq"> | undefined {
    const row = this.transcript.rowById(id);
    if (row === undefined) return undefined;
    const { position: _, translation, placeholder: _placeholder, other: _other, ...entry } = row;
    if (translation !== "waiting") return entry;
    const translatedInto = this.translator.getLanguage(id) ?? row.translatedInto;
    return { ...entry, translated: "", translatedInto, translatedByHand: false };
  }

  dispose(): void {
    this.#sweep.cancel();
    this.#preview.clear();
    this.translator.dispose();
  }

  #apply({ pending, sentences }: Segmented): void {
    this.#pending = pending;
    this.#addRows(sentences.filter((sentence) => !this.deps.isInvented?.(sentence)));
    const live = this.#createLiveLine(sentences.length > 0);
    this.transcript.setLive(live);
    if (live === null) this.#preview.clear();
    else this.#updatePreview();
    this.#scheduleSweep();
  }

  #addRows(sentences: readonly Sentence[]): void {
    if (sentences.length === 0) return;
    this.#preview.clear();
    const livePreview = this.transcript.live.get()?.preview ?? "";
    const text = livePreview === previewFailed ? "" : livePreview;
    const ordinal = this.transcript.nextOrdinal;
    const rows = sentences.map((sentence, index): UnplacedRow => {
      const language = getTranslationLanguage(this.#languages, sentence.spokenIn);
      const row = {
        ...sentence,
        id: this.deps.newId(),
        ordinal: ordinal + index,
        originalByHand: false,
        speaker: this.deps.findSpeaker?.(sentence) ?? sentence.speaker,
        translated: "",
        translatedInto: null,
        translatedByHand: false,
      };
      if (language === null) return { ...row, translation: "none" };
      // The live line began with the first sentence.
      const placeholder = { language, text: index === 0 ? text : "" };
      return { ...row, translation: "waiting", placeholder };
    });
    if (this.transcript.add(rows)) this.translator.onMoved();
    for (const { id, spokenIn, startMs, endMs } of rows) {
      const isExpected = this.#isExpected(spokenIn);
      this.translator.request(id, this.getRowTarget(id), isExpected ? "expected" : "spoken");
      const translation = isExpected ? this.#streamed.takeFor({ startMs, endMs }) : undefined;
      if (translation) this.translator.accept(id, translation);
      this.deps.onRowChange(id);
    }
  }

  /** A waiting row may already have the language of its translation. */
  #requestTranslation({ id, translated, translatedInto }: UnplacedRow): void {
    // The owner's page does that, and each reader's would do it again.
    if (this.#isOthers) return;
    const requested = translated === "" ? translatedInto : null;
    this.translator.request(id, requested ?? this.getRowTarget(id));
  }

  /** The language of the sentence being spoken. */
  get #liveLanguage(): SpokenLanguage {
    const { pieces, language } = this.#pending;
    return pieces.length > 0 ? language : (this.#interim[0]?.language ?? language);
  }

  #setPreview(preview: string): void {
    const live = this.transcript.live.get();
    if (live !== null) this.transcript.setLive({ ...live, preview });
  }

  #updatePreview(): void {
    const spokenIn = this.#liveLanguage;
    if (this.#isExpected(spokenIn)) return;
    const target = getTranslationLanguage(this.#languages, spokenIn) ?? "none";
    this.#preview.update(this.#getLiveText(), spokenIn, target);
  }

  #getLiveText(): string {
    return joinText(this.#pending.pieces) + joinText(this.#interim);
  }

  #createLiveLine(begun: boolean): LiveLine | null {
    const { pieces, speaker, clockMs } = this.#pending;
    const finalText = joinText(pieces).trimStart();
    const interim = joinText(this.#interim);
    if (finalText === "" && interim.trim() === "") return null;
    const [first] = this.#interim;
    const interimSpeaker = this.#diarization ? (first?.speaker ?? speaker) : null;
    return {
      finalText,
      interimText: finalText === "" ? interim.trimStart() : interim,
      speaker: finalText === "" ? interimSpeaker : speaker,
      startMs: pieces[0]?.startMs ?? Math.round(first?.start_ms ?? clockMs),
      spokenIn: this.#liveLanguage,
      preview: begun ? "" : (this.transcript.live.get()?.preview ?? ""),
    };
  }

  #scheduleSweep(): void {
    if (this.#sweep.isRunning || this.#pending.pieces.length === 0) return;
    this.#sweep.start(sentenceSweepMs, () => {
      const segmented = endCompleteSentence(this.#pending, joinText(this.#interim));
      if (segmented.sentences.length > 0) this.#apply(segmented);
      else this.#scheduleSweep();
    });
  }
}

/** The language of words that come without one: the lecture's, or that of its last row. */
function getFirstLanguage({
  rows,
  languages,
}: Pick<InitialState, "rows" | "languages">): SpokenLanguage {
  const { sourceLanguage } = languages;
  if (sourceLanguage !== "detect") return sourceLanguage;
  return rows.at(-1)?.spokenIn ?? defaultSourceLanguage;
}
