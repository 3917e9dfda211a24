/** An engine that gives no result for this long while somebody speaks has stalled, ms. */
const stallMs = 6_000;
/** Less sound in that time may be a cough or a chair, ms. */
const speechMinMs = 1_500;

/** The speech for which an engine has given no final words yet. Times are on the lecture's clock, ms. */
export class UnansweredSpeech {
  /** Where the first of it begins; null: there is none. */
  #startMs: number | null = null;
  /** End of the last speech. */
  #endMs = 0;
  /** The beginning of the speech, or the last result since, whichever is later. */
  #waitsSinceMs = 0;
  /** Length of the speech since then. */
  #lengthMs = 0;

  /** Before this time every word that was said is final; null: all that was said is. */
  get startMs(): number | null {
    return this.#startMs;
  }

  /** Somebody spoke from `startMs` to `endMs`. */
  add(startMs: number, endMs: number): void {
    if (this.#startMs === null) this.#startMs = startMs;
    if (this.#lengthMs === 0) this.#waitsSinceMs = Math.max(this.#waitsSinceMs, startMs);
    this.#lengthMs += endMs - startMs;
    this.#endMs = endMs;
  }

  /** The engine has given a result at `nowMs`; `interimMs`: where the words begin that may still change. */
  onResult(nowMs: number, interimMs: number | null): void {
    this.#waitsSinceMs = nowMs;
    this.#lengthMs = 0;
    this.#startMs = interimMs ?? (this.#endMs > nowMs ? nowMs : null);
  }

  /** The speech since the last result is more than a cough. */
  get isLong(): boolean {
    return this.#lengthMs >= speechMinMs;
  }

  isStalled(nowMs: number): boolean {
    return this.isLong && nowMs - this.#waitsSinceMs >= stallMs;
  }
}
