import { CallSchedule, type Pace } from "#server/call-pace.ts";
import { ExpiringSet } from "#server/expiring-set.ts";
import type { AccountCalls } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";

/** A burst covers a full page load or quick navigation; after it 5 calls a second. */
export const accountPace: Pace = { burst: 50, intervalMs: 200, maxWaitMs: 2_000 };

const createRateLimitError = () =>
  new AppError("rate_limited", { retryAfterSeconds: accountPace.maxWaitMs / 1_000 });

/** Limits how fast one account's calls start in this isolate, whose thread other accounts share. */
export class PacedAccountCalls implements AccountCalls {
  readonly #schedule = new CallSchedule(accountPace);
  /** Credentials that were recently rejected. */
  readonly #refused = new ExpiringSet(accountPace.maxWaitMs);
  readonly #now: () => number;

  constructor(now = Date.now) {
    this.#now = now;
  }

  /**
   * Rejects a credential that retries too early, before anything is read from the database.
   *
   * @throws AppError `rate_limited`
   */
  checkCredential(credential: string): void {
    if (this.#refused.has(credential, this.#now())) throw createRateLimitError();
  }

  /**
   * Resolves when the user's request, which has `calls` calls, may start.
   *
   * @throws AppError `rate_limited` when the wait would be too long.
   */
  async waitForStart(userId: string, credential: string, calls: number): Promise<void> {
    const now = this.#now();
    const waitMs = this.#schedule.reserve(userId, now);
    if (waitMs === null) {
      this.#refused.add(credential, now);
      throw createRateLimitError();
    }
    this.#schedule.postpone(userId, calls - 1, now);
    if (waitMs > 0) await scheduler.wait(waitMs);
  }

  addCalls(userId: string, turns: number): void {
    this.#schedule.postpone(userId, turns, this.#now());
  }
}
