import type {
  MissingTranslations,
  RowPlaceholder,
  TranscriptRow,
} from "#client/lecture/lecture-document.ts";
import type { RowChange, Transcript } from "#client/lecture/rows/transcript.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import type { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { isShallowEqual, type Observable } from "#client/lib/observable.ts";
import { previousContext } from "#shared/context.ts";
import {
  getTranslationLanguage,
  isSameLanguage,
  type LanguagePair,
  type TargetLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { entryTextMaxLength } from "#shared/limits.ts";
import type { RelayTranslation } from "#shared/relay.ts";
import { selectFormulas } from "#shared/row-formulas.ts";
import { translationFailed, untranslatableFragment } from "#shared/words.ts";
import { AnswerTimes } from "./answer-times.ts";
import { type TranslationJob, TranslationQueue } from "./translation-queue.ts";
import { NoTranslatorError, SiteError } from "./translator-list.ts";
import { TranslatorRows } from "./translator-rows.ts";
import { waitingBarMs } from "./waiting-rows.ts";

interface Deps {
  clock: Clock;
  log: Log;
  translate: SessionApi["translate"];
  transcript: Transcript;
  /** What the lecture is about; read when a request is sent. */
  wordContext(): string;
  onRowChange(id: string): void;
  onFailed(): void;
}

interface Correction {
  original?: string;
  translated?: string;
}

function toReason(error: ApiError): MissingTranslations["reason"] {
  if (error instanceof NoTranslatorError) return "none";
  return error instanceof SiteError ? "site" : error.code;
}

interface RowJob extends TranslationJob {
  /**
   * Why the row is translated. When a `whole` lecture is, a row whose request fails keeps its old translation. `expected`:
   * its translation comes with its words, and is waited for first. `doubtful`: it has come, and may be another row's.
   */
  readonly reason: "spoken" | "requested" | "whole" | "expected" | "doubtful";
}

/** So long a translation that comes with the words is waited for: as long as a row shows that it comes. */
const expectedForMs = waitingBarMs;

/** Translates rows. Each row has at most one job; a new request replaces it. */
export class RowTranslator {
  /** Of the rows and of the live line's previews. */
  readonly times = new AnswerTimes();
  readonly #queue: TranslationQueue;
  readonly #waiting: TranslatorRows;
  /** By the row's id. */
  readonly #jobs = new Map<string, RowJob>();
  readonly #failedLanguages = new Map<string, TranslationLanguage>();
  /** Jobs that are not in the queue yet, and what ends their wait. */
  readonly #expected = new Map<RowJob, () => void>();
  /** By the row's id: its translation as it came with the words. */
  readonly #streamed = new Map<string, string>();
  /** Ids of rows whose translation has come with the words, and may not be saved yet. */
  readonly #unsavedStreamed = new Set<string>();

  constructor(private readonly deps: Deps) {
    this.#queue = new TranslationQueue({
      clock: deps.clock,
      log: deps.log,
      translate: deps.translate,
      times: this.times,
      onDone: (job, text) => this.#onDone(job, text),
      onWait: (error, { isPaused, isLate }) => {
        if (isLate) this.#waiting.onProgress();
        else this.#waiting.onFailed(toReason(error), isPaused);
        if (error instanceof NoTranslatorError) this.#keepDoubtful();
      },
    });
    this.#waiting = new TranslatorRows({
      clock: deps.clock,
      onLate: (ids, isLate) => this.#setLate(ids, isLate),
      getRow: (id) => deps.transcript.rowById(id),
    });
  }

  /** Why rows show nothing in place of their translation; null while none does. */
  get missing(): Observable<MissingTranslations | null> {
    return this.#waiting.missing;
  }

  /** Number of sentences that wait for their translation. */
  get pendingCount(): number {
    return this.#queue.pendingCount + this.#expected.size;
  }

  /**
   * Requests the translation of row `id`, in place of an earlier request. A row that waits to be translated into its own
   * language, or into none, waits no longer.
   */
  request(id: string, language: TargetLanguage, reason: RowJob["reason"] = "spoken"): void {
    const { transcript, wordContext, onRowChange } = this.deps;
    const row = transcript.rowById(id);
    if (row === undefined) return;
    if (language === "none" || isSameLanguage(row.spokenIn, language)) {
      if (row.translation !== "waiting") return;
      this.cancel(id);
      transcript.change(id, untranslated);
      onRowChange(id);
      return;
    }
    this.cancel(id);
    const placeholder = createPlaceholder(row, language);
    if (row.placeholder === undefined || !isShallowEqual(row.placeholder, placeholder))
      transcript.change(id, { placeholder });
    const job: RowJob = {
      id,
      startMs: row.startMs,
      ordinal: row.ordinal,
      text: row.original,
      sourceLanguage: row.spokenIn,
      language,
      reason,
      isOfWhole: reason === "whole",
      // Getters, because the previous rows and the lecture's context may change before it is sent.
      get context() {
        const { position = 0 } = transcript.rowById(id) ?? {};
        return previousContext((at) => transcript.row(at)?.original, position);
      },
      get wordContext() {
        return wordContext();
      },
    };
    this.#jobs.set(id, job);
    this.#waiting.add(id);
    if (reason !== "expected") this.#queue.add(job);
    else
      this.#expected.set(
        job,
        this.deps.clock.after(expectedForMs, () => this.#endWait(job)),
      );
  }

  /** A translation of row `id` has come with its words. Of a row that was changed, or answered already, it is nothing. */
  accept(id: string, { text, language, state }: RelayTranslation): void {
    const { transcript, onRowChange } = this.deps;
    const row = transcript.rowById(id);
    if (row === undefined || row.originalByHand || row.translatedByHand) return;
    const job = this.#jobs.get(id);
    const isStreamed = row.translated !== "" && this.#streamed.get(id) === row.translated;
    if (job === undefined ? !isStreamed || row.translatedInto !== language : !isOpen(job, language))
      return;
    const translated = cleanText(text);
    if (state === "interim") {
      if (job) transcript.change(id, { placeholder: { language, text: translated } });
      return;
    }
    if (state === "doubtful" || translated === "") {
      if (job?.reason === "doubtful") return;
      if (translated === "") {
        if (job) this.#endWait(job);
        return;
      }
      this.#unsavedStreamed.add(id);
      transcript.change(id, { translated, translation: "waiting", translatedInto: language });
      this.request(id, language, "doubtful");
      return;
    }
    this.cancel(id);
    this.#streamed.set(id, translated);
    this.#unsavedStreamed.add(id);
    transcript.change(id, { ...toRowChange(translated, language), translatedByHand: false });
    onRowChange(id);
  }

  /**
   * Start of the first row whose translation has come with the words and is not saved, on the lecture's clock; Infinity
   * without any. `getSaved`: the translation of a row as it is saved; undefined: the row is not, or has gone.
   */
  getUnsavedStreamedMs(getSaved: (id: string) => string | undefined): number {
    let startMs = Number.POSITIVE_INFINITY;
    for (const id of this.#unsavedStreamed) {
      const row = this.deps.transcript.rowById(id);
      if (row === undefined || getSaved(id) === row.translated) this.#unsavedStreamed.delete(id);
      else startMs = Math.min(startMs, row.startMs);
    }
    return startMs;
  }

  /** No more translations come with words: rows that wait for one go to the translators. */
  endExpecting(): void {
    for (const job of [...this.#expected.keys()]) this.#endWait(job);
  }

  #endWait(job: RowJob): void {
    this.#expected.get(job)?.();
    if (this.#expected.delete(job)) this.#queue.add(job);
  }

  /** Nothing else can translate: what came with the words is all that there is. */
  #keepDoubtful(): void {
    for (const { id, reason } of [...this.#jobs.values()]) {
      if (reason !== "doubtful") continue;
      this.cancel(id);
      this.deps.transcript.change(id, { translation: "done" });
      this.deps.onRowChange(id);
    }
  }

  cancel(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    this.#waiting.delete(id);
    this.#expected.get(job)?.();
    this.#expected.delete(job);
    this.#queue.cancel(job);
  }

  /** The language of the row's current or failed request. */
  getLanguage(id: string): TranslationLanguage | undefined {
    return this.#jobs.get(id)?.language ?? this.#failedLanguages.get(id);
  }

  /**
   * Applies a person's correction to row `id`. A new original is translated again, unless the
   * translation was written by hand and no other is on its way. `language`: the row's, by the lecture's languages.
   */
  correct(id: string, change: Correction, language: TargetLanguage): void {
    const { transcript, onRowChange } = this.deps;
    const row = transcript.rowById(id);
    if (row === undefined) return;
    const original = cleanText(change.original ?? "");
    const translated =
      change.translated === undefined ? row.translated : cleanText(change.translated);
    const hasNewOriginal = original !== "" && original !== row.original;
    const hasNewTranslation = translated !== row.translated;
    if (!hasNewOriginal && !hasNewTranslation) return;
    const requested = this.#jobs.get(id)?.language;
    const into = requested ?? row.translatedInto ?? this.getLanguage(id) ?? language;
    // What the person has written themselves has no name.
    const noAuthor = row.author ? { author: "" } : {};
    if (hasNewOriginal)
      transcript.change(id, {
        original,
        originalByHand: true,
        ...noAuthor,
        ...(row.formulas && { formulas: selectFormulas(original, row.formulas) }),
      });
    if (hasNewTranslation) {
      this.cancel(id);
      transcript.change(id, {
        translated,
        translation: translated === "" ? "none" : "done",
        translatedInto: translated === "" || into === "none" ? null : into,
        translatedByHand: true,
        ...noAuthor,
      });
    } else if (into !== "none" && (!row.translatedByHand || row.translation === "waiting")) {
      // The old translation stays visible until the new one arrives; a person's also if that fails.
      transcript.change(id, { translation: "waiting" });
      this.request(id, into, row.translatedByHand ? "whole" : "requested");
    }
    onRowChange(id);
  }

  /**
   * False if no language is known for a retry: a failed row is stored without one, so after a reload it is
   * the row's `language` by the lecture's, which may be `none`.
   */
  canRetry(id: string, language: TargetLanguage): boolean {
    return (this.getLanguage(id) ?? language) !== "none";
  }

  retry(id: string, language: TargetLanguage): void {
    const row = this.deps.transcript.rowById(id);
    if (row === undefined || row.translation !== "failed") return;
    const into = this.getLanguage(id) ?? language;
    if (into === "none") return;
    this.deps.transcript.change(id, waiting);
    this.request(id, into, "requested");
  }

  /** Translates every row as `languages` say, except those spoken in their language, or translated into it by hand. */
  retranslate(languages: LanguagePair): void {
    const { transcript, onRowChange } = this.deps;
    this.#clear();
    this.#failedLanguages.clear();
    const changes = new Map<string, RowChange>();
    for (const row of transcript.rows()) {
      if (row.original.trim() === "") continue;
      const language = getTranslationLanguage(languages, row.spokenIn);
      if (language === null) {
        if (row.translation === "waiting" || row.translation === "failed")
          changes.set(row.id, untranslated);
      } else if (!row.translatedByHand || row.translatedInto !== language)
        changes.set(row.id, {
          ...(isTranslated(row) ? { translation: "waiting" } : waiting),
          placeholder: createPlaceholder(row, language),
        });
      // It waits for a language that was chosen before.
      else if (row.translation === "waiting") changes.set(row.id, { translation: "done" });
    }
    transcript.changeAll(changes);
    for (const [id, { translation, placeholder }] of changes) {
      if (translation === "waiting") this.request(id, placeholder?.language ?? "none", "whole");
      else onRowChange(id);
    }
  }

  /** Rows have other positions now. */
  onMoved(): void {
    this.#waiting.update();
  }

  isRequested(id: string): boolean {
    return this.#jobs.has(id);
  }

  whenIdle(listener: () => void): void {
    this.#queue.whenIdle(listener);
  }

  /** Retries now what waits: a translator, the network or the person is back. */
  wake(): void {
    this.#queue.wake();
  }

  /** The same on the person's wish: every row that waits shows so again. */
  retryAll(): void {
    this.#waiting.restart();
    this.#queue.wake();
  }

  dispose(): void {
    this.#clear();
    this.#queue.dispose();
  }

  #clear(): void {
    for (const end of this.#expected.values()) end();
    this.#expected.clear();
    this.#queue.clear();
    this.#jobs.clear();
    this.#waiting.clear();
  }

  #setLate(ids: readonly string[], isLate: boolean): void {
    const { transcript } = this.deps;
    const changes = new Map<string, RowChange>();
    for (const id of ids) {
      const placeholder = transcript.rowById(id)?.placeholder;
      if (placeholder === undefined) continue;
      const { isLate: _, ...shown } = placeholder;
      changes.set(id, { placeholder: isLate ? { ...shown, isLate } : shown });
    }
    transcript.changeAll(changes);
  }

  #onDone(doneJob: TranslationJob, text: string | null): void {
    const job = this.#jobs.get(doneJob.id);
    // The row has gone, or another translation was requested.
    if (job !== doneJob) return;
    const { id, language, reason } = job;
    const { transcript, onFailed, onRowChange } = this.deps;
    this.#jobs.delete(id);
    if (text !== null) this.#waiting.onAnswer(id);
    this.#waiting.delete(id);
    this.#failedLanguages.delete(id);
    const row = transcript.rowById(id);
    if (row === undefined) return;
    const answer = cleanText(text ?? "");
    const hasFailed = answer === "";
    if (hasFailed && (reason === "requested" || reason === "whole")) onFailed();
    if (hasFailed && (reason === "whole" || reason === "doubtful") && isTranslated(row)) {
      transcript.change(id, { translation: "done" });
    } else {
      if (hasFailed) this.#failedLanguages.set(id, language);
      transcript.change(id, { ...toRowChange(answer, language), translatedByHand: false });
    }
    onRowChange(id);
  }
}

/** The job still wants what comes with the words. */
const isOpen = ({ reason, language }: RowJob, into: TranslationLanguage): boolean =>
  language === into && reason !== "requested" && reason !== "whole";

const waiting = {
  translated: "",
  translation: "waiting",
  translatedInto: null,
  translatedByHand: false,
} as const satisfies RowChange;

const untranslated = { ...waiting, translation: "none" } as const satisfies RowChange;

function toRowChange(answer: string, language: TranslationLanguage): RowChange {
  if (answer === "") {
    return { translated: translationFailed, translation: "failed", translatedInto: null };
  }
  // The model found nothing to translate: the original stands alone.
  if (answer === untranslatableFragment) {
    return untranslated;
  }
  return { translated: answer, translation: "done", translatedInto: language };
}

/** The row keeps what it shows, unless that is an earlier placeholder in another language. */
function createPlaceholder(row: TranscriptRow, language: TranslationLanguage): RowPlaceholder {
  if (isTranslated(row)) return { language, text: row.translated };
  return { language, text: row.placeholder?.language === language ? row.placeholder.text : "" };
}

function cleanText(text: string): string {
  return text.replaceAll("\0", "").trim().slice(0, entryTextMaxLength);
}

function isTranslated(row: TranscriptRow): boolean {
  return row.translated !== "" && row.translated !== translationFailed;
}
