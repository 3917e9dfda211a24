import type { FilePage, FileText } from "#client/features/glossary/files/file-text.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/observable.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { getTermKey } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { createPlaceFinder, type TermPlace } from "./pieces.ts";

export interface ProposedTerm {
  term: string;
  /** Empty: none. */
  translation: string;
  note: string;
}

export interface Proposal extends ProposedTerm, TermPlace {
  id: string;
}

export interface RunState {
  proposals: readonly Proposal[];
  /** Pieces of the file that were asked about, or terms that were translated, of `total`. */
  done: number;
  total: number;
  /** `waiting`: the model takes no more calls in this minute. `stopped`: something is left. */
  step: "running" | "waiting" | "stopped" | "finished";
  /** Why something is left; null where the person has stopped. */
  problem: ErrorCode | null;
}

export interface RunInput {
  file: FileText;
  language: SpokenLanguage;
}

/** Proposes the terms of a file. What failed, or was left by `stop`, is done by the next `start`. */
export abstract class ProposalRun<Input extends RunInput = RunInput> {
  readonly state = new Signal<RunState>({
    proposals: [],
    done: 0,
    total: 0,
    step: "stopped",
    problem: null,
  });
  #running: AbortController | null = null;

  readonly #findPlace: ReturnType<typeof createPlaceFinder>;

  constructor(protected readonly input: Input) {
    const { file, language } = input;
    this.#findPlace = createPlaceFinder({ isWrapped: file.isWrapped, language });
  }

  /** @throws ApiError, or the reason of `signal`, if something is left */
  protected abstract work(signal: AbortSignal): Promise<void>;

  /** Never rejects. */
  async start(): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.set({ step: "running", problem: null });
    try {
      await this.work(running.signal);
      this.set({ step: "finished" });
    } catch (failure) {
      const problem = running.signal.aborted ? null : toApiError(failure).code;
      this.set({ step: "stopped", problem });
    }
    this.#running = null;
  }

  /** Keeps what was proposed. */
  stop(): void {
    this.#running?.abort();
  }

  protected set(part: Partial<RunState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }

  /** Proposes those of `terms` that are new and occur in `pages`, in the order of the file. */
  protected propose(terms: readonly ProposedTerm[], pages: readonly FilePage[]): void {
    const { proposals } = this.state.get();
    const keys = new Set(proposals.map(({ term }) => getTermKey(term)));
    const added = terms.flatMap((one): Proposal[] => {
      const key = getTermKey(one.term);
      const place = keys.has(key) ? null : this.#findPlace(one.term, pages);
      if (!place) return [];
      keys.add(key);
      return [{ ...one, ...place, id: crypto.randomUUID() }];
    });
    const all = [...proposals, ...added].sort((a, b) => a.page - b.page || a.index - b.index);
    this.set({ proposals: all });
  }
}
