import { ApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/observable.ts";
import { type LectureNotice, toSummaryNotice } from "#client/realtime/notices.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import type { SessionApi } from "#client/realtime/server-api.ts";
import type { MarkedSentence } from "#shared/format-marks.ts";
import type { LanguagePair, SpokenLanguage } from "#shared/languages.ts";
import { summaryMaxLength } from "#shared/limits.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";
import type { SummaryView } from "./lecture-document.ts";

/** The model's answer when it could not summarise. */
const summaryFailed = "[Summary Failed]";

export interface SummaryFieldDeps {
  api: Pick<SessionApi, "summarize">;
  identity: "user" | "guest";
  lectureId: string;
  original(): string;
  /** Languages of the rows, the one of most rows first. */
  spokenIn(): SpokenLanguage[];
  markedSentences(): MarkedSentence[];
  /** Saves everything that is on the page. @throws ApiError */
  saveLecture(): Promise<void>;
  log: Log;
  notify(notice: LectureNotice): void;
  onSave(text: string): void;
}

/** A lecture's summary: streamed from the server, or written by the person. */
export class SummaryField {
  readonly view: Signal<SummaryView>;
  #generation: AbortController | null = null;
  /** The last complete summary; shown again when a generation fails. */
  #savedText: string;

  constructor(
    private readonly deps: SummaryFieldDeps,
    text: string,
  ) {
    this.#savedText = text;
    this.view = new Signal<SummaryView>({ text, state: "idle" });
  }

  get isGenerating(): boolean {
    return this.#generation !== null;
  }

  /** Sets the person's text and cancels a running generation. */
  set(text: string): void {
    this.dispose();
    const next = sanitize(text);
    if (next !== this.#savedText) this.deps.onSave(next);
    this.#savedText = next;
    this.view.set({ text: next, state: "idle" });
  }

  /** Takes over the text that another tab or device has saved. */
  update(text: string): void {
    if (this.#generation !== null || text === this.#savedText) return;
    this.#savedText = text;
    this.view.set({ text, state: "idle" });
  }

  /**
   * Saves the lecture and streams its summary. The outcome is a notice; there is none if the person wrote a summary or
   * closed the lecture meanwhile. Ignored while another generation runs.
   */
  async generate(languages: LanguagePair, template: SummaryTemplate): Promise<void> {
    const { identity, original, notify } = this.deps;
    if (this.#generation !== null) return;
    if (identity === "guest") return notify({ kind: "signInRequired", for: "summary" });
    if (original().trim() === "") return notify({ kind: "noContent", for: "summary" });
    const generation = new AbortController();
    this.#generation = generation;
    let summary = "";
    let failure: unknown = null;
    this.view.set({ text: "", state: "generating" });
    try {
      const { api, lectureId, spokenIn, markedSentences, saveLecture } = this.deps;
      await saveLecture();
      if (this.#generation !== generation) return;
      const texts = { original: original(), spokenIn: spokenIn(), marked: markedSentences() };
      const input = { lectureId, template, languages, ...texts };
      for await (const piece of api.summarize(input, generation.signal)) {
        if (this.#generation !== generation) break;
        summary = sanitize(summary + piece);
        this.view.set({ text: summary, state: "generating" });
      }
    } catch (error) {
      failure = error;
    }
    if (this.#generation !== generation) return;
    this.#generation = null;
    summary = summary.trim();
    if (failure === null && summary !== "" && summary !== summaryFailed) {
      this.#savedText = summary;
      this.view.set({ text: summary, state: "idle" });
      this.deps.onSave(summary);
      return notify({ kind: "summaryGenerated" });
    }
    const error = failure instanceof ApiError ? failure : null;
    this.deps.log.warn("summary failed", { code: error?.code ?? "unknown" });
    this.view.set({ text: this.#savedText, state: "failed" });
    notify(toSummaryNotice(error));
  }

  dispose(): void {
    this.#generation?.abort();
    this.#generation = null;
  }
}

function sanitize(text: string): string {
  return text.replaceAll("\0", "").slice(0, summaryMaxLength);
}
