import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/realtime/platform/ports.ts";
import { type Backoff, getBackoffMs } from "#shared/backoff.ts";
import type { RecordedTake } from "#shared/recorded-take.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { type ChunkData, chunkMs, createSilentChunk, isChunk } from "./chunk-codec.ts";
import {
  addGap,
  measureAbsent,
  measureFilled,
  type TakeGap,
  toLectureGaps,
  toLectureMs,
} from "./take-gaps.ts";
import type { StoredTake, TakeChunk, TakeStorage } from "./take-storage.ts";

/** Audio kept before the first unsaved word, so that a new transcription does not start within a word. */
const leadInMs = 2_000;
/** Stored audio that also stays in memory: what is sent next or again. */
export const memoryWindowMs = 65_000;
/** Bytes kept in memory when nothing can be stored: 33 minutes of PCM, 4 hours of Opus. */
export const memoryMaxBytes = 64 * 1024 * 1024;
/** What a chunk needs in memory besides its bytes. */
export const chunkOverheadBytes = 256;
/** Chunks read from the storage at a time. */
const chunksPerRead = 128;
/** A storage that fails so often in a row, over about 20 s, is not read again for the same chunks. */
const readAttempts = 7;
const readBackoff: Backoff = { firstMs: 300, maxMs: 10_000 };

export interface TakeDeps extends TakeEvents {
  /** Null: chunks are kept in memory only. */
  storage: TakeStorage | null;
  clock: Clock;
  log: Log;
}

/** What a take tells the lecture that it belongs to. */
export interface TakeEvents {
  /** Chunks were read from the storage, so sending may go on. */
  onLoaded(): void;
  /** `storageState` changed. */
  onStorageState(): void;
  /** The disk is full, so kept sound was deleted, or this take is not kept any more. */
  onKeptRemoved(): void;
  /** `ms` of audio are lost. */
  onMissing(ms: number): void;
}

/**
 * One uninterrupted run of the microphone. Numbers its chunks from 0, keeps each in memory until the
 * room has acknowledged it and on disk until its words are saved. Writing never delays capture. Sending
 * is the work of `TakeUploader`.
 */
export class Take {
  readonly id: string;
  readonly codec: AudioCodec;
  /** Unacknowledged chunks that are in memory. */
  readonly #memory = new Map<number, ChunkData>();
  #memoryBytes = 0;
  #record: StoredTake;
  /** First chunk that the room has not acknowledged. */
  #firstUnsent: number;
  #hasEnded: boolean;
  /** Chunks before this number are stored or need not be. */
  #storedUntil: number;
  #unwrittenChunks: TakeChunk[] = [];
  #isWritten: boolean;
  #writing: Promise<void> | null = null;
  #hasChanged = false;
  #isRemoved = false;
  /** The words of all chunks are saved, and the take is kept. */
  #isSaved = false;
  #hasStorageFailed = false;
  #isLoading = false;
  /** Reads in a row that failed. */
  #failedReads = 0;
  /** Chunks lost to full memory since the last one that was kept. */
  #droppedChunks = 0;

  /** `stored`: for a take that a closed tab has left; `heldMs`: end of its words on the page. */
  constructor(
    private deps: TakeDeps,
    take: StoredTake,
    stored?: { heldMs: number },
  ) {
    this.id = take.id;
    this.codec = take.codec;
    this.#record = { ...take, heldMs: stored?.heldMs ?? 0 };
    this.#firstUnsent = take.firstSeq;
    this.#storedUntil = take.nextSeq;
    this.#hasEnded = stored !== undefined;
    this.#isWritten = stored !== undefined;
  }

  /** Number of the first chunk that is not acknowledged; `nextSeq` when there is none. */
  get firstUnsent(): number {
    return this.#firstUnsent;
  }
  /** The id under which the room knows the take, or the rest of it. */
  get relayId(): string {
    return this.#record.relayId ?? this.id;
  }
  get nextSeq(): number {
    return this.#record.nextSeq;
  }
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  /** Nothing of the take is needed any more: it is deleted, also on disk, unless its sound is kept. */
  get isRemoved(): boolean {
    return this.#isRemoved || this.#isSaved;
  }
  /** The microphone has stopped and everything is acknowledged. */
  get isComplete(): boolean {
    return this.#hasEnded && this.#firstUnsent === this.nextSeq;
  }
  /** Length of a chunk, ms. */
  get chunkMs(): number {
    return chunkMs[this.codec];
  }
  /** Length of the audio that is not acknowledged, ms. */
  get unsentMs(): number {
    return (this.nextSeq - this.#firstUnsent) * this.chunkMs;
  }
  /** Length of the audio, ms. */
  get lengthMs(): number {
    return this.nextSeq * this.chunkMs;
  }
  /** End of the words on the page, ms on the take's own clock. */
  get heldMs(): number {
    return this.#record.heldMs;
  }
  /** Length of the audio after the last word on the page, ms. */
  get untranscribedMs(): number {
    return Math.max(0, this.lengthMs - this.heldMs);
  }
  /** Position of chunk 0 on the lecture's clock, ms; null until the room has placed the take. */
  get offsetMs(): number | null {
    return this.#record.placements.at(-1)?.offsetMs ?? null;
  }
  /** What has become of the sound. */
  get report(): RecordedTake {
    const { id, codec, startedAt, gaps, placements } = this.#record;
    const sentMs = this.#firstUnsent * this.chunkMs;
    const filledMs = measureFilled(gaps, 0, this.lengthMs);
    const absentMs = measureAbsent(gaps) + this.#droppedChunks * this.chunkMs;
    const wordsMs = Math.min(this.heldMs, sentMs);
    return {
      id,
      codec,
      startedAt: startedAt ?? 0,
      capturedMs: Math.round(this.lengthMs + absentMs),
      acknowledgedMs: Math.round(sentMs - measureFilled(gaps, 0, sentMs)),
      transcribedMs: Math.round(wordsMs - measureFilled(gaps, 0, wordsMs)),
      missingMs: Math.round(filledMs + absentMs),
      gaps: toLectureGaps(gaps, placements),
    };
  }
  /** Closing the tab now would lose captured audio. */
  get hasUnpersistedAudio(): boolean {
    return this.#storage === null
      ? this.nextSeq > this.#firstUnsent
      : this.nextSeq > Math.max(this.#firstUnsent, this.#storedUntil);
  }
  /** `full`: the disk refuses chunks, which are kept in memory; `memoryFull`: memory is full too, so chunks are lost. */
  get storageState(): "ok" | "full" | "memoryFull" {
    if (this.#droppedChunks > 0) return "memoryFull";
    return this.#hasStorageFailed ? "full" : "ok";
  }
  get chunksInMemory(): number {
    return this.#memory.size;
  }

  /** `level`: see `measureLevel`. */
  append(data: ChunkData, level: number): void {
    if (this.#memoryBytes >= memoryMaxBytes) {
      this.#droppedChunks += 1;
      if (this.#droppedChunks === 1) this.deps.onStorageState();
      return;
    }
    this.#reportDropped();
    const seq = this.nextSeq;
    if (this.#hasStorageFailed && this.#firstUnsent === seq) this.#retryStorage();
    this.#keep(seq, data);
    this.#record = { ...this.#record, nextSeq: seq + 1 };
    if (this.#storage === null) return;
    this.#unwrittenChunks.push({ seq, data, level });
    this.#write();
  }

  end(): void {
    this.#reportDropped();
    this.#hasEnded = true;
  }

  /** Sound is lost. */
  addGap(gap: TakeGap): void {
    this.#change({ gaps: addGap(this.#record.gaps, gap) });
  }

  /** The gap that went on has ended. */
  endGap(lengthMs: number): void {
    const gaps = this.#record.gaps.map((gap) =>
      gap.lengthMs === null ? { ...gap, lengthMs } : gap,
    );
    this.#change({ gaps });
  }

  /** The room took silence in the place of chunk `seq`. */
  refuse(seq: number): void {
    if (seq < this.nextSeq) this.#addFilledGap(seq, "refused");
  }

  /** Chunk `seq`; undefined if it is not in memory: it is then read from the storage. */
  getChunk(seq: number): ChunkData | undefined {
    const data = this.#memory.get(seq);
    if (data === undefined && seq >= this.#firstUnsent && seq < this.nextSeq) void this.#load(seq);
    return data;
  }

  /** Has the room place the unsent rest at the end of the lecture's clock, under another id on the relay. */
  placeAnew(relayId: string): void {
    this.#change({ relayId });
  }

  /** The room has placed the take: audio after `heldMs` has the offset `offsetMs`. */
  place(offsetMs: number): void {
    const { placements } = this.#record;
    if (this.offsetMs === offsetMs) return;
    const earlier = placements.filter(({ fromMs }) => fromMs < this.heldMs);
    const placement = { fromMs: this.heldMs, offsetMs };
    this.#change({ placements: [...earlier, placement] });
  }

  acknowledge(seq: number): void {
    const next = Math.min(seq + 1, this.nextSeq);
    for (let at = this.#firstUnsent; at < next; at += 1) this.#drop(at);
    this.#firstUnsent = Math.max(this.#firstUnsent, next);
  }

  /** Final words up to `ms` on the lecture's clock are on the page. */
  updateHeldMs(ms: number): void {
    if (this.offsetMs === null) return;
    const heldMs = Math.min(ms - this.offsetMs, this.lengthMs);
    if (heldMs > this.heldMs) this.#change({ heldMs });
  }

  /**
   * Deletes stored audio that is not needed. `unsavedMs`: start of the first unsaved words on the lecture's clock;
   * `Infinity`: none. `isReported`: `report` is saved.
   */
  release(unsavedMs: number, isReported = true): void {
    if (this.isRemoved || this.offsetMs === null) return;
    const sentMs = this.#firstUnsent * this.chunkMs;
    const savedMs = Math.min(sentMs, Math.max(0, unsavedMs - this.offsetMs));
    const isSaved = this.isComplete && savedMs >= sentMs;
    if (isSaved && isReported) {
      if (this.#record.isKept) {
        this.#isSaved = true;
        this.#change({ firstSeq: this.nextSeq, savedMs });
      } else this.remove();
      return;
    }
    const neededSeq = Math.floor(Math.max(0, savedMs - leadInMs) / this.chunkMs);
    // A kept take of which nothing is needed would not be found by the next visit.
    const isDone = isSaved && !this.#record.isKept;
    const firstSeq = isDone ? this.nextSeq : Math.min(this.#firstUnsent, neededSeq);
    if (firstSeq > this.#record.firstSeq) this.#change({ firstSeq, savedMs });
  }

  /** Moves the take to the lecture that replaces its own, and that hears of it from now on. */
  moveTo(lectureId: string, events: TakeEvents): void {
    this.deps = { ...this.deps, ...events };
    const gaps = this.#record.gaps.map((gap) => {
      const lectureMs = gap.lectureMs ?? toLectureMs(this.#record.placements, gap.atMs);
      // What has no words yet is placed anew.
      return lectureMs === null || gap.atMs > this.heldMs ? gap : { ...gap, lectureMs };
    });
    this.#change({ lectureId, gaps, placements: [], savedMs: this.heldMs });
  }

  /** Deletes the take, also on disk. */
  remove(): void {
    this.#isRemoved = true;
    this.#hasEnded = true;
    this.#firstUnsent = this.nextSeq;
    this.#memory.clear();
    this.#memoryBytes = 0;
    this.#unwrittenChunks = [];
    this.#write();
  }

  /** Resolves when all writes so far have succeeded or failed. */
  async whenWritten(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  /** What memory had no room for lies before the next chunk. */
  #reportDropped(): void {
    const lostMs = this.#droppedChunks * this.chunkMs;
    if (lostMs === 0) return;
    this.#droppedChunks = 0;
    const gap = { atMs: this.lengthMs, lengthMs: lostMs, reason: "memoryFull" } as const;
    this.addGap({ ...gap, isFilled: false });
    this.deps.onMissing(lostMs);
    this.deps.onStorageState();
  }

  #addFilledGap(seq: number, reason: TakeGap["reason"]): void {
    const chunk = { atMs: seq * this.chunkMs, lengthMs: this.chunkMs };
    this.addGap({ ...chunk, reason, isFilled: true });
  }

  get #storage(): TakeStorage | null {
    return this.#hasStorageFailed ? null : this.deps.storage;
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
    const { storage } = this.deps;
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
        // The record must not count chunks that are in memory only.
        const nextSeq = this.#hasStorageFailed ? this.#storedUntil : this.nextSeq;
        await storage.write({ ...this.#record, nextSeq }, chunks);
        this.#isWritten = true;
        this.#storedUntil = Math.max(this.#storedUntil, (chunks.at(-1)?.seq ?? -1) + 1);
        this.#evictStored(chunks);
      } catch (error) {
        if (await this.#makeRoom(error)) {
          this.#unwrittenChunks = [...chunks, ...this.#unwrittenChunks];
          this.#hasChanged = true;
          continue;
        }
        this.#onWriteFailed(error);
        return;
      }
    }
  }

  /**
   * Unsent audio comes before kept sound: on a full disk this take is not kept any more, and then the oldest kept
   * takes are deleted. False if that does not help.
   */
  async #makeRoom(error: unknown): Promise<boolean> {
    const { storage, onKeptRemoved } = this.deps;
    const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
    if (!isFull || storage === null || this.#isRemoved || this.#hasStorageFailed) return false;
    try {
      if (this.#record.isKept) {
        this.#record = { ...this.#record, isKept: false };
        await storage.stopKeeping(this.id);
      } else if (!(await storage.removeOldestKept())) return false;
    } catch {
      return false;
    }
    onKeptRemoved();
    return true;
  }

  /** Stored chunks stay readable and are still released, but none is added. */
  #onWriteFailed(error: unknown): void {
    const { log, onStorageState } = this.deps;
    this.#unwrittenChunks = [];
    log.warn("take not stored", { error: error instanceof Error ? error.name : "unknown" });
    if (this.#hasStorageFailed || this.#isRemoved) return;
    this.#hasStorageFailed = true;
    onStorageState();
  }

  /** Called when nothing is unsent, so the chunks missing on disk are not needed. */
  #retryStorage(): void {
    this.#hasStorageFailed = false;
    this.#storedUntil = this.nextSeq;
    this.deps.onStorageState();
  }

  /** Drops stored chunks that will not be sent soon from memory. */
  #evictStored(chunks: readonly TakeChunk[]): void {
    const end = this.#firstUnsent + Math.ceil(memoryWindowMs / this.chunkMs);
    for (const { seq } of chunks) if (seq >= end) this.#drop(seq);
  }

  #keep(seq: number, data: ChunkData): void {
    this.#memory.set(seq, data);
    this.#memoryBytes += data.byteLength + chunkOverheadBytes;
  }

  #drop(seq: number): void {
    const data = this.#memory.get(seq);
    if (data === undefined) return;
    this.#memory.delete(seq);
    this.#memoryBytes -= data.byteLength + chunkOverheadBytes;
  }

  async #load(seq: number): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const to = Math.min(this.nextSeq, seq + chunksPerRead);
    const { storage, clock, log } = this.deps;
    try {
      const found = (await storage?.readChunks(this.id, seq, to)) ?? [];
      this.#failedReads = 0;
      this.#isLoading = false;
      this.#keepLoaded(seq, to, new Map(found.map((chunk) => [chunk.seq, chunk.data])));
    } catch {
      log.warn("stored chunks not read");
      this.#failedReads += 1;
      if (this.#failedReads < readAttempts && !this.#isRemoved) {
        const retry = () => {
          this.#isLoading = false;
          void this.#load(seq);
        };
        clock.after(getBackoffMs(readBackoff, this.#failedReads - 1), retry);
        return;
      }
      this.#isLoading = false;
      this.#keepLoaded(seq, to, new Map());
    }
    this.deps.onLoaded();
  }

  /** Replaces chunks that could not be read by silence, so that later ones keep their time. */
  #keepLoaded(from: number, to: number, found: ReadonlyMap<number, ChunkData>): void {
    let missing = 0;
    for (let seq = Math.max(from, this.#firstUnsent); seq < to; seq += 1) {
      if (this.#memory.has(seq)) continue;
      const data = found.get(seq);
      const isReadable = data !== undefined && isChunk(this.codec, data);
      if (!isReadable) {
        missing += 1;
        this.#addFilledGap(seq, "unreadable");
      }
      this.#keep(seq, isReadable ? data : createSilentChunk(this.codec));
    }
    if (missing > 0) this.deps.onMissing(missing * this.chunkMs);
  }
}

/** `startedAt`: ms since the epoch. */
export function newTake(
  id: string,
  lectureId: string,
  codec: AudioCodec,
  startedAt: number | null = null,
): StoredTake {
  return {
    ...{ id, lectureId, codec, startedAt, firstSeq: 0, nextSeq: 0 },
    ...{ placements: [], relayId: null, gaps: [], heldMs: 0, savedMs: 0, isKept: false },
  };
}
