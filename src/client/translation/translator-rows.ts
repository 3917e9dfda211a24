import type { MissingTranslations } from "#client/lecture/lecture-document.ts";
import { WaitingRows, waitingBarMs } from "./waiting-rows.ts";

/** The rows that wait for this page's translators, which may fail and be tried again. */
export class TranslatorRows extends WaitingRows {
  /** No translation will come before something changes. */
  #isHopeless = false;
  /** By the row's id: since when it waits, ms since the epoch. */
  readonly #since = new Map<string, number>();
  /** The last row that was answered when no later one was. */
  #newest: { id: string; waitedMs: number } | null = null;

  override add(id: string): void {
    super.add(id);
    this.#since.set(id, this.deps.clock.now());
    if (!this.#isHopeless) return;
    this.expire([id]);
    const position = this.findBlank(id);
    if (position < (this.missing.get()?.position ?? Infinity)) this.setFirst(id, position);
  }

  /** A translation has failed because of `reason`; `isHopeless`: and so will all others. */
  onFailed(reason: MissingTranslations["reason"], isHopeless: boolean): void {
    this.reason = reason;
    this.#isHopeless = isHopeless;
    if (isHopeless) this.expire([...this.until.keys()]);
    this.update();
  }

  override delete(id: string): void {
    this.#since.delete(id);
    super.delete(id);
  }

  override clear(): void {
    this.#since.clear();
    this.#newest = null;
    super.clear();
  }

  /** The translation of row `id`, which waits, has come. Those of rows that were passed over say nothing. */
  onAnswer(id: string): void {
    const since = this.#since.get(id);
    const isNewest =
      this.#newest === null || this.#getPosition(id) >= this.#getPosition(this.#newest.id);
    if (since !== undefined && isNewest)
      this.#newest = { id, waitedMs: Math.max(0, this.deps.clock.now() - since) };
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
    const ids = [...this.until.keys()];
    const until = this.deps.clock.now() + waitingBarMs;
    for (const id of ids) this.until.set(id, until);
    this.deps.onLate(ids, false);
    this.update();
  }

  /** -1: it is not there any more. */
  #getPosition(id: string): number {
    return this.deps.getRow(id)?.position ?? -1;
  }
}

/** Seconds that a person reads: a number that changes with each row is no help. */
const roundUp = (seconds: number): number => Math.max(5, 5 * Math.ceil(seconds / 5));
