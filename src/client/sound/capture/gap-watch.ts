import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { audioGapWarningMs } from "#shared/limits.ts";

/** A shorter gap is not reported. */
export const gapMinMs = 1_000;
/** Late chunks of a page that was blocked arrive within this time after the gap. */
const settleMs = 1_000;

interface Deps {
  clock: Clock;
  log: Log;
  /** Sound of `lengthMs` was not delivered, after which audio of `sinceMs` was received. */
  onMissing(lengthMs: number, sinceMs: number): void;
}

/** Detects gaps between chunks, and reports those in which the device delivered nothing; a blocked page loses nothing. */
export class GapDetector {
  #lastAt: number | null = null;
  #firstAt = 0;
  /** Length of the received audio, ms. */
  #receivedMs = 0;
  /** Lag and received audio before the gap that is being checked, ms; null: no check is running. */
  #beforeGap: { lagMs: number; receivedMs: number } | null = null;
  #cancelCheck: () => void = () => {};

  constructor(private readonly deps: Deps) {}

  /** When the last chunk arrived, ms since the epoch; null: none has since `reset`. */
  get lastAt(): number | null {
    return this.#lastAt;
  }
  /** Length of the audio received since `reset`, ms. */
  get receivedMs(): number {
    return this.#receivedMs;
  }

  onChunk(lengthMs: number): void {
    const now = this.deps.clock.now();
    if (this.#lastAt === null) this.#firstAt = now;
    else this.#onInterval(now - this.#lastAt, lengthMs, this.#lastAt);
    this.#lastAt = now;
    this.#receivedMs += lengthMs;
  }

  /** Audio of `lengthMs` was missing up to now, which is reported already. */
  skip(lengthMs: number): void {
    if (this.#lastAt === null) return;
    const now = this.deps.clock.now();
    // Between two absences there may have been no chunk.
    this.#onInterval(now - this.#lastAt, lengthMs, this.#lastAt);
    this.#lastAt = now;
    this.#firstAt += lengthMs;
  }

  /** `ms` after `lastAt` audio of `lengthMs` came, or was reported as missing. */
  #onInterval(ms: number, lengthMs: number, lastAt: number): void {
    if (ms > audioGapWarningMs) this.deps.log.warn("gap between audio chunks", { ms });
    if (ms - lengthMs < gapMinMs || this.#beforeGap !== null) return;
    this.#beforeGap = { lagMs: this.#getLagMs(lastAt), receivedMs: this.#receivedMs };
    this.#cancelCheck = this.deps.clock.after(settleMs, () => this.#reportGap());
  }

  /** No chunk follows. Reports what was missing up to now. */
  end(): void {
    this.onChunk(0);
    this.endWithLast();
  }

  /** The same up to the last chunk. */
  endWithLast(): void {
    this.#reportGap();
    this.reset();
  }

  reset(): void {
    this.#cancelCheck();
    this.#lastAt = null;
    this.#receivedMs = 0;
    this.#beforeGap = null;
  }

  #reportGap(): void {
    const before = this.#beforeGap;
    this.#beforeGap = null;
    if (before === null || this.#lastAt === null) return;
    const lengthMs = this.#getLagMs(this.#lastAt) - before.lagMs;
    if (lengthMs >= gapMinMs) this.deps.onMissing(lengthMs, this.#receivedMs - before.receivedMs);
  }

  /** How far the received audio is behind the clock at `now`, ms. */
  #getLagMs(now: number): number {
    return now - this.#firstAt - this.#receivedMs;
  }
}
