import {
  type LectureNotice,
  toSummaryNotice,
  toSummarySaveNotice,
} from "#client/lecture/lecture-notices.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Log } from "#client/lib/log.ts";
import { Signal } from "#client/lib/observable.ts";
import type { MarkedSentence } from "#shared/format-marks.ts";
import type { LanguagePair, SpokenLanguage } from "#shared/languages.ts";
import { summaryMaxLength } from "#shared/limits.ts";
import type { SummaryTemplate } from "#shared/summary-template.ts";
import { summaryFailed } from "#shared/words.ts";
import type { SummaryView } from "./lecture-document.ts";

interface Deps {
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
  /** `text` is to be saved with the lecture. */
  onSave(text: string): void;
  /** Saves `text` in one attempt. @throws ApiError */
  saveOnce(text: string, onSaved: () => void): Promise<void>;
}

/**
 * A lecture's summary: streamed from the server, or written by the person. What they write is a draft, which only `save`
 * and `keepDraft` store.
 */
export class SummaryField {
  readonly view: Signal<SummaryView>;
  #generation: AbortController | null = null;
  /** The last complete summary; shown again when a generation fails. */
  #text: string;

  constructor(
    private readonly deps: Deps,
    text: string,
  ) {
    this.#text = text;
    this.view = new Signal<SummaryView>({ text, draft: null, state: "idle" });
  }

  /** Closing the page now would lose a draft, or a summary that is being generated. */
  get isUnfinished(): boolean {
    const { draft } = this.view.get();
    return this.#generation !== null || (draft !== null && draft !== this.#text);
  }

  /** Sets the draft; null drops it. Ignored while a summary is generated or saved. */
  edit(draft: string | null): void {
    if (this.view.get().state !== "idle") return;
    this.#show({ draft: draft === null ? null : sanitize(draft) });
  }

  /** Saves the draft. False: it is not saved, and stays; a notice says why. */
  async save(): Promise<boolean> {
    const { draft, state } = this.view.get();
    if (draft === null || state !== "idle") return false;
    const text = toText(draft);
    this.#show({ state: "saving" });
    try {
      await this.deps.saveOnce(text, () => {
        this.#text = text;
        this.#show({ text, draft: null, state: "idle" });
      });
      return true;
    } catch (error) {
      const notice = toSummarySaveNotice(error, this.deps.lectureId);
      this.deps.log.warn("summary not saved", { notice: notice.kind });
      this.#show({ state: "idle" });
      this.deps.notify(notice);
      return false;
    }
  }

  /** The draft becomes the summary, which is saved with the lecture. */
  keepDraft(): void {
    const { draft, state } = this.view.get();
    if (draft === null || state !== "idle") return;
    this.#text = toText(draft);
    this.#show({ text: this.#text, draft: null });
    this.deps.onSave(this.#text);
  }

  /** Takes over the text that another tab or device has saved. */
  update(text: string): void {
    if (this.#generation !== null || text === this.#text) return;
    this.#text = text;
    this.#show({ text });
  }

  /**
   * Saves the lecture and streams its summary, which replaces the draft as well. The outcome is a notice; there is none
   * if the person closed the lecture meanwhile. Ignored while a summary is generated or saved.
   */
  async generate(languages: LanguagePair, template: SummaryTemplate): Promise<void> {
    const { identity, original, notify } = this.deps;
    if (this.view.get().state !== "idle") return;
    if (identity === "guest") return notify({ kind: "signInRequired", for: "summary" });
    if (original().trim() === "") return notify({ kind: "noContent", for: "summary" });
    const generation = new AbortController();
    this.#generation = generation;
    let summary = "";
    let failure: unknown = null;
    this.#show({ text: "", state: "generating" });
    try {
      const { api, lectureId, spokenIn, markedSentences, saveLecture } = this.deps;
      await saveLecture();
      if (this.#generation !== generation) return;
      const texts = { original: original(), spokenIn: spokenIn(), marked: markedSentences() };
      const input = { lectureId, template, languages, ...texts };
      for await (const piece of api.summarize(input, generation.signal)) {
        if (this.#generation !== generation) break;
        summary = piece === null ? "" : sanitize(summary + piece);
        this.#show({ text: summary });
      }
    } catch (error) {
      failure = error;
    }
    if (this.#generation !== generation) return;
    this.#generation = null;
    summary = summary.trim();
    if (failure === null && summary !== "" && summary !== summaryFailed) {
      this.#text = summary;
      this.#show({ text: summary, draft: null, state: "idle" });
      this.deps.onSave(summary);
      return notify({ kind: "summaryGenerated" });
    }
    const error = failure instanceof ApiError ? failure : null;
    this.deps.log.warn("summary failed", { code: error?.code ?? "unknown" });
    this.#show({ text: this.#text, state: "idle" });
    notify(toSummaryNotice(error));
  }

  dispose(): void {
    this.#generation?.abort();
    this.#generation = null;
  }

  #show(change: Partial<SummaryView>): void {
    this.view.set({ ...this.view.get(), ...change });
  }
}

/** A blank text is none. */
const toText = (draft: string) => (draft.trim() === "" ? "" : draft);

function sanitize(text: string): string {
  return text.replaceAll("\0", "").slice(0, summaryMaxLength);
}
