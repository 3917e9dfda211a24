import type { ChunkData } from "./chunk-codec.ts";

/** Bytes kept in memory when nothing can be stored: 33 minutes of PCM, 4 hours of Opus. */
export const memoryMaxBytes = 64 * 1024 * 1024;
/** Stored audio that also stays in memory: what is sent next or again. */
export const memoryWindowMs = 65_000;
/** What a chunk needs in memory besides its bytes. */
export const chunkOverheadBytes = 256;

/** The chunks of a take that are in memory, by number. */
export class ChunkBuffer {
  readonly #chunks = new Map<number, ChunkData>();
  #bytes = 0;

  get size(): number {
    return this.#chunks.size;
  }
  get isFull(): boolean {
    return this.#bytes >= memoryMaxBytes;
  }

  get(seq: number): ChunkData | undefined {
    return this.#chunks.get(seq);
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

  /** Drops stored chunks that will not be sent soon: `firstUnsent` comes next. `chunkMs`: length of a chunk. */
  dropStored(chunks: readonly { seq: number }[], firstUnsent: number, chunkMs: number): void {
    const end = firstUnsent + Math.ceil(memoryWindowMs / chunkMs);
    for (const { seq } of chunks) if (seq >= end) this.delete(seq);
  }

  clear(): void {
    this.#chunks.clear();
    this.#bytes = 0;
  }
}
