import { ExpiringSet } from "#server/expiring-set.ts";
import type { AccountCalls } from "#server/ports.ts";
import { type Pace, Schedule } from "#server/schedule.ts";
import { AppError } from "#shared/errors.ts";

/** At once what a page with all its parts, or a quick walk through folders, asks for; then 5 a second. */
export const accountPace: Pace = { burst: 50, intervalMs: 200, waitMaxMs: 2_000 };

const createRefusal = () =>
  new AppError("rate_limited", { retryAfterSeconds: accountPace.waitMaxMs / 1_000 });

/** The pace at which calls of an account begin in this isolate, whose thread others share. */
export class AccountPace implements AccountCalls {
  readonly #schedule = new Schedule(accountPace);
  /** Credentials that were told to come again later. */
  readonly #refused = new ExpiringSet(accountPace.waitMaxMs);
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
    if (this.#refused.has(credential, this.#now())) throw createRefusal();
  }

  /**
   * Resolves when a request of the user's may begin, which has so many calls.
   *
   * @throws AppError `rate_limited` when too many wait.
   */
  async takeTurns(userId: string, credential: string, calls: number): Promise<void> {
    const now = this.#now();
    const waitMs = this.#schedule.take(userId, now);
    if (waitMs === null) {
      this.#refused.add(credential, now);
      throw createRefusal();
    }
    this.#schedule.add(userId, calls - 1, now);
    if (waitMs > 0) await scheduler.wait(waitMs);
  }

  addTurns(userId: string, turns: number): void {
    this.#schedule.add(userId, turns, this.#now());
  }
}
