import { toApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { knownTermsMax } from "#shared/limits.ts";
import { type Piece, splitPieces } from "./pieces.ts";
import { ProposalRun, type ProposedTerm, type RunInput } from "./proposal-run.ts";

/** After these no other piece would be answered. */
const endingCodes: ReadonlySet<ErrorCode> = new Set([
  ...(["unavailable", "model_budget_exhausted", "site_budget_exhausted"] as const),
  ...(["unauthenticated", "sign_in_required"] as const),
]);
const waitSeconds = 60;

interface ModelInput extends RunInput {
  /** @throws ApiError */
  ask(piece: { text: string; known: string[] }, signal: AbortSignal): Promise<ProposedTerm[]>;
  clock: Clock;
}

/** Asks the model about a file, piece by piece. Each term is proposed once, where it is said first. */
export class ModelRun extends ProposalRun<ModelInput> {
  /** Those that were not answered, in the order of the file. */
  readonly #open = new Set(splitPieces(this.input.file.pages));
  readonly #total = this.#open.size;

  protected async work(signal: AbortSignal): Promise<void> {
    let failure: unknown = null;
    for (const piece of this.#open) {
      this.set({ done: this.#total - this.#open.size, total: this.#total });
      try {
        await this.#askAbout(piece, signal);
        this.#open.delete(piece);
      } catch (cause) {
        failure = cause;
        if (signal.aborted || endingCodes.has(toApiError(cause).code)) break;
      }
    }
    this.set({ done: this.#total - this.#open.size });
    if (failure !== null) throw failure;
  }

  async #askAbout({ text, pages }: Piece, signal: AbortSignal): Promise<void> {
    const known = this.state.get().proposals.slice(-knownTermsMax);
    try {
      const terms = await this.input.ask({ text, known: known.map(({ term }) => term) }, signal);
      signal.throwIfAborted();
      this.propose(terms, pages);
    } catch (failure) {
      const { code, retryAfterSeconds = waitSeconds } = toApiError(failure);
      if (signal.aborted || code !== "rate_limited") throw failure;
      await this.#wait(retryAfterSeconds * 1_000, signal);
      await this.#askAbout({ text, pages }, signal);
    }
  }

  /** @throws the reason of `signal` */
  #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    this.set({ step: "waiting" });
    return new Promise((resolve, reject) => {
      const cancel = this.input.clock.after(delayMs, () => {
        this.set({ step: "running" });
        resolve();
      });
      signal.addEventListener("abort", () => {
        cancel();
        reject(signal.reason);
      });
    });
  }
}
