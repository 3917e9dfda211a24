import type { AudioCodec } from "#shared/relay.ts";
import type { ChunkBuffer } from "./chunk-buffer.ts";
import { type ChunkData, chunkMs, createSilentChunk, isChunk } from "./chunk-codec.ts";
import type { DiskCopy } from "./disk-copy.ts";

/** Chunks read at a time. */
const chunksPerRead = 128;

interface Deps {
  codec: AudioCodec;
  memory: ChunkBuffer;
  disk: DiskCopy;
  /** The chunks that are still needed; `to` exclusive. */
  getRange(): { from: number; to: number };
  /** Silence takes the place of chunk `seq`. */
  onUnreadable(seq: number): void;
  /** Chunks are in memory, `silentMs` of them as silence. */
  onLoaded(silentMs: number): void;
}

/** Reads chunks of one take back from its copy on disk into its memory. */
export class ChunkLoader {
  #isLoading = false;

  constructor(private readonly deps: Deps) {}

  /** Loads chunk `seq` and some that follow; without effect while chunks are being loaded or `seq` is not needed. */
  load(seq: number): void {
    const { from, to } = this.deps.getRange();
    if (this.#isLoading || seq < from || seq >= to) return;
    void this.#load(seq, Math.min(to, seq + chunksPerRead));
  }

  async #load(from: number, to: number): Promise<void> {
    this.#isLoading = true;
    const found = await this.deps.disk.read(from, to);
    this.#isLoading = false;
    const chunks = new Map(found.map(({ seq, data }) => [seq, data]));
    this.deps.onLoaded(this.#keep(from, to, chunks));
  }

  /**
   * Replaces chunks that could not be read by silence, so that later ones keep their time.
   *
   * @returns length of the silence, ms.
   */
  #keep(from: number, to: number, found: ReadonlyMap<number, ChunkData>): number {
    const { codec, memory, getRange, onUnreadable } = this.deps;
    let silentMs = 0;
    for (let seq = Math.max(from, getRange().from); seq < to; seq += 1) {
      if (memory.get(seq) !== undefined) continue;
      const data = found.get(seq);
      const isReadable = data !== undefined && isChunk(codec, data);
      if (!isReadable) {
        silentMs += chunkMs[codec];
        onUnreadable(seq);
      }
      memory.add(seq, isReadable ? data : createSilentChunk(codec));
    }
    return silentMs;
  }
}
