import type { FileText } from "#client/features/glossary/files/file-text.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/signal.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { termTranslationMaxLength } from "#shared/limits.ts";
import { addProposals, type RunState } from "./proposal-run.ts";

interface Deps {
  file: FileText;
  language: SpokenLanguage;
  /** The frequent terms of the file. */
  count(signal: AbortSignal): Promise<string[]>;
  /** Undefined where nothing translates. @throws where it cannot */
  translate: ((term: string, signal: AbortSignal) => Promise<string>) | undefined;
}

/** Proposes the frequent terms of a file, and translates them where this browser or device can. */
export class FrequencyRun {
  readonly state: Signal<RunState> = new Signal({
    ...{ proposals: [], done: 0, total: 0, step: "stopped", problem: null },
  });
  #running: AbortController | null = null;

  constructor(private readonly deps: Deps) {}

  /** Never rejects. */
  async start(): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#set({ step: "running", problem: null });
    try {
      if (this.state.get().proposals.length === 0) await this.#count(running.signal);
      await this.#translate(running.signal);
      this.#set({ step: "finished" });
    } catch (failure) {
      const problem = running.signal.aborted ? null : toApiError(failure).code;
      this.#set({ step: "stopped", problem });
    }
    this.#running = null;
  }

  stop(): void {
    this.#running?.abort();
  }

  async #count(signal: AbortSignal): Promise<void> {
    const { file, count } = this.deps;
    const terms = (await count(signal)).map((term) => ({ term, translation: "", note: "" }));
    this.#set({ proposals: addProposals([], terms, file.pages, this.deps) });
  }

  async #translate(signal: AbortSignal): Promise<void> {
    const { translate } = this.deps;
    if (!translate) return;
    const { proposals } = this.state.get();
    for (const [done, { id, term, translation: before }] of proposals.entries()) {
      if (before !== "") continue;
      this.#set({ done, total: proposals.length });
      const translation = (await translate(term, signal)).trim();
      signal.throwIfAborted();
      if (translation.length > termTranslationMaxLength) continue;
      const now = this.state.get().proposals;
      this.#set({ proposals: now.map((one) => (one.id === id ? { ...one, translation } : one)) });
    }
  }

  #set(part: Partial<RunState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}
