import { type Clock, Timer } from "#client/lib/clock.ts";
import { isShallowEqual, Signal } from "#client/lib/observable.ts";
import type { MissingTranslations } from "#client/realtime/session-types.ts";

/** A row shows for so long that its translation is coming. */
const waitingBarMs = 15_000;

interface Deps {
  clock: Clock;
  /** The rows at `positions` are to show that they wait, or no longer. */
  onLate(positions: readonly number[], isLate: boolean): void;
  /** Row `position` shows nothing in place of its translation when it is late. */
  isBlank(position: number): boolean;
}

/**
 * The rows of a lecture that wait for their translation. After 15 s, or as soon as it is known that none will come, a
 * row is late: it shows no bar, and `missing` says why.
 */
export class WaitingRows {
  /** Null while no row is blank. */
  readonly missing = new Signal<MissingTranslations | null>(null);
  /** By position: until when a row shows its bar; null: it is late. */
  #until = new Map<number, number | null>();
  #reason: MissingTranslations["reason"] = "slow";
  /** No translation will come before something changes. */
  #isHopeless = false;
  readonly #timer: Timer;

  constructor(private readonly deps: Deps) {
    this.#timer = new Timer(deps.clock);
  }

  /** Row `position` waits from now on. */
  add(position: number): void {
    this.#until.delete(position);
    this.#until.set(position, this.#isHopeless ? null : this.deps.clock.now() + waitingBarMs);
    if (this.#isHopeless) this.deps.onLate([position], true);
    this.#update();
  }

  delete(position: number): void {
    if (this.#until.delete(position)) this.#update();
  }

  isLate(position: number): boolean {
    return this.#until.get(position) === null;
  }

  /** A translation has failed because of `reason`; `isHopeless`: and so will all others. */
  onFailed(reason: MissingTranslations["reason"], isHopeless: boolean): void {
    this.#reason = reason;
    this.#isHopeless = isHopeless;
    if (isHopeless) this.#expire([...this.#until.keys()]);
    this.#update();
  }

  /** Translations come, or may come again. */
  onProgress(): void {
    this.#reason = "slow";
    this.#isHopeless = false;
    this.#update();
  }

  /** The person wants them now: all rows show their bars for another 15 s. */
  restart(): void {
    this.onProgress();
    const positions = [...this.#until.keys()];
    const until = this.deps.clock.now() + waitingBarMs;
    for (const position of positions) this.#until.set(position, until);
    this.deps.onLate(positions, false);
    this.#update();
  }

  /** After a merge: see `RowTranslator.updatePositions`. */
  updatePositions(moved: ReadonlyMap<number, number>): void {
    this.#until = new Map(
      [...this.#until].flatMap(([from, until]) => {
        const position = moved.get(from);
        return position === undefined ? [] : [[position, until] as const];
      }),
    );
    this.#update();
  }

  clear(): void {
    this.#until.clear();
    this.#update();
  }

  #expire(positions: readonly number[]): void {
    const expired = positions.filter((position) => !this.isLate(position));
    for (const position of expired) this.#until.set(position, null);
    if (expired.length > 0) this.deps.onLate(expired, true);
  }

  #update(): void {
    let first = Infinity;
    let nextAt = Infinity;
    for (const [position, until] of this.#until) {
      if (until !== null) nextAt = Math.min(nextAt, until);
      else if (position < first && this.deps.isBlank(position)) first = position;
    }
    this.#setMissing(first === Infinity ? null : { position: first, reason: this.#reason });
    if (nextAt === Infinity) this.#timer.cancel();
    else if (!this.#timer.isRunning) this.#schedule(nextAt - this.deps.clock.now());
  }

  #schedule(delayMs: number): void {
    // The system clock may be set back; a bar then lives no longer than 15 s from here.
    this.#timer.start(Math.min(delayMs, waitingBarMs), () => {
      const now = this.deps.clock.now();
      this.#expire(
        [...this.#until].flatMap(([position, until]) =>
          until !== null && (until <= now || until > now + waitingBarMs) ? [position] : [],
        ),
      );
      this.#update();
    });
  }

  #setMissing(missing: MissingTranslations | null): void {
    const before = this.missing.get();
    if (before !== null && missing !== null && isShallowEqual(before, missing)) return;
    this.missing.set(missing);
  }
}
