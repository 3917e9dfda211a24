import type { Clock } from "#client/lib/clock.ts";
import { pause, withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";
import { type AudioErrorReason, AudioSourceError } from "./audio-ports.ts";

/** A device that does not open, or a person who does not answer, is not waited for any longer. */
export const openTimeoutMs = 30_000;
const retryDelays: Backoff = { firstMs: 500, maxMs: 10_000 };
/** An input that follows one that was unplugged may be listed this late. */
const missingMaxMs = 2_000;
/** How long inputs are tried that are there and cannot be opened. */
const retryMaxMs = 600_000;

type Open = (deviceId: string | null, signal: AbortSignal) => Promise<void>;

/** Opens one of several inputs, and tries again while there are any. */
export class InputOpener {
  #retryNow = () => {};

  constructor(
    private readonly clock: Clock,
    private readonly open: Open,
  ) {}

  /**
   * Returns the first one of `listInputs` that could be opened.
   *
   * @throws AudioSourceError after 2 s without an input or the permission, and otherwise after 10 minutes
   */
  async openFirst(
    listInputs: () => readonly (string | null)[],
    signal: AbortSignal,
  ): Promise<string | null> {
    const startedAt = this.clock.now();
    for (let failures = 0; ; failures += 1) {
      let problem: AudioErrorReason = "missing";
      for (const deviceId of listInputs()) {
        try {
          const openOne = (attempt: AbortSignal) => this.open(deviceId, attempt);
          await withTimeout(this.clock, openTimeoutMs, openOne, signal);
          return deviceId;
        } catch (error) {
          signal.throwIfAborted();
          const reason = error instanceof AudioSourceError ? error.reason : "failed";
          if (reason !== "missing") problem = reason;
        }
      }
      const isGone = problem === "missing" || problem === "denied";
      const maxMs = isGone ? missingMaxMs : retryMaxMs;
      if (this.clock.now() - startedAt >= maxMs) throw new AudioSourceError(problem);
      await this.#pause(getBackoffMs(retryDelays, failures), signal);
      signal.throwIfAborted();
    }
  }

  /** There may be another input. */
  retryNow(): void {
    this.#retryNow();
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    this.#retryNow = () => waiting.abort();
    signal.addEventListener("abort", this.#retryNow, { once: true });
    await pause(this.clock, ms, waiting.signal);
    this.#retryNow = () => {};
  }
}
