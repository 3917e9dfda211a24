import type { Log } from "./platform/ports.ts";

/** Runs operations one after the other. */
export class SerialQueue {
  readonly #log: Log;
  #tail: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves when everything so far has run. */
  get tail(): Promise<void> {
    return this.#tail;
  }

  /** Runs `operation` after those before it. Never rejects: what it throws is logged. */
  run(operation: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(async () => {
      try {
        await operation();
      } catch (error) {
        this.#log.warn("session operation failed", { error: String(error) });
      }
    });
    return this.#tail;
  }
}
