import { type Clock, Timer } from "#client/lib/clock.ts";
import type { LossReason } from "#shared/recorded-take.ts";
import { gapMinMs } from "./gap-watch.ts";

interface Deps {
  clock: Clock;
  /** No sound comes since `at`, ms since the epoch, until `onEnd`. */
  onBegin(reason: LossReason, at: number): void;
  /** It has lasted `lengthMs`. */
  onEnd(lengthMs: number): void;
}

/** A time in which a source is opened, in place of one that gives no sound. What is shorter than `gapMinMs` is not told. */
export class SoundLoss {
  #current: { reason: LossReason; at: number } | null = null;
  #isTold = false;
  readonly #telling: Timer;

  constructor(private readonly deps: Deps) {
    this.#telling = new Timer(deps.clock);
  }

  get isGoingOn(): boolean {
    return this.#current !== null;
  }
  /** It goes on, and that was told. */
  get isTold(): boolean {
    return this.#isTold;
  }

  /** No sound comes since `at`. Without effect while a loss goes on. */
  begin(reason: LossReason, at: number): void {
    if (this.#current !== null) return;
    this.#current = { reason, at };
    const dueMs = at + gapMinMs - this.deps.clock.now();
    if (dueMs > 0) this.#telling.start(dueMs, () => this.#tell());
    else this.#tell();
  }

  /** Sound comes since `at`, or is not expected any more. */
  end(at: number): void {
    if (this.#current === null) return;
    const lengthMs = Math.max(0, at - this.#current.at);
    if (lengthMs >= gapMinMs) this.#tell();
    const wasTold = this.#isTold;
    this.#forget();
    if (wasTold) this.deps.onEnd(lengthMs);
  }

  /** It goes on when the recording has stopped. */
  leave(): void {
    this.#tell();
    this.#forget();
  }

  #tell(): void {
    this.#telling.cancel();
    if (this.#current === null || this.#isTold) return;
    this.#isTold = true;
    this.deps.onBegin(this.#current.reason, this.#current.at);
  }

  #forget(): void {
    this.#telling.cancel();
    this.#current = null;
    this.#isTold = false;
  }
}
