import type { MissingTranslations, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import { isShallowEqual, Signal } from "#client/lib/observable.ts";

/** A row shows for so long that its translation is coming. */
export const waitingBarMs = 15_000;

export interface WaitingRowsDeps {
  clock: Clock;
  /** The rows `ids` are to show that they wait, or no longer. */
  onLate(ids: readonly string[], isLate: boolean): void;
  /** Row `id`, if it is there. */
  getRow(id: string): Pick<TranscriptRow, "position" | "placeholder"> | undefined;
}

/**
 * The rows of a lecture that wait for their translation. After 15 s a row is late: it shows no bar, and `missing` says
 * why.
 */
export class WaitingRows {
  /** Null while no row is blank. */
  readonly missing = new Signal<MissingTranslations | null>(null);
  /** By the row's id: until when it shows its bar; null: it is late. */
  protected readonly until = new Map<string, number | null>();
  protected reason: MissingTranslations["reason"] = "slow";
  /** The row of `missing`. */
  #firstId: string | null = null;
  readonly #timer: Timer;

  constructor(protected readonly deps: WaitingRowsDeps) {
    this.#timer = new Timer(deps.clock);
  }

  /** Row `id` waits from now on. */
  add(id: string): void {
    this.delete(id);
    this.until.set(id, this.deps.clock.now() + waitingBarMs);
    if (!this.#timer.isRunning) this.#schedule(waitingBarMs);
  }

  /** Reads all rows for the next one that is blank, so delete the first one last. */
  delete(id: string): void {
    this.until.delete(id);
    if (this.#firstId === id) this.update();
  }

  isLate(id: string): boolean {
    return this.until.get(id) === null;
  }

  clear(): void {
    this.until.clear();
    this.update();
  }

  protected expire(ids: readonly string[]): void {
    const expired = ids.filter((id) => !this.isLate(id));
    for (const id of expired) this.until.set(id, null);
    if (expired.length > 0) this.deps.onLate(expired, true);
  }

  /** Finds the first row that is blank; after rows have moved, too. */
  update(): void {
    let first: string | null = null;
    let firstPosition = Infinity;
    let nextAt = Infinity;
    for (const [id, until] of this.until) {
      if (until !== null) nextAt = Math.min(nextAt, until);
      else {
        const position = this.findBlank(id);
        if (position >= firstPosition) continue;
        first = id;
        firstPosition = position;
      }
    }
    this.setFirst(first, firstPosition);
    if (nextAt === Infinity) this.#timer.cancel();
    else if (!this.#timer.isRunning) this.#schedule(nextAt - this.deps.clock.now());
  }

  /** The position of row `id` if it shows nothing in place of its translation when it is late; otherwise Infinity. */
  protected findBlank(id: string): number {
    const row = this.deps.getRow(id);
    return row?.placeholder?.text === "" ? row.position : Infinity;
  }

  #schedule(delayMs: number): void {
    // The system clock may be set back; a bar then lives no longer than 15 s from here.
    this.#timer.start(Math.min(delayMs, waitingBarMs), () => {
      const now = this.deps.clock.now();
      this.expire(
        [...this.until].flatMap(([id, until]) =>
          until !== null && (until <= now || until > now + waitingBarMs) ? [id] : [],
        ),
      );
      this.update();
    });
  }

  /** Why row `position` is blank. */
  protected describe(position: number): MissingTranslations {
    return { position, reason: this.reason };
  }

  /** Null: no row is blank. */
  protected setFirst(id: string | null, position: number): void {
    this.#firstId = id;
    const missing = id === null ? null : this.describe(position);
    const before = this.missing.get();
    if (before !== null && missing !== null && isShallowEqual(before, missing)) return;
    this.missing.set(missing);
  }
}
