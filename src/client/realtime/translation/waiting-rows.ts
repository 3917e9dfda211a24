import { type Clock, Timer } from "#client/lib/clock.ts";
import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import type { MissingTranslations } from "#client/realtime/lecture/lecture-document.ts";

/** A row shows for so long that its translation is coming. */
export const waitingBarMs = 15_000;

export interface WaitingRowsDeps {
  clock: Clock;
  /** The rows at `positions` are to show that they wait, or no longer. */
  onLate(positions: readonly number[], isLate: boolean): void;
  /** Row `position` shows nothing in place of its translation when it is late. */
  isBlank(position: number): boolean;
}

/**
 * The rows of a lecture that wait for their translation. After 15 s a row is late: it shows no bar, and `missing` says
 * why.
 */
export class WaitingRows {
  /** Null while no row is blank. */
  readonly missing = new Signal<MissingTranslations | null>(null);
  /** By position: until when a row shows its bar; null: it is late. */
  protected until = new Map<number, number | null>();
  protected reason: MissingTranslations["reason"] = "slow";
  readonly #timer: Timer;

  constructor(protected readonly deps: WaitingRowsDeps) {
    this.#timer = new Timer(deps.clock);
  }

  /** Row `position` waits from now on. */
  add(position: number): void {
    this.delete(position);
    this.until.set(position, this.deps.clock.now() + waitingBarMs);
    if (!this.#timer.isRunning) this.#schedule(waitingBarMs);
  }

  /** Reads all rows for the next one that is blank, so delete the first one last. */
  delete(position: number): void {
    this.until.delete(position);
    if (this.missing.get()?.position === position) this.update();
  }

  isLate(position: number): boolean {
    return this.until.get(position) === null;
  }

  clear(): void {
    this.until.clear();
    this.update();
  }

  protected expire(positions: readonly number[]): void {
    const expired = positions.filter((position) => !this.isLate(position));
    for (const position of expired) this.until.set(position, null);
    if (expired.length > 0) this.deps.onLate(expired, true);
  }

  protected update(): void {
    let first = Infinity;
    let nextAt = Infinity;
    for (const [position, until] of this.until) {
      if (until !== null) nextAt = Math.min(nextAt, until);
      else if (position < first && this.deps.isBlank(position)) first = position;
    }
    this.setFirst(first);
    if (nextAt === Infinity) this.#timer.cancel();
    else if (!this.#timer.isRunning) this.#schedule(nextAt - this.deps.clock.now());
  }

  #schedule(delayMs: number): void {
    // The system clock may be set back; a bar then lives no longer than 15 s from here.
    this.#timer.start(Math.min(delayMs, waitingBarMs), () => {
      const now = this.deps.clock.now();
      this.expire(
        [...this.until].flatMap(([position, until]) =>
          until !== null && (until <= now || until > now + waitingBarMs) ? [position] : [],
        ),
      );
      this.update();
    });
  }

  /** Why row `position` is blank. */
  protected describe(position: number): MissingTranslations {
    return { position, reason: this.reason };
  }

  /** Infinity: no row is blank. */
  protected setFirst(position: number): void {
    const missing = position === Infinity ? null : this.describe(position);
    const before = this.missing.get();
    if (before !== null && missing !== null && isShallowEqual(before, missing)) return;
    this.missing.set(missing);
  }
}
