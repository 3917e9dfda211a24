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
  #chunks = 0;
  /** Time that sound lagged behind before the gap that is being looked at, ms. */
  #lagBefore: number | null = null;
  #cancel: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  onChunk(): void {
    const { clock, log } = this.#deps;
    const now = clock.now();
    if (this.#lastAt === null) this.#firstAt = now;
    else if (now - this.#lastAt > audioGapWarningMs) {
      log.warn("gap between audio chunks", { ms: now - this.#lastAt });
      if (this.#lagBefore === null) {
        this.#lagBefore = this.#lag(this.#lastAt);
        this.#cancel = clock.after(settleMs, () => this.#settle());
      }
    }
    this.#lastAt = now;
    this.#chunks += 1;
  }

  reset(): void {
    this.#cancel();
    this.#lastAt = null;
    this.#chunks = 0;
    this.#lagBefore = null;
  }

  #settle(): void {
    const before = this.#lagBefore;
    this.#lagBefore = null;
    if (before === null || this.#lastAt === null) return;
    const seconds = Math.round((this.#lag(this.#lastAt) - before) / 1_000);
    if (seconds > 0) this.#deps.onMissing(seconds);
  }

  #lag(now: number): number {
    return now - this.#firstAt - this.#chunks * chunkMs;
  }
}
