import type { TargetLanguage, TranslationLanguage } from "../../shared/languages.ts";
import { entryTextMaxLength, sentenceSweepMs } from "../../shared/limits.ts";
import type { RelayToken, RelayTokens } from "../../shared/relay.ts";
import { translationFailed } from "../../shared/sentinels.ts";
import type { LiveLine, SessionApi, TranscriptRow } from "./contract.ts";
import { LivePreview } from "./live-preview.ts";
import type { Clock, Log } from "./ports.ts";
import { mergeRows } from "./transcript/merging.ts";
import {
  absorb,
  flush,
  nothingPending,
  type Pending,
  pendingStart,
  pendingText,
  type Segmented,
  type Sentence,
  sweep,
} from "./transcript/segmentation.ts";
import { TranscriptStore } from "./transcript/store.ts";
import { previousContext } from "./transcript/words.ts";
import { type TranslationJob, TranslationQueue } from "./translation-queue.ts";

interface Deps {
  translate: SessionApi["translate"];
  clock: Clock;
  log: Log;
  /** Row `position` is new or changed. */
  onRow(position: number): void;
}

interface Origin {
  rows: readonly TranscriptRow[];
  /** Recording-clock end of the words that are held already, ms. */
  finalMs: number;
  language: TargetLanguage;
  /** What the lecture is about, for the translator. */
  wordContext: string;
}

/** Token batches in; rows, their translations and the live line out. */
export class LiveTranscript {
  readonly store = new TranscriptStore();
  readonly #deps: Deps;
  readonly #queue: TranslationQueue;
  readonly #preview: LivePreview;
  readonly #wordContext: string;
  /** Language that a failed row was to be translated into. */
  readonly #failedInto = new Map<number, TranslationLanguage>();
  /** Sentences that wait for their translation; a row that moves takes its job along. */
  readonly #jobs = new Set<TranslationJob>();
  #language: TargetLanguage;
  #pending: Pending;
  #interim: readonly RelayToken[] = [];
  #finalMs: number;
  #diarization = false;
  #cancelSweep: (() => void) | null = null;

  constructor(deps: Deps, origin: Origin) {
    this.#deps = deps;
    this.#language = origin.language;
    this.#wordContext = origin.wordContext;
    this.#pending = nothingPending(origin.finalMs);
    this.#finalMs = origin.finalMs;
    this.store.append(origin.rows);
    this.#queue = new TranslationQueue({ ...deps, onDone: (job, text) => this.#done(job, text) });
    this.#preview = new LivePreview({ ...deps, show: (text) => this.store.setPreview(text) });
    for (const row of origin.rows) if (row.translation === "waiting") this.#translate(row);
  }

  get language(): TargetLanguage {
    return this.#language;
  }

  /** End of the last final word, ms. */
  get finalMs(): number {
    return this.#finalMs;
  }

  /** Sentences that wait for their translation. */
  get pendingTranslations(): number {
    return this.#queue.pending;
  }

  /** Words were heard that are in no row yet. */
  get hasLiveText(): boolean {
    return this.store.live.get() !== null;
  }

  /** Recording-clock start of the words that are in no row yet, ms; null when there are none. */
  get liveStartMs(): number | null {
    return this.store.live.get()?.startMs ?? null;
  }

  /** From the next sentence on. */
  setLanguage(language: TargetLanguage): void {
    this.#language = language;
    if (language === "none") {
      this.#preview.clear();
      this.store.setPreview("");
    } else this.#preview.update(this.#liveText(), language);
  }

  /**
   * Takes one batch. What ends (by its midpoint) before `resumedAtMs`, the time up to which this
   * connection was told that words are held, is a repetition.
   */
  absorb(batch: RelayTokens, resumedAtMs: number, diarization: boolean): void {
    this.#diarization = diarization;
    const fresh = batch.tokens.filter((token) => !repeats(token, resumedAtMs));
    const finals = fresh.filter((token) => token.is_final);
    this.#interim = fresh.filter((token) => !token.is_final);
    const segmented = absorb(this.#pending, finals, {
      finalMs: batch.audio_final_proc_ms,
      endpoint: batch.endpoint ?? false,
      diarization,
      interim: textOf(this.#interim),
    });
    if (finals.length > 0) {
      this.#finalMs = Math.max(this.#finalMs, segmented.pending.clockMs);
    }
    this.#apply(segmented);
  }

  /** Makes a row of everything that was heard, interim words included: nothing more is to come. */
  commit(): void {
    const rest = absorb(this.#pending, this.#interim, {
      finalMs: this.#pending.clockMs,
      endpoint: false,
      diarization: this.#diarization,
      interim: "",
    });
    this.#interim = [];
    const last = flush(rest.pending);
    this.#finalMs = Math.max(this.#finalMs, last.pending.clockMs);
    this.#apply({ pending: last.pending, sentences: [...rest.sentences, ...last.sentences] });
  }

  /**
   * Takes in the rows that the server holds, translated into `language`, after another page or device
   * wrote there; this page's own, from `savedRows` on, go behind them. The line being spoken goes on.
   *
   * @returns positions whose row the server lacks or has in an older revision.
   */
  merge(stored: readonly TranscriptRow[], language: TargetLanguage, savedRows: number): number[] {
    const { rows, changed, moved } = mergeRows(this.store.rows(), stored, savedRows);
    this.store.replaceAll(rows);
    const failedInto = [...this.#failedInto];
    this.#failedInto.clear();
    for (const [from, into] of failedInto) {
      const position = moved.get(from);
      if (position !== undefined) this.#failedInto.set(position, into);
    }
    for (const job of [...this.#jobs]) {
      const position = moved.get(job.position);
      if (position === undefined) this.#jobs.delete(job);
      else job.position = position;
    }
    const asked = new Set([...this.#jobs].map((job) => job.position));
    for (const row of rows) {
      if (row.translation === "waiting" && !asked.has(row.position)) this.#translate(row, language);
    }
    return changed;
  }

  /** Translates row `position` again after a failure. */
  retry(position: number): void {
    const row = this.store.row(position);
    if (row === undefined || row.translation !== "failed") return;
    const language = this.#failedInto.get(position) ?? this.#language;
    if (language === "none") return;
    this.store.change(position, { translated: "", translation: "waiting", translatedInto: null });
    this.#translate(row, language);
  }

  /** Calls `listener` once, when no sentence waits for its translation. */
  whenTranslated(listener: () => void): void {
    this.#queue.whenIdle(listener);
  }

  /** The network may be back: translations that wait for another try get it now. */
  wake(): void {
    this.#queue.wake();
  }

  dispose(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = null;
    this.#preview.clear();
    this.#queue.dispose();
  }

  #apply({ pending, sentences }: Segmented): void {
    this.#pending = pending;
    this.#addRows(sentences);
    const live = this.#liveLine(sentences.length > 0);
    this.store.setLive(live);
    if (live === null) this.#preview.clear();
    else this.#preview.update(this.#liveText(), this.#language);
    this.#scheduleSweep();
  }

  #addRows(sentences: readonly Sentence[]): void {
    if (sentences.length === 0) return;
    this.#preview.clear();
    const from = this.store.length;
    const none = this.#language === "none";
    this.store.append(
      sentences.map((sentence) => ({
        ...sentence,
        translated: "",
        translation: none ? ("none" as const) : ("waiting" as const),
        translatedInto: null,
        // Revision 0 with an empty translation means that one is still to come.
        revision: none ? 1 : 0,
      })),
    );
    for (let position = from; position < this.store.length; position += 1) {
      const row = this.store.row(position);
      if (row !== undefined && !none) this.#translate(row);
      this.#deps.onRow(position);
    }
  }

  #translate(row: TranscriptRow, into: TargetLanguage = this.#language): void {
    if (into === "none") return;
    const job: TranslationJob = {
      position: row.position,
      text: row.english,
      language: into,
      context: previousContext((at) => this.store.row(at)?.english, row.position),
      wordContext: this.#wordContext,
    };
    this.#jobs.add(job);
    this.#queue.add(job);
  }

  #done(job: TranslationJob, text: string | null): void {
    // Its row gave way to the server's.
    if (!this.#jobs.delete(job)) return;
    const answer = text?.replaceAll("\0", "").trim().slice(0, entryTextMaxLength) ?? "";
    const failed = answer === "";
    if (failed) this.#failedInto.set(job.position, job.language);
    else this.#failedInto.delete(job.position);
    this.store.change(job.position, {
      translated: failed ? translationFailed : answer,
      translation: failed ? "failed" : "done",
      translatedInto: failed ? null : job.language,
    });
    this.#deps.onRow(job.position);
  }

  #liveText(): string {
    return pendingText(this.#pending) + textOf(this.#interim);
  }

  #liveLine(begun: boolean): LiveLine | null {
    const settled = pendingText(this.#pending).trimStart();
    const interim = textOf(this.#interim);
    if (settled.trim() === "" && interim.trim() === "") return null;
    const first = this.#interim[0];
    const isSettled = settled !== "";
    return {
      settled,
      interim: isSettled ? interim : interim.trimStart(),
      speaker: isSettled ? this.#pending.speaker : this.#interimSpeaker(),
      startMs: pendingStart(this.#pending) ?? Math.round(first?.start_ms ?? this.#finalMs),
      preview: begun ? "" : (this.store.live.get()?.preview ?? ""),
    };
  }

  #interimSpeaker(): string | null {
    if (!this.#diarization) return null;
    return this.#interim[0]?.speaker ?? this.#pending.speaker;
  }

  #scheduleSweep(): void {
    if (this.#cancelSweep !== null || pendingStart(this.#pending) === null) return;
    this.#cancelSweep = this.#deps.clock.after(sentenceSweepMs, () => {
      this.#cancelSweep = null;
      const swept = sweep(this.#pending, textOf(this.#interim));
      if (swept.sentences.length > 0) this.#apply(swept);
      else this.#scheduleSweep();
    });
  }
}

function repeats(token: RelayToken, resumedAtMs: number): boolean {
  if (token.start_ms === undefined || token.end_ms === undefined) return false;
  return (token.start_ms + token.end_ms) / 2 < resumedAtMs;
}

function textOf(tokens: readonly RelayToken[]): string {
  return tokens.map((token) => token.text).join("");
}
