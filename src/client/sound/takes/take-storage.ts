import type { DBSchema, IDBPObjectStore, StoreNames } from "idb";
import { DatabaseConnection } from "#client/lib/database.ts";
import {
  type ChunkRecord,
  chunkRecord,
  type FileTake,
  isOnlyKept,
  type LevelRecord,
  levelRecord,
  levelsPerBlock,
  type StoredTake,
  type TakeRecord,
  takeRecord,
} from "./stored-take.ts";

const databaseName = "dualect-takes";

/** A take whose chunks are kept: all from 0 to `nextSeq` exclusive. */
export type KeptTake = Pick<
  TakeRecord,
  "id" | "lectureId" | "codec" | "nextSeq" | "placements" | "bytes" | "createdAt"
>;

export interface TakeChunk {
  seq: number;
  data: Uint8Array<ArrayBuffer>;
  /** Loudness, 0 to 255 (see `measureLevel`). Stored with a take that is kept. */
  level?: number;
}

interface Schema extends DBSchema {
  takes: { key: string; value: TakeRecord; indexes: { lectureId: string; writtenAt: number } };
  chunks: { key: [string, number]; value: ChunkRecord };
  levels: { key: [string, number]; value: LevelRecord };
}

const allChunks = (takeId: string) => chunkRange(takeId, 0, Number.MAX_SAFE_INTEGER);
const chunkRange = (takeId: string, from: number, to: number) =>
  IDBKeyRange.bound([takeId, from], [takeId, to], false, true);

/** The takes of every user of this browser, in IndexedDB: one record per take and one per chunk. */
export class TakeDatabase {
  readonly #connection = new DatabaseConnection<Schema>(databaseName, 3, (database, oldVersion) => {
    database.createObjectStore("levels", { keyPath: ["takeId", "block"] });
    // The takes of version 2 have no levels. Those of version 1 do not say whose they are, and are not read.
    if (oldVersion > 0) return;
    const takes = database.createObjectStore("takes", { keyPath: "id" });
    takes.createIndex("lectureId", "lectureId");
    takes.createIndex("writtenAt", "writtenAt");
    database.createObjectStore("chunks", { keyPath: ["takeId", "seq"] });
  });

  constructor(private readonly now: () => number) {}

  readonly open = () => this.#connection.open();

  openStorage(userId: string): TakeStorage {
    return new UserTakes(userId, this, this.now);
  }

  /**
   * Removes takes that were not written to since `before` (ms since the epoch) and that nobody can read, such as those of
   * version 1. All others wait until their user has them recognised or deletes them, however old they are.
   */
  async removeUnreadable(before: number): Promise<void> {
    const database = await this.open();
    const range = IDBKeyRange.upperBound(before, true);
    const old = await database.getAllFromIndex("takes", "writtenAt", range);
    const unreadable = old.filter((record) => !takeRecord.safeParse(record).success);
    await this.remove(unreadable.map(({ id }) => id));
  }

  /** Only deletions, because they succeed even when the disk is full. */
  async remove(takeIds: readonly string[]): Promise<void> {
    const database = await this.open();
    const transaction = database.transaction(["takes", "chunks", "levels"], "readwrite");
    await Promise.all([
      ...takeIds.map((id) => transaction.objectStore("takes").delete(id)),
      ...takeIds.map((id) => transaction.objectStore("chunks").delete(allChunks(id))),
      ...takeIds.map((id) => transaction.objectStore("levels").delete(allChunks(id))),
      transaction.done,
    ]);
  }
}

export type TakeStorage = Pick<UserTakes, keyof UserTakes>;

/** The takes of one user on disk. Only one tab writes a take. Every method may reject. */
class UserTakes {
  constructor(
    private readonly userId: string,
    private readonly database: TakeDatabase,
    private readonly now: () => number,
  ) {}

  /** The takes of one lecture, or of all, that are not sent and saved, without files that are still read; oldest first. */
  async list(lectureId?: string): Promise<StoredTake[]> {
    const takes = await this.#readUnfinished(lectureId);
    return takes.filter(({ file }) => file === null || file.isRead);
  }

  /**
   * The takes of files that are not read, sent and saved, or whose sound is still there only because some of it was not
   * recognised; oldest first.
   */
  async listFiles(): Promise<FileTake[]> {
    const records = await this.#readRecords();
    return records.map(toStoredTake).flatMap(({ file, ...take }) => {
      const isDone = isOnlyKept({ ...take, file }) && file?.keepsSound !== false;
      return file === null || isDone ? [] : [{ ...take, file }];
    });
  }

  /** Reads the stored chunks `from` to `to` (exclusive), in order; some may be missing. */
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

  /** Stores the take, adds `chunks` and deletes its chunks before `firstSeq`. */
  async write(take: StoredTake, chunks: readonly TakeChunk[]): Promise<void> {
    const database = await this.database.open();
    // Relaxed durability is faster; only a power cut can lose the last chunks.
    const transaction = database.transaction(["takes", "chunks", "levels"], "readwrite", {
      durability: "relaxed",
    });
    const [takes, stored] = [transaction.objectStore("takes"), transaction.objectStore("chunks")];
    const put = async () => {
      const now = this.now();
      const before = await takes.get(take.id);
      // A page that still records the take does not know that keeping it was ended elsewhere.
      const isKept = take.isKept && before?.isKept !== false;
      if (isOnlyKept(take) && !isKept) {
        await Promise.all([takes.delete(take.id), stored.delete(allChunks(take.id))]);
        return;
      }
      await Promise.all([
        takes.put({
          ...take,
          isKept,
          userId: this.userId,
          writtenAt: now,
          createdAt: before?.createdAt ?? now,
          bytes: (before?.bytes ?? 0) + chunks.reduce((sum, { data }) => sum + data.byteLength, 0),
        }),
        ...chunks.map(({ seq, data }) => stored.put({ takeId: take.id, seq, data })),
        isKept && putLevels(transaction.objectStore("levels"), take.id, chunks),
        !isKept && take.firstSeq > 0 && stored.delete(chunkRange(take.id, 0, take.firstSeq)),
      ]);
    };
    await Promise.all([put(), transaction.done]);
  }

  /** The takes of one lecture, or of all, whose chunks are kept to be heard or recognised again; oldest first. */
  async listKept(lectureId?: string): Promise<KeptTake[]> {
    const records = await this.#readRecords(lectureId);
    const isWanted = (take: StoredTake) => take.file?.keepsSound !== false || isOnlyKept(take);
    return records.filter((take) => take.isKept && take.nextSeq > 0 && isWanted(take));
  }

  /** The level of each chunk of a kept take; 0 where there is none. */
  async readLevels(takeId: string): Promise<Uint8Array> {
    const transaction = (await this.database.open()).transaction(["takes", "levels"]);
    const take = takeRecord.safeParse(await transaction.objectStore("takes").get(takeId)).data;
    if (take?.userId !== this.userId) return new Uint8Array();
    const levels = new Uint8Array(take.nextSeq);
    const records: unknown[] = await transaction.objectStore("levels").getAll(allChunks(takeId));
    for (const record of records) {
      const { data } = levelRecord.safeParse(record);
      const from = (data?.block ?? 0) * levelsPerBlock;
      levels.set(data?.levels.subarray(0, Math.max(0, take.nextSeq - from)) ?? [], from);
    }
    return levels;
  }

  /** Deletes kept chunks of one lecture, or of all; what is not sent stays. */
  async removeKept(lectureId?: string): Promise<void> {
    const records = await this.#readRecords(lectureId);
    for (const { id, isKept } of records) if (isKept) await this.stopKeeping(id);
  }

  /** Deletes the chunks of a kept take that are not needed to be sent; it is not kept any more. */
  async stopKeeping(takeId: string): Promise<void> {
    const [take] = (await this.#readRecords()).filter(({ id }) => id === takeId);
    if (!take?.isKept) return;
    if (isOnlyKept(take)) return this.database.remove([takeId]);
    const database = await this.database.open();
    const transaction = database.transaction(["takes", "chunks", "levels"], "readwrite");
    const put = async () => {
      const record = await transaction.objectStore("takes").get(takeId);
      await Promise.all([
        take.firstSeq > 0 &&
          transaction.objectStore("chunks").delete(chunkRange(takeId, 0, take.firstSeq)),
        transaction.objectStore("levels").delete(allChunks(takeId)),
        record && transaction.objectStore("takes").put({ ...record, isKept: false }),
      ]);
    };
    await Promise.all([put(), transaction.done]);
  }

  /** Makes room for unsent audio: deletes the oldest kept take that is sent and saved. False: there is none. */
  async removeOldestKept(): Promise<boolean> {
    const records = await this.#readRecords();
    const oldest = records.find(isOnlyKept);
    if (oldest !== undefined) await this.database.remove([oldest.id]);
    return oldest !== undefined;
  }

  remove(takeId: string): Promise<void> {
    return this.database.remove([takeId]);
  }

  async removeAll(): Promise<void> {
    const records = await this.#readRecords();
    await this.database.remove(records.map(({ id }) => id));
  }

  async #readUnfinished(lectureId?: string): Promise<StoredTake[]> {
    const records = await this.#readRecords(lectureId);
    return records.filter((take) => !isOnlyKept(take)).map(toStoredTake);
  }

  /** The valid records of the user, of one lecture or of all, oldest first. */
  async #readRecords(lectureId?: string): Promise<TakeRecord[]> {
    const database = await this.database.open();
    const records: unknown[] =
      lectureId === undefined
        ? await database.getAll("takes")
        : await database.getAllFromIndex("takes", "lectureId", lectureId);
    return records
      .flatMap((record) => takeRecord.safeParse(record).data ?? [])
      .filter(({ userId }) => userId === this.userId)
      .toSorted((a, b) => a.createdAt - b.createdAt);
  }
}

const toStoredTake = ({
  userId,
  bytes,
  createdAt,
  writtenAt,
  ...take
}: TakeRecord): StoredTake => ({ ...take, startedAt: take.startedAt ?? createdAt });

/** Adds the levels of `chunks` to their blocks. */
async function putLevels(
  store: IDBPObjectStore<Schema, StoreNames<Schema>[], "levels", "readwrite">,
  takeId: string,
  chunks: readonly TakeChunk[],
): Promise<void> {
  const measured = chunks.filter(({ level }) => level !== undefined);
  const blocks = new Set(measured.map(({ seq }) => Math.floor(seq / levelsPerBlock)));
  for (const block of blocks) {
    const before = await store.get([takeId, block]);
    const levels = before?.levels ?? new Uint8Array(levelsPerBlock);
    for (const { seq, level = 0 } of measured)
      if (Math.floor(seq / levelsPerBlock) === block) levels[seq % levelsPerBlock] = level;
    await store.put({ takeId, block, levels });
  }
}
