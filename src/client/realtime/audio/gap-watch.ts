import type { SessionPorts } from "#client/realtime/session-ports.ts";
import { audioGapWarningMs } from "#shared/limits.ts";

/** Late chunks of a page that was blocked arrive within this time after the gap. */
const settleMs = 1_000;

interface Deps extends Pick<SessionPorts, "clock" | "log"> {
  onMissing(seconds: number): void;
}

/** Detects gaps between chunks, and reports those in which the device delivered nothing; a blocked page loses nothing. */
export class GapDetector {
  #lastAt: number | null = null;
  #firstAt = 0;
  /** Length of the received audio, ms. */
  #receivedMs = 0;
  /** Lag before the gap that is being checked, ms; null: no check is running. */
  #lagBeforeGapMs: number | null = null;
  #cancelCheck: () => void = () => {};

  constructor(private readonly deps: Deps) {}

  onChunk(lengthMs: number): void {
    const { clock, log } = this.deps;
    const now = clock.now();
    if (this.#lastAt === null) this.#firstAt = now;
    else if (now - this.#lastAt > audioGapWarningMs) {
      log.warn("gap between audio chunks", { ms: now - this.#lastAt });
      if (this.#lagBeforeGapMs === null) {
        this.#lagBeforeGapMs = this.#getLagMs(this.#lastAt);
        this.#cancelCheck = clock.after(settleMs, () => this.#reportGap());
      }
    }
    this.#lastAt = now;
    this.#receivedMs += lengthMs;
  }

  reset(): void {
    this.#cancelCheck();
    this.#lastAt = null;
    this.#receivedMs = 0;
    this.#lagBeforeGapMs = null;
  }

  #reportGap(): void {
    const before = this.#lagBeforeGapMs;
    this.#lagBeforeGapMs = null;
    if (before === null || this.#lastAt === null) return;
    const seconds = Math.round((this.#getLagMs(this.#lastAt) - before) / 1_000);
    if (seconds > 0) this.deps.onMissing(seconds);
  }

  /** How far the received audio is behind the clock at `now`, ms. */
  #getLagMs(now: number): number {
    return now - this.#firstAt - this.#receivedMs;
  }
}
