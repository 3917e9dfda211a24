import { allowanceLowMs } from "#shared/limits.ts";
import type { Clock } from "./platform/ports.ts";
import { limited } from "./timeouts-and-retries.ts";
import type { AllowanceFigures } from "./types.ts";

/** A start does not wait longer than this to hear what is left: the room knows it too. */
export const askMs = 3_000;
const freeSeconds = 3_600;

export interface AccountAllowance {
  /** As it was heard last; null: not yet. */
  known(): AllowanceFigures | null;
  /** As it is now; null where the server does not say. */
  ask(): Promise<AllowanceFigures | null>;
}

/** How much may still be recorded, as the account and the room tell it. */
export class Allowance {
  readonly #account: AccountAllowance | null;
  readonly #clock: Clock;
  #told: AllowanceFigures | null = null;
  #warned = false;

  /** `account` null: a guest's allowance is known to the room alone. */
  constructor(account: AccountAllowance | null, clock: Clock) {
    this.#account = account;
    this.#clock = clock;
  }

  /** As the room has told it since recording began; null before its first word. */
  get usage(): AllowanceFigures | null {
    return this.#told;
  }

  begin(): void {
    this.#told = null;
    this.#warned = false;
  }

  count(figures: AllowanceFigures): void {
    this.#told = figures;
    // A better plan, or a new month: should little be left again, that is news again.
    if (leftOf(figures) * 1_000 > allowanceLowMs) this.#warned = false;
  }

  /** The room says that little is left. True when the person does not know yet. */
  isNews(): boolean {
    const news = !this.#warned;
    this.#warned = true;
    return news;
  }

  get limitHours(): number {
    const figures = this.#told ?? this.#account?.known();
    return Math.round((figures?.limitSeconds ?? freeSeconds) / 36) / 100;
  }

  /** True when nothing is left to begin with. The server is asked where nothing is known to be left. */
  async isUsedUp(outer: AbortSignal): Promise<boolean> {
    const account = this.#account;
    if (account === null) return false;
    const known = account.known();
    if (known !== null && leftOf(known) > 0) return false;
    const asked = await limited(this.#clock, askMs, () => account.ask(), outer).catch(() => null);
    const figures = asked ?? known;
    return figures !== null && leftOf(figures) <= 0;
  }
}

/** Seconds left; not negative where devices together went beyond the limit. */
export function leftOf({ usedSeconds, limitSeconds }: AllowanceFigures): number {
  return Math.max(0, limitSeconds - usedSeconds);
}
