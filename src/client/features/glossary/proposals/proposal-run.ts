import type { FileText } from "#client/features/glossary/files/file-text.ts";
import { toApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/signal.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { getTermKey } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { knownTermsMax } from "#shared/limits.ts";
import { createPlaceFinder, type Piece, splitPieces, type TermPlace } from "./pieces.ts";

export interface Proposal extends TermPlace {
  id: string;
  term: string;
  /** Empty: none. */
  translation: string;
  note: string;
}

interface ProposedTerm {
  term: string;
  translation: string;
  note: string;
}

/** @throws ApiError */
type AskModel = (
  piece: { text: string; known: string[] },
  signal: AbortSignal,
) => Promise<ProposedTerm[]>;

export interface RunState {
  proposals: readonly Proposal[];
  /** Pieces of the file that were asked about, of `total`. */
  done: number;
  total: number;
  /** `waiting`: the model takes no more calls in this minute. `stopped`: pieces are left. */
  step: "running" | "waiting" | "stopped" | "finished";
  /** Why pieces are left; null where the person has stopped. */
  problem: ErrorCode | null;
}

/** After these no other piece would be answered. */
const endingCodes: ReadonlySet<ErrorCode> = new Set([
  ...(["unavailable", "model_budget_exhausted", "site_budget_exhausted"] as const),
  ...(["unauthenticated", "sign_in_required"] as const),
]);
const waitSeconds = 60;

interface Deps {
  file: FileText;
  language: SpokenLanguage;
  ask: AskModel;
  clock: Clock;
}

/**
 * Asks the model about a file, piece by piece. Each term is proposed once, where it is said first, in the order of the
 * file. Pieces that failed, or were left by `stop`, are asked about again by `start`.
 */
export class ProposalRun {
  readonly state: Signal<RunState>;
  readonly #pieces: Piece[];
  /** Indexes of pieces that were not answered. */
  #open: number[];
  #running: AbortController | null = null;

  constructor(private readonly deps: Deps) {
    this.#pieces = splitPieces(deps.file.pages);
    this.#open = [...this.#pieces.keys()];
    const total = this.#pieces.length;
    this.state = new Signal({ proposals: [], done: 0, total, step: "stopped", problem: null });
  }

  /** Never rejects. */
  async start(): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    let problem: ErrorCode | null = null;
    this.#set({ step: "running", problem: null });
    const failed: number[] = [];
    while (this.#open.length > 0 && !running.signal.aborted) {
      const [index = 0, ...rest] = this.#open;
      try {
        await this.#askAbout(index, running.signal);
      } catch (failure) {
        if (running.signal.aborted) break;
        const { code, retryAfterSeconds = waitSeconds } = toApiError(failure);
        if (code === "rate_limited") {
          await this.#wait(retryAfterSeconds * 1_000, running.signal);
          continue;
        }
        problem = code;
        if (endingCodes.has(code)) break;
        failed.push(index);
      }
      this.#open = rest;
      this.#set({ done: this.#pieces.length - this.#open.length - failed.length });
    }
    this.#open = [...failed, ...this.#open].sort((a, b) => a - b);
    this.#running = null;
    this.#set({ step: this.#open.length > 0 ? "stopped" : "finished", problem });
  }

  /** Keeps what was proposed. */
  stop(): void {
    this.#running?.abort();
  }

  async #askAbout(index: number, signal: AbortSignal): Promise<void> {
    const piece = this.#pieces[index];
    if (!piece) return;
    const proposed = this.state.get().proposals;
    const known = proposed.slice(-knownTermsMax).map(({ term }) => term);
    const terms = await this.deps.ask({ text: piece.text, known }, signal);
    if (!signal.aborted)
      this.#set({ proposals: addProposals(proposed, terms, piece.pages, this.deps) });
    else throw signal.reason;
  }

  #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    this.#set({ step: "waiting" });
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        if (!signal.aborted) this.#set({ step: "running" });
        resolve();
      };
      const cancel = this.deps.clock.after(delayMs, end);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  #set(part: Partial<RunState>): void {
    this.state.set({ ...this.state.get(), ...part });
  }
}

/** `proposals` with those of `terms` that are new and occur in `pages`, in the order of the file. */
export function addProposals(
  proposals: readonly Proposal[],
  terms: readonly ProposedTerm[],
  pages: FileText["pages"] | Piece["pages"],
  { file, language }: Pick<Deps, "file" | "language">,
): Proposal[] {
  const find = createPlaceFinder(pages, { isWrapped: file.isWrapped, language });
  const keys = new Set(proposals.map(({ term }) => getTermKey(term)));
  const added = terms.flatMap((one): Proposal[] => {
    const key = getTermKey(one.term);
    const place = keys.has(key) ? null : find(one.term);
    if (!place) return [];
    keys.add(key);
    return [{ ...one, ...place, id: crypto.randomUUID() }];
  });
  return [...proposals, ...added].sort((a, b) => a.page - b.page || a.index - b.index);
}
