import type { AudioCodec } from "#shared/relay.ts";

/** Words from `fromMs` on the take's own clock lie `offsetMs` later on the lecture's. */
interface Placement {
  fromMs: number;
  offsetMs: number;
}

/** What is stored of a take, apart from its chunks `firstSeq` to before `nextSeq`. */
export interface StoredTake {
  id: string;
  lectureId: string;
  codec: AudioCodec;
  /** First chunk that is still stored; those before became words that are saved. */
  firstSeq: number;
  /** Number of the next chunk. */
  nextSeq: number;
  /** Where the room has placed the take so far, in order; empty before its first connection. */
  placements: readonly Placement[];
  /** End of the words that its tab has shown, ms on the take's own clock. */
  heldMs: number;
  /** End of those that are saved. */
  savedMs: number;
}

export interface TakeChunk {
  seq: number;
  data: Uint8Array<ArrayBuffer>;
}

/** Takes on this device's disk. Each take is written by one tab alone; every method may reject. */
export interface TakeStorage {
  /** The takes of one lecture, or of all, oldest first. */
  list(lectureId?: string): Promise<StoredTake[]>;
  /** The stored chunks from `from` to before `to`, in order; some may be missing. */
  readChunks(takeId: string, from: number, to: number): Promise<TakeChunk[]>;
  /** Stores the take with `chunks` added, and removes its chunks before `firstSeq`. */
  write(take: StoredTake, chunks: readonly TakeChunk[]): Promise<void>;
  remove(takeId: string): Promise<void>;
  /** Removes the takes that were not written to since `before` (ms since the epoch). */
  removeOlderThan(before: number): Promise<void>;
}
