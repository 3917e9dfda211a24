import type { Clock } from "#client/realtime/platform/ports.ts";
import { ApiError } from "#client/realtime/server-api.ts";
import type { ErrorCode } from "#shared/errors.ts";

export type BudgetCode = Extract<ErrorCode, "model_budget_exhausted" | "site_budget_exhausted">;

export function isBudgetError(error: unknown): error is ApiError & { code: BudgetCode } {
  return (
    error instanceof ApiError &&
    (error.code === "model_budget_exhausted" || error.code === "site_budget_exhausted")
  );
}

/** The budget grows while something is recorded, so it is worth a try before the day is over. */
const pauseMaxMs = 600_000;
/** Whoever comes back to the page may have another plan by now. */
const wakeAfterMs = 60_000;

interface Deps {
  clock: Clock;
  /** Called once, until a call has succeeded again. */
  onExhausted(code: BudgetCode): void;
}

/** Refuses the page's own model calls while the day's budget is used up, but for one every ten minutes. */
export class ModelPause {
  readonly #deps: Deps;
  #refusal: { code: BudgetCode; at: number; pauseMs: number } | null = null;
  #hasNotified = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Runs `call`, or refuses it as the server refused the last one.
   *
   * @throws ApiError whose `retryAfterSeconds` say when the server is asked again, beside what `call` throws.
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
      this.#pause(error);
      throw this.#getCurrentRefusal() ?? error;
    }
  }

  /** The person is back: the next call asks the server, unless it was asked a moment ago. */
  wake(): void {
    if (this.#refusal === null) return;
    const since = this.#deps.clock.now() - this.#refusal.at;
    if (since < 0 || since >= wakeAfterMs) this.#refusal = null;
  }

  #getCurrentRefusal(): ApiError | null {
    if (this.#refusal === null) return null;
    const { code, at, pauseMs } = this.#refusal;
    const since = this.#deps.clock.now() - at;
    // A clock that was set back must not hold it up.
    if (since < 0 || since >= pauseMs) return null;
    return new ApiError(code, true, { retryAfterSeconds: (pauseMs - since) / 1_000 });
  }

  #pause({ code, retryAfterSeconds }: ApiError & { code: BudgetCode }): void {
    const askedMs = (retryAfterSeconds ?? Number.POSITIVE_INFINITY) * 1_000;
    const pauseMs = Math.min(askedMs, pauseMaxMs);
    this.#refusal = { code, at: this.#deps.clock.now(), pauseMs };
    if (this.#hasNotified) return;
    this.#hasNotified = true;
    this.#deps.onExhausted(code);
  }
}
