import type { AudioCodec } from "#shared/relay.ts";
import { type ChunkData, chunkMs, createSilentChunk, isChunk } from "./chunk-codec.ts";
import type { DiskCopy } from "./disk-copy.ts";

/** Bytes kept in memory when nothing can be stored: 33 minutes of PCM, 4 hours of Opus. */
export const memoryMaxBytes = 64 * 1024 * 1024;
/** Stored audio that also stays in memory: what is sent next or again. */
export const memoryWindowMs = 65_000;
/** What a chunk needs in memory besides its bytes. */
export const chunkOverheadBytes = 256;
const chunksPerRead = 128;

interface Deps {
  codec: AudioCodec;
  disk: DiskCopy;
  /** The chunks that are still needed; `to` exclusive. */
  getRange(): { from: number; to: number };
  /** Silence takes the place of chunk `seq`. */
  onUnreadable(seq: number): void;
  /** Chunks were read, `silentMs` of them as silence. */
  onLoaded(silentMs: number): void;
}

/** The chunks of a take that are in memory, by number. Others are read back from the take's copy on disk. */
export class ChunkBuffer {
  readonly #chunks = new Map<number, ChunkData>();
  #bytes = 0;
  #isLoading = false;

  constructor(private readonly deps: Deps) {}

  get size(): number {
    return this.#chunks.size;
  }
  get isFull(): boolean {
    return this.#bytes >= memoryMaxBytes;
  }

  /** Chunk `seq`; undefined if it is not in memory: it is then read, with some that follow, if it is needed. */
  get(seq: number): ChunkData | undefined {
    const data = this.#chunks.get(seq);
    const { from, to } = this.deps.getRange();
    if (data === undefined && !this.#isLoading && seq >= from && seq < to)
      void this.#load(seq, Math.min(to, seq + chunksPerRead));
    return data;
  }

  add(seq: number, data: ChunkData): void {
    this.#chunks.set(seq, data);
    this.#bytes += data.byteLength + chunkOverheadBytes;
  }

  delete(seq: number): void {
    const data = this.#chunks.get(seq);
    if (data === undefined) return;
    this.#chunks.delete(seq);
    this.#bytes -= data.byteLength + chunkOverheadBytes;
  }

  /** Drops stored chunks that will not be sent soon. */
  dropStored(chunks: readonly { seq: number }[]): void {
    const { codec, getRange } = this.deps;
    const end = getRange().from + Math.ceil(memoryWindowMs / chunkMs[codec]);
    for (const { seq } of chunks) if (seq >= end) this.delete(seq);
  }

  clear(): void {
    this.#chunks.clear();
    this.#bytes = 0;
  }

  async #load(from: number, to: number): Promise<void> {
    this.#isLoading = true;
    const found = await this.deps.disk.read(from, to);
    this.#isLoading = false;
    const chunks = new Map(found.map(({ seq, data }) => [seq, data]));
    this.deps.onLoaded(this.#addRead(from, to, chunks));
  }

  /**
   * Replaces chunks that could not be read by silence, so that later ones keep their time.
   *
   * @returns length of the silence, ms.
   */
  #addRead(from: number, to: number, found: ReadonlyMap<number, ChunkData>): number {
    const { codec, getRange, onUnreadable } = this.deps;
    let silentMs = 0;
    for (let seq = Math.max(from, getRange().from); seq < to; seq += 1) {
      if (this.#chunks.has(seq)) continue;
      const data = found.get(seq);
      const isReadable = data !== undefined && isChunk(codec, data);
      if (!isReadable) {
        silentMs += chunkMs[codec];
        onUnreadable(seq);
      }
      this.add(seq, isReadable ? data : createSilentChunk(codec));
    }
    return silentMs;
  }
}
