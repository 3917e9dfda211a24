import type { ChunkData } from "./chunk-codec.ts";

/** Bytes kept in memory when nothing can be stored: 33 minutes of PCM, 4 hours of Opus. */
export const memoryMaxBytes = 64 * 1024 * 1024;
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

  clear(): void {
    this.#chunks.clear();
    this.#bytes = 0;
  }
}
