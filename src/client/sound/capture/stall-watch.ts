import { type Clock, Timer } from "#client/lib/clock.ts";

/** Without a chunk for this long, the source has stalled. */
const stalledMs = 6_000;
/** The same after an interruption has ended. */
const resumedMs = 5_000;
/** A page that was blocked or frozen receives late chunks within this time. */
const settleMs = 1_000;
/** The time doubles with each restart that brought no chunk, so often at most. */
const doublingsMax = 3;

/** Tells when the chunks of an open source stop coming. */
export class StallWatch {
  /** Restarts since the last chunk. */
  restarts = 0;
  readonly #timer: Timer;

  constructor(
    clock: Clock,
    private readonly onStalled: () => void,
  ) {
    this.#timer = new Timer(clock);
  }

  get isRunning(): boolean {
    return this.#timer.isRunning;
  }

  /** The source was opened, or a chunk has come. */
  start(): void {
    this.#wait(stalledMs);
  }

  startAfterInterruption(): void {
    this.#wait(resumedMs);
  }

  stop(): void {
    this.#timer.cancel();
  }

  #wait(ms: number): void {
    const waitMs = ms * 2 ** Math.min(this.restarts, doublingsMax);
    this.#timer.start(waitMs - settleMs, () => this.#timer.start(settleMs, this.onStalled));
  }
}
