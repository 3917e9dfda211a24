import type { Log } from "./platform/ports.ts";

/** Runs asynchronous operations one at a time, in order. */
export class SerialQueue {
  #tail: Promise<void> = Promise.resolve();

  constructor(private readonly log: Log) {}

  /** Resolves when every operation so far has run. */
  get tail(): Promise<void> {
    return this.#tail;
  }

  /** Adds `operation`. Never rejects: errors are logged. */
  run(operation: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(async () => {
      try {
        await operation();
      } catch (error) {
        this.log.warn("session operation failed", { error: String(error) });
      }
    });
    return this.#tail;
  }
}
