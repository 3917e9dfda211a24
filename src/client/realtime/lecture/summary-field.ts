import type { Log } from "#client/realtime/platform/ports.ts";
import { ApiError, type SessionApi } from "#client/realtime/server-api.ts";
import { Signal } from "#client/realtime/signal.ts";
import type { SummaryView } from "#client/realtime/types.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { summaryMaxLength } from "#shared/limits.ts";

/** What a model answers that could not summarise. */
const summaryFailed = "[Summary Failed]";

/** How a generation ended; `overtaken`: a person wrote meanwhile, or the lecture is gone. */
type SummaryOutcome =
  | { kind: "done" }
  | { kind: "overtaken" }
  | { kind: "failed"; error: ApiError | null };

interface Deps {
  api: Pick<SessionApi, "summarize">;
  lectureId: string;
  /** Saves what the summary is to be made of. @throws ApiError when it could not be saved */
  saveLecture(): Promise<void>;
  log: Log;
  onSave(text: string): void;
}

/** A lecture's summary: streamed in, or written by a person. */
export class SummaryField {
  readonly view: Signal<SummaryView>;
  readonly #deps: Deps;
  #generation: AbortController | null = null;
  /** What stands, whatever is being streamed. */
  #savedText: string;

  constructor(deps: Deps, text: string) {
    this.#deps = deps;
    this.#savedText = text;
    this.view = new Signal<SummaryView>({ text, state: "idle" });
  }

  get isGenerating(): boolean {
    return this.#generation !== null;
  }

  /** Written by a person; a generation under way gives way to it. */
  set(text: string): void {
    this.dispose();
    const next = clean(text);
    if (next !== this.#savedText) this.#deps.onSave(next);
    this.#savedText = next;
    this.view.set({ text: next, state: "idle" });
  }

  /** Has the lecture saved and summarised. One at a time: a second call while one runs is `overtaken`. */
  async generate(targetLanguage: TargetLanguage): Promise<SummaryOutcome> {
    if (this.#generation !== null) return { kind: "overtaken" };
    const running = new AbortController();
    this.#generation = running;
    let summary = "";
    let failure: unknown = null;
    this.view.set({ text: "", state: "generating" });
    try {
      const { api, lectureId, saveLecture } = this.#deps;
      await saveLecture();
      if (this.#generation !== running) return { kind: "overtaken" };
      for await (const piece of api.summarize({ lectureId, targetLanguage }, running.signal)) {
        if (this.#generation !== running) break;
        summary = clean(summary + piece);
        this.view.set({ text: summary, state: "generating" });
      }
    } catch (error) {
      failure = error;
    }
    if (this.#generation !== running) return { kind: "overtaken" };
    this.#generation = null;
    summary = summary.trim();
    if (failure === null && summary !== "" && summary !== summaryFailed) {
      this.#savedText = summary;
      this.view.set({ text: summary, state: "idle" });
      this.#deps.onSave(summary);
      return { kind: "done" };
    }
    const error = failure instanceof ApiError ? failure : null;
    this.#deps.log.warn("summary failed", { code: error?.code ?? "unknown" });
    this.view.set({ text: this.#savedText, state: "failed" });
    return { kind: "failed", error };
  }

  dispose(): void {
    this.#generation?.abort();
    this.#generation = null;
  }
}

function clean(text: string): string {
  return text.replaceAll("\0", "").slice(0, summaryMaxLength);
}
