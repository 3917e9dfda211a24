import type { MissingTranslations } from "#client/realtime/lecture/lecture-document.ts";
import { WaitingRows, waitingBarMs } from "./waiting-rows.ts";

/** The rows that wait for this page's translators, which may fail and be tried again. */
export class TranslatorRows extends WaitingRows {
  /** No translation will come before something changes. */
  #isHopeless = false;

  override add(position: number): void {
    super.add(position);
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
    this.update();
  }
}

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
