import type { Log, SpooledChunk, SpoolStorage } from "../ports.ts";
import { chunkMs, seqAt } from "./recording-clock.ts";

/** A resumed recognition hears this much of what came before, so that it does not start in a word. */
const leadInMs = 2_000;

interface Deps {
  recordingId: string;
  /** Null: memory alone. */
  storage: SpoolStorage | null;
  log: Log;
}

/**
 * Captured sound until nobody needs it any more. Memory holds what the room has not acknowledged, to
 * send it (again); the storage holds what is not saved as words, to survive the page. Writing to the
 * storage goes on behind and holds up nobody.
 */
export class Spool {
  readonly #deps: Deps;
  #storage: SpoolStorage | null;
  /** Unacknowledged chunks, ascending; `#chunks[0]` has number `#firstSeq`. */
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #firstSeq: number;
  #unwritten: SpooledChunk[] = [];
  #writing = false;
  /** Changes of what is stored, in order; appends among them are gathered. */
  #tasks: ((storage: SpoolStorage) => Promise<void>)[] = [];
  #releasedSeq = 0;
  #idle: (() => void)[] = [];

  /** `held`: chunks that an earlier page left, ascending and without gaps, ending below `nextSeq`. */
  constructor(deps: Deps, nextSeq: number, held: readonly SpooledChunk[] = []) {
    this.#deps = deps;
    this.#storage = deps.storage;
    this.#chunks = held.map((chunk) => chunk.pcm);
    this.#firstSeq = held[0]?.seq ?? nextSeq;
  }

  /** Number of the first chunk that is not acknowledged; `nextSeq` when there is none. */
  get firstSeq(): number {
    return this.#firstSeq;
  }

  /** Number that the next captured chunk gets. */
  get nextSeq(): number {
    return this.#firstSeq + this.#chunks.length;
  }

  /** True while captured sound would be lost with the page. */
  get volatile(): boolean {
    return this.#chunks.length > 0 && (this.#storage === null || this.#unwritten.length > 0);
  }

  chunk(seq: number): Uint8Array<ArrayBuffer> | undefined {
    return this.#chunks[seq - this.#firstSeq];
  }

  append(pcm: Uint8Array<ArrayBuffer>): void {
    const seq = this.nextSeq;
    this.#chunks.push(pcm);
    if (this.#storage === null) return;
    this.#unwritten.push({ seq, pcm });
    this.#write();
  }

  /** The room has answered everything up to `seq`: it need not be sent again. */
  acknowledge(seq: number): void {
    const count = Math.min(seq + 1 - this.#firstSeq, this.#chunks.length);
    if (count <= 0) return;
    this.#chunks.splice(0, count);
    this.#firstSeq += count;
  }

  /** Gives the held chunks new numbers beginning at `firstSeq`. Only while none of them was sent. */
  renumber(firstSeq: number): void {
    const delta = firstSeq - this.#firstSeq;
    if (delta === 0) return;
    this.#firstSeq = firstSeq;
    // What waits to be written has the old numbers: first that, then the move.
    this.#flushUnwritten();
    this.#task((storage) => storage.shift(this.#deps.recordingId, delta));
    this.#releasedSeq = Math.max(0, this.#releasedSeq + delta);
  }

  /**
   * What was said before `savedMs` is saved. `whole`: nothing later can come of the acknowledged
   * sound, so that no lead-in need stay.
   */
  release(savedMs: number, whole: boolean): void {
    const seq = Math.min(
      this.#firstSeq,
      whole ? this.#firstSeq : seqAt(Math.max(0, savedMs - leadInMs)),
    );
    if (seq <= this.#releasedSeq) return;
    this.#releasedSeq = seq;
    this.#task((storage) => storage.release(this.#deps.recordingId, seq, savedMs));
  }

  /** Resolves when everything handed to the storage so far has been written or has failed. */
  written(): Promise<void> {
    if (!this.#writing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Seconds of sound that wait for the room. */
  get waitingSeconds(): number {
    return Math.floor((this.#chunks.length * chunkMs) / 1_000);
  }

  #flushUnwritten(): void {
    const chunks = this.#unwritten;
    if (chunks.length === 0) return;
    this.#unwritten = [];
    this.#tasks.push((storage) => storage.append(this.#deps.recordingId, chunks));
  }

  #task(task: (storage: SpoolStorage) => Promise<void>): void {
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

  /** What is stored no longer follows the recording: its numbers would mislead the next visit. */
  async #degrade(storage: SpoolStorage, error: unknown): Promise<void> {
    this.#storage = null;
    this.#tasks = [];
    this.#unwritten = [];
    this.#deps.log.warn("spool kept in memory alone", {
      error: error instanceof Error ? error.name : "unknown",
    });
    await storage
      .forget(this.#deps.recordingId)
      .catch(() => this.#deps.log.warn("outdated spool not removed"));
  }
}
