import { ExpiringSet } from "#server/expiring-set.ts";
import type { AccountCalls } from "#server/ports.ts";
import { type Pace, Schedule } from "#server/schedule.ts";
import { AppError } from "#shared/errors.ts";

/** At once what a page with all its parts, or a quick walk through folders, asks for; then 5 a second. */
export const accountPace: Pace = { burst: 50, intervalMs: 200, maxWaitMs: 2_000 };

const createRateLimitError = () =>
  new AppError("rate_limited", { retryAfterSeconds: accountPace.maxWaitMs / 1_000 });

/** The pace at which calls of an account begin in this isolate, whose thread others share. */
export class PacedAccountCalls implements AccountCalls {
  readonly #schedule = new Schedule(accountPace);
  /** Credentials that were told to come again later. */
  readonly #refused = new ExpiringSet(accountPace.maxWaitMs);
  readonly #now: () => number;

  constructor(now = Date.now) {
    this.#now = now;
  }

  /**
   * Refuses, before anything is read from the database, who comes again earlier than they were told.
   *
   * @throws AppError `rate_limited`
   */
  checkCredential(credential: string): void {
    if (this.#refused.has(credential, this.#now())) throw createRateLimitError();
  }

  /**
   * Resolves when a request of the user's may begin, which has so many calls.
   *
   * @throws AppError `rate_limited` when too many wait.
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
