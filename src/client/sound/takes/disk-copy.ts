import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { pause } from "#client/lib/timeouts-and-retries.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";
import type { StoredTake } from "./stored-take.ts";
import type { TakeChunk, TakeStorage } from "./take-storage.ts";

/** A storage that fails so often in a row, over about 20 s, is not read again for the same chunks. */
const readAttempts = 7;
const readBackoff: Backoff = { firstMs: 300, maxMs: 10_000 };

interface Deps {
  /** Null: chunks are kept in memory only. */
  storage: TakeStorage | null;
  clock: Clock;
  log: Log;
  getRecord(): StoredTake;
  /** The disk is full: `getRecord` returns a take that is not kept from now on. */
  stopKeeping(): void;
  onWritten(chunks: readonly TakeChunk[]): void;
  /** Kept sound was deleted, or this take is not kept any more. */
  onKeptRemoved(): void;
  onFailed(): void;
}

/** The copy of one take on disk: what is not written yet, and what becomes of it when the disk is full. */
export class DiskCopy {
  #storedUntil: number;
  #chunks: TakeChunk[] = [];
  #isWritten: boolean;
  #isWriting = false;
  #writing = Promise.resolve();
  #hasChanged = false;
  #isRemoved = false;
  #hasFailed = false;
  /** The last write was ended from outside, and is repeated once. */
  #isRepeated = false;

  /** `isWritten`: the take is on disk already. */
  constructor(
    private readonly deps: Deps,
    isWritten: boolean,
  ) {
    this.#isWritten = isWritten;
    this.#storedUntil = deps.getRecord().nextSeq;
  }

  /** Chunks before this number are stored or need not be; null: chunks are kept in memory only. */
  get storedUntil(): number | null {
    return this.#isStoring ? this.#storedUntil : null;
  }
  /** The disk refuses chunks. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  append(chunk: TakeChunk): void {
    if (!this.#isStoring) return;
    this.#chunks.push(chunk);
    this.#write();
  }

  /** The record has changed. One that is not on disk yet is written with its first chunk. */
  update(): void {
    this.#hasChanged = true;
    if (this.#isWritten) this.#write();
  }

  remove(): void {
    this.#isRemoved = true;
    this.#chunks = [];
    this.#write();
  }

  /** Stores chunks again from the next one on. Those before it need not be stored. */
  retry(): void {
    this.#hasFailed = false;
    this.#storedUntil = this.deps.getRecord().nextSeq;
  }

  /** Resolves when all writes so far have succeeded or failed. */
  async whenWritten(): Promise<void> {
    while (this.#isWriting) await this.#writing;
  }

  /** The stored chunks `from` to `to` (exclusive); none where they cannot be read. */
  async read(from: number, to: number): Promise<TakeChunk[]> {
    const { storage, clock, log, getRecord } = this.deps;
    if (storage === null) return [];
    for (let failures = 0; ; failures += 1) {
      try {
        return await storage.readChunks(getRecord().id, from, to);
      } catch {
        log.warn("stored chunks not read");
        if (failures + 1 >= readAttempts || this.#isRemoved) return [];
        await pause(clock, getBackoffMs(readBackoff, failures));
      }
    }
  }

  get #isStoring(): boolean {
    return this.deps.storage !== null && !this.#hasFailed;
  }

  #write(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#writing = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#hasWork) {
      if (!(await this.#writeWaiting())) break;
    }
    // Here, because chunks may come before whoever waits for the promise hears of it.
    this.#isWriting = false;
  }

  get #hasWork(): boolean {
    return this.#isRemoved || this.#chunks.length > 0 || this.#hasChanged;
  }

  /** Writes what waits. False: nothing more is to be written. */
  async #writeWaiting(): Promise<boolean> {
    const { storage, getRecord, onWritten } = this.deps;
    if (storage === null) return false;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#hasChanged = false;
    try {
      const record = getRecord();
      if (this.#isRemoved) {
        if (this.#isWritten) await storage.remove(record.id);
        return false;
      }
      // The record must not count chunks that are in memory only.
      const nextSeq = this.#hasFailed ? this.#storedUntil : record.nextSeq;
      await storage.write({ ...record, nextSeq }, chunks);
      this.#isWritten = true;
      this.#isRepeated = false;
      this.#storedUntil = Math.max(this.#storedUntil, (chunks.at(-1)?.seq ?? -1) + 1);
      onWritten(chunks);
      return true;
    } catch (error) {
      if (this.#isAborted(error) || (await this.#makeRoom(error))) {
        this.#chunks = [...chunks, ...this.#chunks];
        this.#hasChanged = true;
        return true;
      }
      this.#onWriteFailed(error);
      return false;
    }
  }

  /** The page was hidden and kept meanwhile, or the browser has ended the transaction for a reason of its own. */
  #isAborted(error: unknown): boolean {
    const wasAborted = error instanceof DOMException && error.name === "AbortError";
    if (!wasAborted || this.#isRepeated || this.#isRemoved || this.#hasFailed) return false;
    this.#isRepeated = true;
    return true;
  }

  /**
   * Unsent audio comes before kept sound: on a full disk this take is not kept any more, and then the oldest kept
   * takes are deleted. False if that does not help.
   */
  async #makeRoom(error: unknown): Promise<boolean> {
    const { storage, getRecord, onKeptRemoved, stopKeeping } = this.deps;
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    if (!isFull || storage === null || this.#isRemoved || this.#hasFailed) return false;
    const { id, isKept } = getRecord();
    try {
      if (isKept) {
        stopKeeping();
        await storage.stopKeeping(id);
      } else if (!(await storage.removeOldestKept())) return false;
    } catch {
      return false;
    }
    onKeptRemoved();
    return true;
  }

  /** Stored chunks stay readable and are still released, but none is added. */
  #onWriteFailed(error: unknown): void {
    const { log, onFailed } = this.deps;
    this.#chunks = [];
    log.warn("take not stored", { error: error instanceof Error ? error.name : "unknown" });
    if (this.#hasFailed || this.#isRemoved) return;
    this.#hasFailed = true;
    onFailed();
  }
}
