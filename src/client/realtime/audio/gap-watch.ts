import type { Clock, Log } from "#client/realtime/platform/ports.ts";
import { chunkMs } from "#client/realtime/takes/take-clock.ts";
import { audioGapWarningMs } from "#shared/limits.ts";

/** After a gap the chunks of a page that was merely held up have arrived within this time. */
const settleMs = 1_000;

interface Deps {
  clock: Clock;
  log: Log;
  onMissing(seconds: number): void;
}

/** Notices when sound stops coming, and tells a page that was held up from a device that was silent. */
export class GapDetector {
  readonly #deps: Deps;
  #lastAt: number | null = null;
  #firstAt = 0;
  #chunkCount = 0;
  /** Time that sound lagged behind before the gap that is being looked at, ms. */
  #lagBeforeGapMs: number | null = null;
  #cancelCheck: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  onChunk(): void {
    const { clock, log } = this.#deps;
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
    this.#chunkCount += 1;
  }

  reset(): void {
    this.#cancelCheck();
    this.#lastAt = null;
    this.#chunkCount = 0;
    this.#lagBeforeGapMs = null;
  }

  #reportGap(): void {
    const before = this.#lagBeforeGapMs;
    this.#lagBeforeGapMs = null;
    if (before === null || this.#lastAt === null) return;
    const seconds = Math.round((this.#getLagMs(this.#lastAt) - before) / 1_000);
    if (seconds > 0) this.#deps.onMissing(seconds);
  }

  #getLagMs(now: number): number {
    return now - this.#firstAt - this.#chunkCount * chunkMs;
  }
}
