import type { AudioCodec } from "#shared/relay.ts";

/** From `fromMs` on the take's own clock, the lecture's clock is `offsetMs` ahead of it. */
interface Placement {
  fromMs: number;
  offsetMs: number;
}

/** A take as it is stored, without its chunks (`firstSeq` to `nextSeq` exclusive). */
export interface StoredTake {
  id: string;
  lectureId: string;
  codec: AudioCodec;
  /** First chunk that is still stored; the words of those before it are saved. */
  firstSeq: number;
  /** Number of the next chunk. */
  nextSeq: number;
  /** Where the room has placed the take on the lecture's clock, in order; empty before its first connection. */
  placements: readonly Placement[];
  /** End of the final words on the page, ms on the take's own clock. */
  heldMs: number;
  /** End of the saved words, ms on the take's own clock. */
  savedMs: number;
}

export interface TakeChunk {
  seq: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Takes on disk. Only one tab writes a take. Every method may reject. */
export interface TakeStorage {
  /** The takes of one lecture, or of all, oldest first. */
  list(lectureId?: string): Promise<StoredTake[]>;
  /** Reads the stored chunks `from` to `to` (exclusive), in order; some may be missing. */
  readChunks(takeId: string, from: number, to: number): Promise<TakeChunk[]>;
  /** Stores the take, adds `chunks` and deletes its chunks before `firstSeq`. */
  write(take: StoredTake, chunks: readonly TakeChunk[]): Promise<void>;
  remove(takeId: string): Promise<void>;
  /** Removes the takes that were not written to since `before` (ms since the epoch). */
  removeOlderThan(before: number): Promise<void>;
}
