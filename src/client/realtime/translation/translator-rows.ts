import type { MissingTranslations } from "#client/realtime/lecture/lecture-document.ts";
import { WaitingRows, waitingBarMs } from "./waiting-rows.ts";

/** The rows that wait for this page's translators, which may fail and be tried again. */
export class TranslatorRows extends WaitingRows {
  /** No translation will come before something changes. */
  #isHopeless = false;
  /** By position: since when a row waits, ms since the epoch. */
  #since = new Map<number, number>();
  /** The last row that was answered when no later one was. */
  #newest: { position: number; waitedMs: number } | null = null;

  override add(position: number): void {
    super.add(position);
    this.#since.set(position, this.deps.clock.now());
    if (!this.#isHopeless) return;
    this.expire([position]);
    const first = this.missing.get()?.position ?? Infinity;
    if (position < first && this.deps.isBlank(position)) this.setFirst(position);
  }

  /** A translation has failed because of `reason`; `isHopeless`: and so will all others. */
  onFailed(reason: MissingTranslations["reason"], isHopeless: boolean): void {
    this.reason = reason;
    this.#isHopeless = isHopeless;
    if (isHopeless) this.expire([...this.until.keys()]);
    this.update();
  }

  override delete(position: number): void {
    this.#since.delete(position);
    super.delete(position);
  }

  override clear(): void {
    this.#since.clear();
    this.#newest = null;
    super.clear();
  }

  /** The translation of row `position`, which waits, has come. Those of rows that were passed over say nothing. */
  onAnswer(position: number): void {
    const since = this.#since.get(position);
    const isNewest = this.#newest === null || position >= this.#newest.position;
    if (since !== undefined && isNewest)
      this.#newest = { position, waitedMs: Math.max(0, this.deps.clock.now() - since) };
    this.onProgress();
  }

  protected override describe(position: number): MissingTranslations {
    const missing = super.describe(position);
    if (missing.reason !== "slow" || this.#newest === null) return missing;
    return { ...missing, behindSeconds: roundUp(this.#newest.waitedMs / 1_000) };
  }

  /** Translations come, or may come again. */
  onProgress(): void {
    this.reason = "slow";
    this.#isHopeless = false;
    this.update();
  }

  /** The person wants them now: all rows show their bars for another 15 s. */
  restart(): void {
    this.onProgress();
    const positions = [...this.until.keys()];
    const until = this.deps.clock.now() + waitingBarMs;
    for (const position of positions) this.until.set(position, until);
    this.deps.onLate(positions, false);
    this.update();
  }

  /** After a merge: see `RowTranslator.updatePositions`. */
  updatePositions(moved: ReadonlyMap<number, number>): void {
    this.until = moveValues(this.until, moved);
    this.#since = moveValues(this.#since, moved);
    this.#newest = null;
    this.update();
  }
}

/** Seconds that a person reads: a number that changes with each row is no help. */
const roundUp = (seconds: number): number => Math.max(5, 5 * Math.ceil(seconds / 5));

/** `values` by their new positions; `moved` maps the old ones. */
export const moveValues = <T>(
  values: ReadonlyMap<number, T>,
  moved: ReadonlyMap<number, number>,
): Map<number, T> =>
  new Map(
    [...values].flatMap(([from, value]) => {
      const position = moved.get(from);
      return position === undefined ? [] : [[position, value] as const];
    }),
  );
