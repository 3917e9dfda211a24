import type { Log } from "#client/realtime/platform/ports.ts";
import { chunkSamples } from "#shared/limits.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { chunkMs, toChunkNumber } from "./take-clock.ts";
import type { StoredTake, TakeChunk, TakeStorage } from "./take-storage.ts";

/** A resumed recognition hears this much of what came before, so that it does not start in a word. */
const leadInMs = 2_000;
/** Chunks that stay in memory although they are stored (65 s): what is sent next and sent again. */
export const memoryWindow = 256;
/** Chunks that memory takes when nothing can be stored (64 MiB, 35 minutes). */
export const memoryMax = 8_192;
/** Chunks that are read back from the storage at once. */
const chunksPerRead = 128;

type Data = Uint8Array<ArrayBuffer>;

export interface TakeDeps {
  /** Null: memory alone. */
  storage: TakeStorage | null;
  log: Log;
  /** Chunks were read back from the storage: sending may go on. */
  onLoaded(): void;
  /** `storageState` changed. */
  onStorageState(): void;
  onMissing(chunks: number): void;
}

/**
 * One uninterrupted run of the microphone. Numbers its chunks from 0, keeps each until the room has
 * acknowledged it, and on disk until its words are saved. Writing never delays capture. Sending is the
 * uploader's work.
 */
export class Take {
  readonly id: string;
  readonly codec: AudioCodec;
  readonly #deps: TakeDeps;
  /** Unacknowledged chunks that are in memory. */
  readonly #memory = new Map<number, Data>();
  #record: StoredTake;
  /** First chunk that the room has not acknowledged. */
  #firstUnsent: number;
  #hasEnded: boolean;
  /** Chunks before this one are stored, or were never needed there. */
  #storedUntil: number;
  #unwrittenChunks: TakeChunk[] = [];
  #isWritten: boolean;
  #writing: Promise<void> | null = null;
  #hasChanged = false;
  #isRemoved = false;
  #hasStorageFailed = false;
  #isLoading = false;
  /** Chunks that memory had no space for since the last one that was kept. */
  #droppedChunks = 0;

  /** `stored`: what a tab that is gone has left; `heldMs`: end of its words on the page. */
  constructor(deps: TakeDeps, take: StoredTake, stored?: { heldMs: number }) {
    this.#deps = deps;
    this.id = take.id;
    this.codec = take.codec;
    this.#record = { ...take, heldMs: stored?.heldMs ?? 0 };
    this.#firstUnsent = take.firstSeq;
    this.#storedUntil = take.nextSeq;
    this.#hasEnded = stored !== undefined;
    this.#isWritten = stored !== undefined;
  }

  get lectureId(): string {
    return this.#record.lectureId;
  }
  /** Number of the first chunk that is not acknowledged; `nextSeq` when there is none. */
  get firstUnsent(): number {
    return this.#firstUnsent;
  }
  get nextSeq(): number {
    return this.#record.nextSeq;
  }
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** Nothing of it is stored, or wanted, any more. */
  get isRemoved(): boolean {
    return this.#isRemoved;
  }
  /** The microphone has stopped and everything is acknowledged. */
  get isComplete(): boolean {
    return this.#hasEnded && this.#firstUnsent === this.nextSeq;
  }
  /** Length of the sound that is not acknowledged, ms. */
  get unsentMs(): number {
    return (this.nextSeq - this.#firstUnsent) * chunkMs;
  }
  /** End of the words on the page, ms on the take's own clock. */
  get heldMs(): number {
    return this.#record.heldMs;
  }
  /** Length of the sound behind the words on the page, ms. */
  get untranscribedMs(): number {
    return Math.max(0, this.nextSeq * chunkMs - this.heldMs);
  }
  /** Where chunk 0 lies on the lecture's clock, ms; null before the room has said so. */
  get offsetMs(): number | null {
    return this.#record.placements.at(-1)?.offsetMs ?? null;
  }
  /** Closing the tab now would lose captured sound. */
  get hasUnpersistedAudio(): boolean {
    return this.#storage === null
      ? this.nextSeq > this.#firstUnsent
      : this.nextSeq > Math.max(this.#firstUnsent, this.#storedUntil);
  }
  /** `full`: nothing more can be stored; `memoryFull`: nor kept in memory. */
  get storageState(): "ok" | "full" | "memoryFull" {
    if (this.#droppedChunks > 0) return "memoryFull";
    return this.#hasStorageFailed ? "full" : "ok";
  }
  get chunksInMemory(): number {
    return this.#memory.size;
  }

  append(data: Data): void {
    if (this.#memory.size >= memoryMax) {
      this.#droppedChunks += 1;
      if (this.#droppedChunks === 1) this.#deps.onStorageState();
      return;
    }
    if (this.#droppedChunks > 0) {
      this.#deps.onMissing(this.#droppedChunks);
      this.#droppedChunks = 0;
      this.#deps.onStorageState();
    }
    const seq = this.nextSeq;
    if (this.#hasStorageFailed && this.#firstUnsent === seq) this.#retryStorage();
    this.#memory.set(seq, data);
    this.#record = { ...this.#record, nextSeq: seq + 1 };
    if (this.#storage === null) return;
    this.#unwrittenChunks.push({ seq, data });
    this.#write();
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** The chunk that is to be sent; undefined while it has to be read back first, which then begins. */
  getChunk(seq: number): Data | undefined {
    const data = this.#memory.get(seq);
    if (data === undefined && seq >= this.#firstUnsent && seq < this.nextSeq) void this.#load(seq);
    return data;
  }

  /** The room has placed the take: what is behind its words on the page lies at `offsetMs`. */
  place(offsetMs: number): void {
    const { placements } = this.#record;
    if (this.offsetMs === offsetMs) return;
    const before = placements.filter(({ fromMs }) => fromMs < this.heldMs);
    const placement = { fromMs: this.heldMs, offsetMs };
    this.#change({ placements: [...before, placement] });
  }

  acknowledge(seq: number): void {
    const next = Math.min(seq + 1, this.nextSeq);
    for (let at = this.#firstUnsent; at < next; at += 1) this.#memory.delete(at);
    this.#firstUnsent = Math.max(this.#firstUnsent, next);
  }

  /** Final words up to `ms` on the lecture's clock are on the page. */
  updateHeldMs(ms: number): void {
    if (this.offsetMs === null) return;
    const heldMs = Math.min(ms - this.offsetMs, this.nextSeq * chunkMs);
    if (heldMs > this.heldMs) this.#change({ heldMs });
  }

  /** Removes what the storage need not keep. `unsavedMs`: start of the lecture's first unsaved words, or null. */
  release(unsavedMs: number | null): void {
    if (this.#isRemoved || this.offsetMs === null) return;
    const sentMs = this.#firstUnsent * chunkMs;
    const savedMs = Math.min(sentMs, Math.max(0, (unsavedMs ?? Infinity) - this.offsetMs));
    if (this.isComplete && savedMs >= sentMs) {
      this.remove();
      return;
    }
    const firstSeq = Math.min(this.#firstUnsent, toChunkNumber(Math.max(0, savedMs - leadInMs)));
    if (firstSeq > this.#record.firstSeq) this.#change({ firstSeq, savedMs });
  }

  /** The sound becomes words of another lecture: its own was deleted elsewhere and is kept as a new one. */
  moveTo(lectureId: string): void {
    this.#change({ lectureId, placements: [], savedMs: this.heldMs });
  }

  /** Removes what is stored: the sound is words by now, or not wanted any more. */
  remove(): void {
    this.#isRemoved = true;
    this.#hasEnded = true;
    this.#firstUnsent = this.nextSeq;
    this.#memory.clear();
    this.#unwrittenChunks = [];
    this.#write();
  }

  /** Resolves when everything so far has been written or has failed. */
  async whenWritten(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  get #storage(): TakeStorage | null {
    return this.#hasStorageFailed ? null : this.#deps.storage;
  }

  #change(change: Partial<StoredTake>): void {
    this.#record = { ...this.#record, ...change };
    this.#hasChanged = true;
    if (this.#isWritten) this.#write();
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  async #writeAll(): Promise<void> {
    const { storage } = this.#deps;
    if (storage === null) return;
    while (this.#isRemoved || this.#unwrittenChunks.length > 0 || this.#hasChanged) {
      const chunks = this.#unwrittenChunks;
      this.#unwrittenChunks = [];
      this.#hasChanged = false;
      try {
        if (this.#isRemoved) {
          if (this.#isWritten) await storage.remove(this.id);
          return;
        }
        // What is in memory alone is not promised to whoever reads the record.
        const nextSeq = this.#hasStorageFailed ? this.#storedUntil : this.nextSeq;
        await storage.write({ ...this.#record, nextSeq }, chunks);
        this.#isWritten = true;
        this.#storedUntil = Math.max(this.#storedUntil, (chunks.at(-1)?.seq ?? -1) + 1);
        this.#evictStored(chunks);
      } catch (error) {
        this.#onWriteFailed(error);
        return;
      }
    }
  }

  /** What is stored stays readable, and is still released; nothing is added. */
  #onWriteFailed(error: unknown): void {
    const { log, onStorageState } = this.#deps;
    this.#unwrittenChunks = [];
    log.warn("take not stored", { error: error instanceof Error ? error.name : "unknown" });
    if (this.#hasStorageFailed || this.#isRemoved) return;
    this.#hasStorageFailed = true;
    onStorageState();
  }

  /** Nothing unsent is in memory alone: what comes now can be stored without a gap that matters. */
  #retryStorage(): void {
    this.#hasStorageFailed = false;
    this.#storedUntil = this.nextSeq;
    this.#deps.onStorageState();
  }

  /** Stored chunks that will not be sent soon leave memory. */
  #evictStored(chunks: readonly TakeChunk[]): void {
    for (const { seq } of chunks)
      if (seq >= this.#firstUnsent + memoryWindow) this.#memory.delete(seq);
  }

  async #load(seq: number): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const to = Math.min(this.nextSeq, seq + chunksPerRead);
    const { storage, log, onLoaded } = this.#deps;
    const found = await storage?.readChunks(this.id, seq, to).catch(() => {
      log.warn("stored chunks not read");
      return [];
    });
    this.#isLoading = false;
    this.#keepLoaded(seq, to, new Map(found?.map((chunk) => [chunk.seq, chunk.data])));
    onLoaded();
  }

  /** What could not be read is replaced by silence, so that everything behind it keeps its time. */
  #keepLoaded(from: number, to: number, found: ReadonlyMap<number, Data>): void {
    let missing = 0;
    for (let seq = Math.max(from, this.#firstUnsent); seq < to; seq += 1) {
      if (this.#memory.has(seq)) continue;
      const data = found.get(seq);
      if (data === undefined) missing += 1;
      this.#memory.set(seq, data ?? new Uint8Array(chunkSamples * 2));
    }
    if (missing > 0) this.#deps.onMissing(missing);
  }
}

export function newTake(
  id: string,
  lectureId: string,
  codec: AudioCodec = "pcm_s16le",
): StoredTake {
  return { id, lectureId, codec, firstSeq: 0, nextSeq: 0, placements: [], heldMs: 0, savedMs: 0 };
}
