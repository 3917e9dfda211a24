import type { Clock, Log } from "../ports.ts";
import { afterLoss, type Loss, type RelayEnd } from "./reconnect-policy.ts";

interface Deps {
  clock: Clock;
  log: Log;
  random(): number;
}

/** Connects again after a loss, ever later while the room answers no sound. */
export class Comeback {
  readonly #deps: Deps;
  readonly #connect: () => void;
  #cancel: (() => void) | null = null;
  /** Losses since the room last answered sound. */
  #failures = 0;
  #lostBefore = false;

  constructor(deps: Deps, connect: () => void) {
    this.#deps = deps;
    this.#connect = connect;
  }

  /** A retry is due later. */
  get waits(): boolean {
    return this.#cancel !== null;
  }

  /** A connection was lost since the sound before was answered. */
  get lostBefore(): boolean {
    return this.#lostBefore;
  }

  /** Connects again after a while; returns why not, where that is of no use. */
  after(loss: Loss): RelayEnd | null {
    const { clock, log, random } = this.#deps;
    const verdict = afterLoss(loss, this.#failures, random());
    log.warn("relay connection lost", { code: loss.code, failures: this.#failures });
    if (verdict.kind === "end") return verdict.end;
    this.#failures += 1;
    this.#lostBefore = true;
    this.#cancel = clock.after(verdict.delayMs, () => {
      this.#cancel = null;
      this.#connect();
    });
    return null;
  }

  /** A retry that waits happens at once. */
  now(): void {
    if (this.#cancel === null) return;
    this.cancel();
    this.#connect();
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** The room has answered sound. */
  answered(): void {
    this.#failures = 0;
  }

  /** All that was said is answered. */
  finished(): void {
    this.#failures = 0;
    this.#lostBefore = false;
  }
}
