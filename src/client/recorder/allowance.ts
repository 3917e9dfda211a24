import type { Clock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { allowanceLowMs } from "#shared/limits.ts";

/** Recorded seconds and their limit: per calendar month (UTC) for a user, per day for a guest. */
export interface AllowanceUsage {
  usedSeconds: number;
  limitSeconds: number;
}

/** A start waits no longer than this for the current allowance: the room checks it again. */
const allowanceTimeoutMs = 3_000;
const freeSeconds = 3_600;

export interface AccountAllowance {
  /** The last known value; null: not fetched yet. */
  getCached(): AllowanceUsage | null;
  /** The current value; null when the server does not answer. */
  fetch(): Promise<AllowanceUsage | null>;
}

/** How much may still be recorded, according to the account and the room. */
export class Allowance {
  #roomUsage: AllowanceUsage | null = null;
  #hasWarned = false;

  /** `account` null: a guest's allowance is known only to the room. */
  constructor(
    private readonly account: AccountAllowance | null,
    private readonly clock: Clock,
  ) {}

  /** The room's last report in this recording; null before the first. */
  get usage(): AllowanceUsage | null {
    return this.#roomUsage;
  }

  reset(): void {
    this.#roomUsage = null;
    this.#hasWarned = false;
  }

  update(usage: AllowanceUsage): void {
    this.#roomUsage = usage;
    // After an upgrade or in a new month a low allowance is worth a new warning.
    if (getRemainingSeconds(usage) * 1_000 > allowanceLowMs) this.#hasWarned = false;
  }

  /** Called when the room reports a low allowance. True the first time. */
  shouldWarn(): boolean {
    const isFirst = !this.#hasWarned;
    this.#hasWarned = true;
    return isFirst;
  }

  get limitHours(): number {
    const usage = this.#roomUsage ?? this.account?.getCached();
    return Math.round((usage?.limitSeconds ?? freeSeconds) / 36) / 100;
  }

  /** True when nothing is left. The server is asked unless the cached value has time left. */
  async isExhausted(outer: AbortSignal): Promise<boolean> {
    const account = this.account;
    if (account === null) return false;
    const cached = account.getCached();
    if (cached !== null && getRemainingSeconds(cached) > 0) return false;
    const fetched = await withTimeout(
      this.clock,
      allowanceTimeoutMs,
      () => account.fetch(),
      outer,
    ).catch(() => null);
    const usage = fetched ?? cached;
    return usage !== null && getRemainingSeconds(usage) <= 0;
  }
}

/** Never negative, although several devices together may exceed the limit. */
export function getRemainingSeconds({ usedSeconds, limitSeconds }: AllowanceUsage): number {
  return Math.max(0, limitSeconds - usedSeconds);
}
