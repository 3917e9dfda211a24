import type { Log, SpooledChunk, SpoolStorage } from "../ports.ts";

interface Deps {
  recordingId: string;
  storage: SpoolStorage | null;
  log: Log;
  /** Chunks `from` to before `to` are stored. */
  onWritten(from: number, to: number): void;
  onState(): void;
  /** What is stored is needed, even if nothing more can be added. */
  mustKeep(): boolean;
}

type Task = (storage: SpoolStorage) => Promise<void>;

/**
 * Brings a recording's changes into the storage, one after the other; appends are gathered. When the
 * storage fails, what it has is still read and released as long as it is needed, and nothing is added.
 */
export class SpoolWriter {
  readonly #deps: Deps;
  #storage: SpoolStorage | null;
  #failed = false;
  #unwritten: SpooledChunk[] = [];
  /** Tasks that append and have not run yet. */
  #appending = 0;
  #tasks: Task[] = [];
  #writing = false;
  #idle: (() => void)[] = [];
  /** By how much the numbers have moved in all. */
  #shifted = 0;
  /** What is stored has other numbers than it should. */
  #misnumbered = false;
  /** Another page writes this recording's storage; here it is only read. */
  #yielded = false;
  /** By how much the numbers have moved since then. */
  #shiftedSince = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#storage = deps.storage;
  }

  /** There is a storage, and it takes nothing more. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Everything that was appended is stored. */
  get upToDate(): boolean {
    const all = this.#unwritten.length === 0 && this.#appending === 0;
    return this.#storage !== null && !this.#failed && !this.#yielded && all;
  }

  append(chunk: SpooledChunk): void {
    if (this.#storage === null || this.#failed || this.#yielded) return;
    this.#unwritten.push(chunk);
    this.#write();
  }

  /** From now on nothing is written: what another page has stored under the same numbers stays. */
  yield(): void {
    this.#yielded = true;
    this.#unwritten = [];
  }

  shift(delta: number): void {
    if (this.#yielded) {
      this.#shifted += delta;
      this.#shiftedSince += delta;
      return;
    }
    // What waits to be written has the old numbers: first that, then the move.
    this.#task(async (storage) => {
      this.#misnumbered = true;
      await storage.shift(this.#deps.recordingId, delta);
      this.#misnumbered = false;
    });
    this.#shifted += delta;
  }

  release(seq: number, savedMs: number): void {
    if (this.#yielded) return;
    this.#task((storage) => storage.release(this.#deps.recordingId, seq, savedMs));
  }

  forget(): void {
    this.#unwritten = [];
    this.#tasks = [];
    this.#appending = 0;
    this.#task((storage) => storage.forgetAll(this.#deps.recordingId));
  }

  /** The stored chunks from `from` to before `to`; null when the numbers moved meanwhile. */
  read(from: number, to: number): Promise<SpooledChunk[] | null> {
    const shifted = this.#shifted;
    const since = this.#shiftedSince;
    const { recordingId, log } = this.#deps;
    return new Promise((resolve) => {
      const read: Task = async (storage) => {
        const chunks = await storage.chunks(recordingId, from - since, to - since).catch(() => {
          log.warn("spooled chunks not read");
          return [];
        });
        const moved = this.#shifted !== shifted;
        resolve(moved ? null : chunks.map(({ seq, pcm }) => ({ seq: seq + since, pcm })));
      };
      if (this.#storage === null) resolve([]);
      else this.#task(read);
    });
  }

  /** Nothing is held any more: what comes now can be stored again if the storage takes it. */
  tryAgain(): void {
    if (!this.#failed) return;
    this.#failed = false;
    this.#misnumbered = false;
    this.#storage = this.#deps.storage;
    this.#deps.onState();
  }

  /** Resolves when everything so far has been written or has failed. */
  idle(): Promise<void> {
    if (!this.#writing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #flushUnwritten(): void {
    const chunks = this.#unwritten;
    const first = chunks[0];
    if (first === undefined) return;
    this.#unwritten = [];
    const shifted = this.#shifted;
    this.#appending += 1;
    this.#tasks.push(async (storage) => {
      await storage.append(this.#deps.recordingId, chunks).finally(() => {
        this.#appending = Math.max(0, this.#appending - 1);
      });
      const from = first.seq + this.#shifted - shifted;
      this.#deps.onWritten(from, from + chunks.length);
    });
  }

  #task(task: Task): void {
    if (this.#storage === null) return;
    this.#flushUnwritten();
    this.#tasks.push(task);
    this.#write();
  }

  #write(): void {
    if (this.#writing) return;
    this.#writing = true;
    void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#storage !== null) {
      if (this.#tasks.length === 0) this.#flushUnwritten();
      const task = this.#tasks.shift();
      if (task === undefined) break;
      try {
        await task(this.#storage);
      } catch (error) {
        await this.#degrade(this.#storage, error);
      }
    }
    this.#writing = false;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  async #degrade(storage: SpoolStorage, error: unknown): Promise<void> {
    const { log, mustKeep, onState, recordingId } = this.#deps;
    const first = !this.#failed;
    this.#failed = true;
    this.#unwritten = [];
    if (first) {
      log.warn("spool kept in memory alone", {
        error: error instanceof Error ? error.name : "unknown",
      });
      onState();
    }
    if (this.#yielded || (mustKeep() && !this.#misnumbered)) return;
    // What is stored no longer follows the recording: its numbers would mislead the next visit.
    this.#storage = null;
    const left = this.#tasks;
    this.#tasks = [];
    // Those that wait for an answer get one.
    for (const task of left) await task(nothingStored).catch(() => {});
    await storage.forget(recordingId).catch(() => log.warn("outdated spool not removed"));
  }
}

/** A storage in which there is nothing and nothing stays. */
const nothingStored: SpoolStorage = {
  parts: async () => [],
  read: async () => null,
  chunks: async () => [],
  append: () => Promise.reject(new Error("nothing is stored")),
  release: async () => {},
  shift: async () => {},
  forget: async () => {},
  forgetAll: async () => {},
  sweep: async () => {},
};
