import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";

/** A program of a browser, and what it has written. */
export class Program {
  #written = "";
  readonly #child: ChildProcess;
  /** False: nothing of it runs. */
  readonly #kill = (): boolean => {
    try {
      return this.#child.pid !== undefined && process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      return false;
    }
  };

  constructor(path: string, args: readonly string[], env: Record<string, string> = {}) {
    // A group of its own: browsers start further processes.
    this.#child = spawn(path, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      detached: true,
    });
    // A test that takes too long ends this process without its `end`.
    process.once("exit", this.#kill);
    for (const stream of this.#child.stdio)
      stream?.on("data", (data) => {
        this.#written += data;
      });
    this.#child.on("error", (error) => {
      this.#written += error.message;
    });
  }

  /** Its descriptor 3, in both directions. */
  get channel(): Duplex {
    return this.#child.stdio[3] as Duplex;
  }

  /** The first match of `pattern` in what the program writes. */
  async waitFor(pattern: RegExp, timeoutMs = 60_000): Promise<string> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const match = pattern.exec(this.#written);
      if (match) return match[1] ?? match[0];
      if (this.#child.exitCode !== null || performance.now() > end)
        throw new Error(`${this.#child.spawnfile} does not start: ${this.#written.slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    process.off("exit", this.#kill);
    const ended = once(this.#child, "exit");
    if (this.#kill()) await ended;
  }
}
