import { allowanceLowMs } from "#shared/limits.ts";
import type { Clock } from "./platform/ports.ts";
import { withTimeout } from "./timeouts-and-retries.ts";
import type { AllowanceUsage } from "./types.ts";

/** A start does not wait longer than this to hear what is left: the room knows it too. */
export const allowanceTimeoutMs = 3_000;
const freeSeconds = 3_600;

export interface AccountAllowance {
  /** As it was heard last; null: not yet. */
  getCached(): AllowanceUsage | null;
  /** As it is now; null where the server does not say. */
  fetch(): Promise<AllowanceUsage | null>;
}

/** How much may still be recorded, as the account and the room tell it. */
export class Allowance {
  readonly #account: AccountAllowance | null;
  readonly #clock: Clock;
  #roomUsage: AllowanceUsage | null = null;
  #hasWarned = false;

  /** `account` null: a guest's allowance is known to the room alone. */
  constructor(account: AccountAllowance | null, clock: Clock) {
    this.#account = account;
    this.#clock = clock;
  }

  /** As the room has told it since recording began; null before its first word. */
  get usage(): AllowanceUsage | null {
    return this.#roomUsage;
  }

  reset(): void {
    this.#roomUsage = null;
    this.#hasWarned = false;
  }

  update(figures: AllowanceUsage): void {
    this.#roomUsage = figures;
    // A better plan, or a new month: should little be left again, that is news again.
    if (getRemainingSeconds(figures) * 1_000 > allowanceLowMs) this.#hasWarned = false;
  }

  /** The room says that little is left. True when the person does not know yet. */
  shouldWarn(): boolean {
    const news = !this.#hasWarned;
    this.#hasWarned = true;
    return news;
  }

  get limitHours(): number {
    const figures = this.#roomUsage ?? this.#account?.getCached();
    return Math.round((figures?.limitSeconds ?? freeSeconds) / 36) / 100;
  }

  /** True when nothing is left to begin with. The server is asked where nothing is known to be left. */
  async isExhausted(outer: AbortSignal): Promise<boolean> {
    const account = this.#account;
    if (account === null) return false;
    const known = account.getCached();
    if (known !== null && getRemainingSeconds(known) > 0) return false;
    const asked = await withTimeout(
      this.#clock,
      allowanceTimeoutMs,
      () => account.fetch(),
      outer,
    ).catch(() => null);
    const figures = asked ?? known;
    return figures !== null && getRemainingSeconds(figures) <= 0;
  }
}

/** Seconds left; not negative where devices together went beyond the limit. */
export function getRemainingSeconds({ usedSeconds, limitSeconds }: AllowanceUsage): number {
  return Math.max(0, limitSeconds - usedSeconds);
}
