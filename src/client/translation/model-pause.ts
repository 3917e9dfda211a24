import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { ErrorCode } from "#shared/errors.ts";

export type BudgetCode = Extract<ErrorCode, "model_budget_exhausted" | "site_budget_exhausted">;

export function isBudgetError(error: unknown): error is ApiError & { code: BudgetCode } {
  return (
    error instanceof ApiError &&
    (error.code === "model_budget_exhausted" || error.code === "site_budget_exhausted")
  );
}

/** Recording increases the budget, so the server is asked again before the day is over. */
const pauseMaxMs = 600_000;
/** Shortest pause when `wake` ends it: the person may have upgraded meanwhile. */
const wakeAfterMs = 60_000;

interface Deps {
  clock: Clock;
  /** Called once until a call succeeds again. */
  onExhausted(code: BudgetCode): void;
}

/**
 * Refuses translations locally while the day's budget is used up; one every ten minutes reaches the server. Until
 * then the rows wait in `TranslationQueue`.
 */
export class ModelPause {
  #refusal: { code: BudgetCode; startedAt: number; pauseMs: number } | null = null;
  #hasNotified = false;

  constructor(private readonly deps: Deps) {}

  /**
   * Runs `call`, or throws the error of the last refused call.
   *
   * @throws ApiError with the `retryAfterSeconds` of the pause, or what `call` throws
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const refusal = this.#getCurrentRefusal();
    if (refusal !== null) throw refusal;
    try {
      const answer = await call();
      this.#refusal = null;
      this.#hasNotified = false;
      return answer;
    } catch (error) {
      if (!isBudgetError(error)) throw error;
      const { code, retryAfterSeconds = Number.POSITIVE_INFINITY } = error;
      const pauseMs = Math.min(retryAfterSeconds * 1_000, pauseMaxMs);
      this.#refusal = { code, startedAt: this.deps.clock.now(), pauseMs };
      if (!this.#hasNotified) this.deps.onExhausted(code);
      this.#hasNotified = true;
      throw this.#getCurrentRefusal() ?? error;
    }
  }

  /** Ends the pause if it is older than a minute: the person is back. */
  wake(): void {
    if (this.#refusal === null) return;
    const since = this.deps.clock.now() - this.#refusal.startedAt;
    if (since < 0 || since >= wakeAfterMs) this.#refusal = null;
  }

  #getCurrentRefusal(): ApiError | null {
    if (this.#refusal === null) return null;
    const { code, startedAt, pauseMs } = this.#refusal;
    const since = this.deps.clock.now() - startedAt;
    // Negative when the system clock was set back: the pause then ends.
    if (since < 0 || since >= pauseMs) return null;
    return new ApiError(code, true, { retryAfterSeconds: (pauseMs - since) / 1_000 });
  }
}
