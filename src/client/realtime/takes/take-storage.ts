import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import * as z from "zod/mini";
import { audioCodecs } from "#shared/relay.ts";

const databaseName = "dualect-takes";

const number = z.int().check(z.nonnegative());
const takeRecord = z.object({
  id: z.string(),
  lectureId: z.string(),
  codec: z.enum(audioCodecs),
  /** First chunk that is still stored; the words of those before it are saved. */
  firstSeq: number,
  /** Number of the next chunk. */
  nextSeq: number,
  /**
   * Where the room has placed the take on the lecture's clock, in order: from `fromMs` on the take's own
   * clock, the lecture's clock is `offsetMs` ahead of it. Empty before the first connection.
   */
  placements: z.readonly(z.array(z.object({ fromMs: z.number(), offsetMs: z.number() }))),
  /** End of the final words on the page, ms on the take's own clock. */
  heldMs: z.number().check(z.nonnegative()),
  /** End of the saved words, ms on the take's own clock. */
  savedMs: z.number().check(z.nonnegative()),
  /** Time of the first and of the last write, ms since the epoch. */
  createdAt: z.number(),
  writtenAt: z.number(),
});
type TakeRecord = z.infer<typeof takeRecord>;

/** A take as it is stored, without its chunks (`firstSeq` to `nextSeq` exclusive). */
export type StoredTake = Omit<TakeRecord, "createdAt" | "writtenAt">;

export interface TakeChunk {
  seq: number;
  data: Uint8Array<ArrayBuffer>;
}

const chunkRecord = z.object({
  takeId: z.string(),
  seq: number,
  data: z.instanceof(Uint8Array<ArrayBuffer>),
});
type ChunkRecord = z.infer<typeof chunkRecord>;

interface Schema extends DBSchema {
  takes: { key: string; value: TakeRecord; indexes: { lectureId: string; writtenAt: number } };
  chunks: { key: [string, number]; value: ChunkRecord };
}

const allChunks = (takeId: string) => chunkRange(takeId, 0, Number.MAX_SAFE_INTEGER);
const chunkRange = (takeId: string, from: number, to: number) =>
  IDBKeyRange.bound([takeId, from], [takeId, to], false, true);

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

/** Stores takes in IndexedDB: one record per take and one per chunk. */
export class IndexedDbTakes implements TakeStorage {
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  constructor(private readonly now: () => number) {}

  async list(lectureId?: string): Promise<StoredTake[]> {
    const database = await this.#open();
    const records: unknown[] =
      lectureId === undefined
        ? await database.getAll("takes")
        : await database.getAllFromIndex("takes", "lectureId", lectureId);
    return records
      .flatMap((record) => takeRecord.safeParse(record).data ?? [])
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map(({ createdAt, writtenAt, ...take }) => take);
  }

  async readChunks(takeId: string, from: number, to: number): Promise<TakeChunk[]> {
    const database = await this.#open();
    const records: unknown[] = await database.getAll("chunks", chunkRange(takeId, from, to));
    return records.flatMap((record) => {
      const parsed = chunkRecord.safeParse(record);
      if (!parsed.success) return [];
      return [{ seq: parsed.data.seq, data: parsed.data.data as Uint8Array<ArrayBuffer> }];
    });
  }

  async write(take: StoredTake, chunks: readonly TakeChunk[]): Promise<void> {
    const database = await this.#open();
    // Relaxed durability is faster; only a power cut can lose the last chunks.
    const transaction = database.transaction(["takes", "chunks"], "readwrite", {
      durability: "relaxed",
    });
    const [takes, stored] = [transaction.objectStore("takes"), transaction.objectStore("chunks")];
    const put = async () => {
      const now = this.now();
      const createdAt = (await takes.get(take.id))?.createdAt ?? now;
      await Promise.all([
        takes.put({ ...take, createdAt, writtenAt: now }),
        ...chunks.map(({ seq, data }) => stored.put({ takeId: take.id, seq, data })),
        take.firstSeq > 0 && stored.delete(chunkRange(take.id, 0, take.firstSeq)),
      ]);
    };
    await Promise.all([put(), transaction.done]);
  }

  async remove(takeId: string): Promise<void> {
    await this.#removeAll([takeId]);
  }

  async removeOlderThan(before: number): Promise<void> {
    const database = await this.#open();
    const range = IDBKeyRange.upperBound(before, true);
    await this.#removeAll(await database.getAllKeysFromIndex("takes", "writtenAt", range));
  }

  /** Only deletions, because they succeed even when the disk is full. */
  async #removeAll(takeIds: readonly string[]): Promise<void> {
    const database = await this.#open();
    const transaction = database.transaction(["takes", "chunks"], "readwrite");
    await Promise.all([
      ...takeIds.map((id) => transaction.objectStore("takes").delete(id)),
      ...takeIds.map((id) => transaction.objectStore("chunks").delete(allChunks(id))),
      transaction.done,
    ]);
  }

  /** After a failure, or when the browser has closed the connection, the next call opens a new one. */
  #open(): Promise<IDBPDatabase<Schema>> {
    const forget = () => {
      this.#database = null;
    };
    this.#database ??= openDB<Schema>(databaseName, 1, {
      upgrade(database) {
        const takes = database.createObjectStore("takes", { keyPath: "id" });
        takes.createIndex("lectureId", "lectureId");
        takes.createIndex("writtenAt", "writtenAt");
        database.createObjectStore("chunks", { keyPath: ["takeId", "seq"] });
      },
      terminated: forget,
      blocking(_current, _blocked, event) {
        forget();
        (event.target as IDBDatabase).close();
      },
    }).catch((error: unknown) => {
      forget();
      throw error;
    });
    return this.#database;
  }
}
