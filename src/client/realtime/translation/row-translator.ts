import { isShallowEqual, type Observable } from "#client/lib/observable.ts";
import type {
  MissingTranslations,
  RowPlaceholder,
  TranscriptRow,
} from "#client/realtime/lecture/lecture-document.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import type { SessionPorts } from "#client/realtime/session-ports.ts";
import type { RowChange, Transcript } from "#client/realtime/transcript/transcript.ts";
import { previousContext } from "#shared/context.ts";
import {
  getTranslationLanguage,
  isSameLanguage,
  type LanguagePair,
  type TargetLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { entryTextMaxLength } from "#shared/limits.ts";
import { translationFailed, untranslatableFragment } from "#shared/words.ts";
import { AnswerTimes } from "./answer-times.ts";
import { type TranslationJob, TranslationQueue } from "./translation-queue.ts";
import { NoTranslatorError } from "./translator-list.ts";
import { moveValues, TranslatorRows } from "./translator-rows.ts";

export interface TranslatorDeps extends Pick<SessionPorts, "clock" | "log"> {
  translate: SessionApi["translate"];
  transcript: Transcript;
  /** What the lecture is about; read when a request is sent. */
  wordContext(): string;
  onRowChange(position: number): void;
  onFailed(): void;
}

interface Correction {
  original?: string;
  translated?: string;
}

interface RowJob extends TranslationJob {
  /** Why the row is translated. When a `whole` lecture is, a row whose request fails keeps its old translation. */
  readonly reason: "spoken" | "requested" | "whole";
}

/** Translates rows. Each row has at most one job; a new request replaces it. */
export class RowTranslator {
  /** Of the rows and of the live line's previews. */
  readonly times = new AnswerTimes();
  readonly #queue: TranslationQueue;
  readonly #waiting: TranslatorRows;
  #jobs = new Map<number, RowJob>();
  #failedLanguages = new Map<number, TranslationLanguage>();

  constructor(private readonly deps: TranslatorDeps) {
    this.#queue = new TranslationQueue({
      ...deps,
      times: this.times,
      onDone: (job, text) => this.#onDone(job, text),
      onWait: (error, { isPaused, isLate }) =>
        isLate
          ? this.#waiting.onProgress()
          : this.#waiting.onFailed(
              error instanceof NoTranslatorError ? "none" : error.code,
              isPaused,
            ),
    });
    this.#waiting = new TranslatorRows({
      clock: deps.clock,
      onLate: (positions, isLate) => this.#setLate(positions, isLate),
      isBlank: (position) => deps.transcript.row(position)?.placeholder?.text === "",
    });
  }

  /** Why rows show nothing in place of their translation; null while none does. */
  get missing(): Observable<MissingTranslations | null> {
    return this.#waiting.missing;
  }

  /** Number of sentences that wait for their translation. */
  get pendingCount(): number {
    return this.#queue.pendingCount;
  }

  /**
   * Requests the translation of row `position`, in place of an earlier request. A row that waits to be translated into its
   * own language, or into none, waits no longer.
   */
  request(position: number, language: TargetLanguage, reason: RowJob["reason"] = "spoken"): void {
    const { transcript, wordContext, onRowChange } = this.deps;
    const row = transcript.row(position);
    if (row === undefined) return;
    if (language === "none" || isSameLanguage(row.spokenIn, language)) {
      if (row.translation !== "waiting") return;
      this.cancel(position);
      transcript.change(position, untranslated);
      onRowChange(position);
      return;
    }
    this.cancel(position);
    const placeholder = createPlaceholder(row, language);
    if (row.placeholder === undefined || !isShallowEqual(row.placeholder, placeholder))
      transcript.change(position, { placeholder });
    const job: RowJob = {
      position,
      text: row.original,
      sourceLanguage: row.spokenIn,
      language,
      reason,
      isOfWhole: reason === "whole",
      // Getters, because the previous rows and the lecture's context may change before it is sent.
      get context() {
        return previousContext((at) => transcript.row(at)?.original, job.position);
      },
      get wordContext() {
        return wordContext();
      },
    };
    this.#jobs.set(position, job);
    this.#waiting.add(position);
    this.#queue.add(job);
  }

  cancel(position: number): void {
    const job = this.#jobs.get(position);
    if (job === undefined) return;
    this.#jobs.delete(position);
    this.#waiting.delete(position);
    this.#queue.cancel(job);
  }

  /** The language of the row's current or failed request. */
  getLanguage(position: number): TranslationLanguage | undefined {
    return this.#jobs.get(position)?.language ?? this.#failedLanguages.get(position);
  }

  /**
   * Applies a person's correction to row `position`. A new original is translated again, unless the
   * translation was written by hand and no other is on its way. `language`: the row's, by the lecture's languages.
   */
  correct(position: number, change: Correction, language: TargetLanguage): void {
    const { transcript, onRowChange } = this.deps;
    const row = transcript.row(position);
    if (row === undefined) return;
    const original = cleanText(change.original ?? "");
    const translated =
      change.translated === undefined ? row.translated : cleanText(change.translated);
    const hasNewOriginal = original !== "" && original !== row.original;
    const hasNewTranslation = translated !== row.translated;
    if (!hasNewOriginal && !hasNewTranslation) return;
    const requested = this.#jobs.get(position)?.language;
    const into = requested ?? row.translatedInto ?? this.getLanguage(position) ?? language;
    if (hasNewOriginal) transcript.change(position, { original, originalByHand: true });
    if (hasNewTranslation) {
      this.cancel(position);
      transcript.change(position, {
        translated,
        translation: translated === "" ? "none" : "done",
        translatedInto: translated === "" || into === "none" ? null : into,
        translatedByHand: true,
      });
    } else if (into !== "none" && (!row.translatedByHand || row.translation === "waiting")) {
      // The old translation stays visible until the new one arrives; a person's also if that fails.
      transcript.change(position, { translation: "waiting" });
      this.request(position, into, row.translatedByHand ? "whole" : "requested");
    }
    onRowChange(position);
  }

  /**
   * False if no language is known for a retry: a failed row is stored without one, so after a reload it is
   * the row's `language` by the lecture's, which may be `none`.
   */
  canRetry(position: number, language: TargetLanguage): boolean {
    return (this.getLanguage(position) ?? language) !== "none";
  }

  retry(position: number, language: TargetLanguage): void {
    const row = this.deps.transcript.row(position);
    if (row === undefined || row.translation !== "failed") return;
    const into = this.getLanguage(position) ?? language;
    if (into === "none") return;
    this.deps.transcript.change(position, waiting);
    this.request(position, into, "requested");
  }

  /** Translates every row as `languages` say, except those spoken in their language, or translated into it by hand. */
  retranslate(languages: LanguagePair): void {
    const { transcript, onRowChange } = this.deps;
    this.#queue.clear();
    this.#jobs.clear();
    this.#waiting.clear();
    this.#failedLanguages.clear();
    const changes = new Map<number, RowChange>();
    for (const row of transcript.rows()) {
      if (row.original.trim() === "") continue;
      const language = getTranslationLanguage(languages, row.spokenIn);
      if (language === null) {
        if (row.translation === "waiting" || row.translation === "failed")
          changes.set(row.position, untranslated);
      } else if (!row.translatedByHand || row.translatedInto !== language)
        changes.set(row.position, {
          ...(isTranslated(row) ? { translation: "waiting" } : waiting),
          placeholder: createPlaceholder(row, language),
        });
      // It waits for a language that was chosen before.
      else if (row.translation === "waiting") changes.set(row.position, { translation: "done" });
    }
    transcript.changeAll(changes);
    for (const [position, { translation, placeholder }] of changes) {
      if (translation === "waiting")
        this.request(position, placeholder?.language ?? "none", "whole");
      else onRowChange(position);
    }
  }

  /** After a merge: `moved` maps the old position of each remaining row to its new one. */
  updatePositions(moved: ReadonlyMap<number, number>): void {
    this.#failedLanguages = moveValues(this.#failedLanguages, moved);
    this.#jobs = moveValues(this.#jobs, moved);
    for (const [position, job] of this.#jobs) job.position = position;
    this.#waiting.updatePositions(moved);
  }

  isRequested(position: number): boolean {
    return this.#jobs.has(position);
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
    this.#jobs.clear();
    this.#waiting.clear();
    this.#queue.dispose();
  }

  #setLate(positions: readonly number[], isLate: boolean): void {
    const { transcript } = this.deps;
    const changes = new Map<number, RowChange>();
    for (const position of positions) {
      const placeholder = transcript.row(position)?.placeholder;
      if (placeholder === undefined) continue;
      const { isLate: _, ...shown } = placeholder;
      changes.set(position, { placeholder: isLate ? { ...shown, isLate } : shown });
    }
    transcript.changeAll(changes);
  }

  #onDone(doneJob: TranslationJob, text: string | null): void {
    const job = this.#jobs.get(doneJob.position);
    // The row was replaced by a merge, or another translation was requested.
    if (job !== doneJob) return;
    const { position, language, reason } = job;
    const { transcript, onFailed, onRowChange } = this.deps;
    this.#jobs.delete(position);
    if (text !== null) this.#waiting.onAnswer(position);
    this.#waiting.delete(position);
    this.#failedLanguages.delete(position);
    const row = transcript.row(position);
    if (row === undefined) return;
    const answer = cleanText(text ?? "");
    const hasFailed = answer === "";
    if (hasFailed && reason !== "spoken") onFailed();
    if (hasFailed && reason === "whole" && isTranslated(row)) {
      transcript.change(position, { translation: "done" });
    } else {
      if (hasFailed) this.#failedLanguages.set(position, language);
      transcript.change(position, { ...toRowChange(answer, language), translatedByHand: false });
    }
    onRowChange(position);
  }
}

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
