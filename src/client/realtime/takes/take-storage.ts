import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import * as z from "zod/mini";
import { audioCodecs } from "#shared/relay.ts";

const databaseName = "dualect-takes";

const number = z.int().check(z.nonnegative());
const takeRecord = z.object({
  id: z.string(),
  lectureId: z.string(),
  /** Whose audio it is; null: stored by database version 1, which did not say. */
  userId: z._default(z.nullable(z.string()), null),
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
export type StoredTake = Omit<TakeRecord, "userId" | "createdAt" | "writtenAt">;

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

/** The takes of one user on disk. Only one tab writes a take. Every method may reject. */
export interface TakeStorage {
  /** The takes of one lecture, or of all, oldest first. */
  list(lectureId?: string): Promise<StoredTake[]>;
  /** Ids of the lectures that have takes without a user. */
  listOwnerless(): Promise<string[]>;
  /** Makes the takes without a user the user's. To be called for the user's own lectures only. */
  claimOwnerless(lectureId: string): Promise<void>;
  /** Reads the stored chunks `from` to `to` (exclusive), in order; some may be missing. */
  readChunks(takeId: string, from: number, to: number): Promise<TakeChunk[]>;
  /** Stores the take, adds `chunks` and deletes its chunks before `firstSeq`. */
  write(take: StoredTake, chunks: readonly TakeChunk[]): Promise<void>;
  remove(takeId: string): Promise<void>;
  removeAll(): Promise<void>;
}

/** The takes of every user of this browser, in IndexedDB: one record per take and one per chunk. */
export class TakeDatabase {
  #database: Promise<IDBPDatabase<Schema>> | null = null;

  constructor(private readonly now: () => number) {}

  /** `userId` null: the takes without a user. */
  openStorage(userId: string | null): TakeStorage {
    return new UserTakes(userId, this, this.now);
  }

  /** Removes every user's takes that were not written to since `before` (ms since the epoch). */
  async removeOlderThan(before: number): Promise<void> {
    const database = await this.open();
    const range = IDBKeyRange.upperBound(before, true);
    await this.remove(await database.getAllKeysFromIndex("takes", "writtenAt", range));
  }

  /** Only deletions, because they succeed even when the disk is full. */
  async remove(takeIds: readonly string[]): Promise<void> {
    const database = await this.open();
    const transaction = database.transaction(["takes", "chunks"], "readwrite");
    await Promise.all([
      ...takeIds.map((id) => transaction.objectStore("takes").delete(id)),
      ...takeIds.map((id) => transaction.objectStore("chunks").delete(allChunks(id))),
      transaction.done,
    ]);
  }

  /** After a failure, or when the browser has closed the connection, the next call opens a new one. */
  open(): Promise<IDBPDatabase<Schema>> {
    const forget = () => {
      this.#database = null;
    };
    this.#database ??= openDB<Schema>(databaseName, 2, {
      upgrade(database, oldVersion) {
        // Version 1 had the same stores; its takes have no user.
        if (oldVersion > 0) return;
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

class UserTakes implements TakeStorage {
  constructor(
    private readonly userId: string | null,
    private readonly database: TakeDatabase,
    private readonly now: () => number,
  ) {}

  async list(lectureId?: string): Promise<StoredTake[]> {
    const records = await this.#readRecords(this.userId, lectureId);
    return records.map(({ userId, createdAt, writtenAt, ...take }) => take);
  }

  async listOwnerless(): Promise<string[]> {
    const records = await this.#readRecords(null);
    return [...new Set(records.map(({ lectureId }) => lectureId))];
  }

  async claimOwnerless(lectureId: string): Promise<void> {
    const ownerless = await this.#readRecords(null, lectureId);
    if (ownerless.length === 0) return;
    const transaction = (await this.database.open()).transaction("takes", "readwrite");
    const put = async (id: string) => {
      const record = await transaction.store.get(id);
      if (record !== undefined) await transaction.store.put({ ...record, userId: this.userId });
    };
    await Promise.all([...ownerless.map(({ id }) => put(id)), transaction.done]);
  }

  async readChunks(takeId: string, from: number, to: number): Promise<TakeChunk[]> {
    const transaction = (await this.database.open()).transaction(["takes", "chunks"]);
    const take = takeRecord.safeParse(await transaction.objectStore("takes").get(takeId));
    if (take.data?.userId !== this.userId) return [];
    const records: unknown[] = await transaction
      .objectStore("chunks")
      .getAll(chunkRange(takeId, from, to));
    return records.flatMap((record) => {
      const parsed = chunkRecord.safeParse(record);
      if (!parsed.success) return [];
      return [{ seq: parsed.data.seq, data: parsed.data.data as Uint8Array<ArrayBuffer> }];
    });
  }

  async write(take: StoredTake, chunks: readonly TakeChunk[]): Promise<void> {
    const database = await this.database.open();
    // Relaxed durability is faster; only a power cut can lose the last chunks.
    const transaction = database.transaction(["takes", "chunks"], "readwrite", {
      durability: "relaxed",
    });
    const [takes, stored] = [transaction.objectStore("takes"), transaction.objectStore("chunks")];
    const put = async () => {
      const now = this.now();
      const createdAt = (await takes.get(take.id))?.createdAt ?? now;
      await Promise.all([
        takes.put({ ...take, userId: this.userId, createdAt, writtenAt: now }),
        ...chunks.map(({ seq, data }) => stored.put({ takeId: take.id, seq, data })),
        take.firstSeq > 0 && stored.delete(chunkRange(take.id, 0, take.firstSeq)),
      ]);
    };
    await Promise.all([put(), transaction.done]);
  }

  remove(takeId: string): Promise<void> {
    return this.database.remove([takeId]);
  }

  async removeAll(): Promise<void> {
    const records = await this.#readRecords(this.userId);
    await this.database.remove(records.map(({ id }) => id));
  }

  /** The valid records of `userId`, of one lecture or of all, oldest first. */
  async #readRecords(userId: string | null, lectureId?: string): Promise<TakeRecord[]> {
    const database = await this.database.open();
    const records: unknown[] =
      lectureId === undefined
        ? await database.getAll("takes")
        : await database.getAllFromIndex("takes", "lectureId", lectureId);
    return records
      .flatMap((record) => takeRecord.safeParse(record).data ?? [])
      .filter((record) => record.userId === userId)
      .toSorted((a, b) => a.createdAt - b.createdAt);
  }
}
