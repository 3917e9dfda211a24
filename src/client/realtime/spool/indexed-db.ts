import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from "idb";
import * as z from "zod/mini";
import type { SpooledChunk, SpooledPart, SpooledRecording, SpoolStorage } from "../ports.ts";
import { isKeyOf, keysOf } from "./spool-key.ts";

const databaseName = "dualect-spool";

const recordingRecord = z.object({
  recordingId: z.string(),
  nextSeq: z.int().check(z.nonnegative()),
  savedMs: z.number().check(z.nonnegative()),
  /** Number of the first chunk ever; records from before there was one are taken for the beginning. */
  beganSeq: z.optional(z.int().check(z.nonnegative())),
  /** Time of the last write, ms since the epoch. */
  writtenAt: z.number(),
});
type RecordingRecord = z.infer<typeof recordingRecord>;

const chunkRecord = z.object({
  recordingId: z.string(),
  seq: z.int().check(z.nonnegative()),
  pcm: z.instanceof(Uint8Array<ArrayBuffer>),
});
type ChunkRecord = z.infer<typeof chunkRecord>;

interface SpoolSchema extends DBSchema {
  recordings: { key: string; value: RecordingRecord; indexes: { writtenAt: number } };
  chunks: { key: [string, number]; value: ChunkRecord };
}

type ChunkStore = IDBPObjectStore<SpoolSchema, ("recordings" | "chunks")[], "chunks", "readwrite">;

const allOf = (key: string) => IDBKeyRange.bound([key, 0], [key, Number.MAX_SAFE_INTEGER]);

/**
 * Captured sound in IndexedDB: one record a chunk, and one a key with its cursor. `recordingId` of a
 * record is that key: a recording's id, with the page that wrote it where pages had keys of their own.
 */
export class IndexedDbSpool implements SpoolStorage {
  readonly #now: () => number;
  #database: Promise<IDBPDatabase<SpoolSchema>> | null = null;

  /** `now`: milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  async parts(recordingId: string): Promise<SpooledPart[]> {
    const database = await this.#open();
    const keys = await database.getAllKeys("recordings", IDBKeyRange.bound(...keysOf(recordingId)));
    const own = keys.filter((key) => isKeyOf(key, recordingId));
    const parts = await Promise.all(
      own.map(async (key) => {
        const [stored, record] = await Promise.all([
          this.read(key),
          database.get("recordings", key),
        ]);
        return stored === null ? [] : [{ key, ...stored, beganSeq: record?.beganSeq ?? 0 }];
      }),
    );
    return parts.flat();
  }

  async forgetAll(recordingId: string): Promise<void> {
    const database = await this.#open();
    const keys = await database.getAllKeys("recordings", IDBKeyRange.bound(...keysOf(recordingId)));
    for (const key of keys) if (isKeyOf(key, recordingId)) await this.forget(key);
  }

  async read(key: string): Promise<SpooledRecording | null> {
    const database = await this.#open();
    const transaction = database.transaction(["recordings", "chunks"]);
    // Keys alone: hours of sound need not pass through memory to be counted.
    const [recording, keys] = await Promise.all([
      transaction.objectStore("recordings").get(key),
      transaction.objectStore("chunks").getAllKeys(allOf(key)),
    ]);
    const parsed = recordingRecord.safeParse(recording);
    if (!parsed.success) return null;
    const { nextSeq, savedMs } = parsed.data;
    return { firstSeq: startOfLastRun(keys, nextSeq), nextSeq, savedMs };
  }

  async chunks(key: string, from: number, to: number): Promise<SpooledChunk[]> {
    const database = await this.#open();
    const range = IDBKeyRange.bound([key, from], [key, to], false, true);
    const records: unknown[] = await database.getAll("chunks", range);
    return records.flatMap((record) => {
      const parsed = chunkRecord.safeParse(record);
      if (!parsed.success) return [];
      return [{ seq: parsed.data.seq, pcm: parsed.data.pcm as Uint8Array<ArrayBuffer> }];
    });
  }

  async append(key: string, chunks: readonly SpooledChunk[]): Promise<void> {
    const last = chunks.at(-1);
    if (last === undefined) return;
    await this.#write(key, async (store, recording) => {
      await Promise.all(chunks.map(({ seq, pcm }) => store.put({ recordingId: key, seq, pcm })));
      const beganSeq = recording.beganSeq ?? chunks[0]?.seq ?? 0;
      return { ...recording, beganSeq, nextSeq: last.seq + 1 };
    });
  }

  async release(key: string, seq: number, savedMs: number): Promise<void> {
    await this.#write(key, async (store, recording) => {
      await store.delete(IDBKeyRange.bound([key, 0], [key, seq], false, true));
      return { ...recording, nextSeq: Math.max(recording.nextSeq, seq), savedMs };
    });
  }

  async shift(key: string, delta: number): Promise<void> {
    await this.#write(key, async (store, recording) => {
      const chunks = await store.getAll(allOf(key));
      await store.delete(allOf(key));
      await Promise.all(chunks.map((chunk) => store.put({ ...chunk, seq: chunk.seq + delta })));
      const nextSeq = Math.max(0, recording.nextSeq + delta);
      return { ...recording, beganSeq: Math.max(0, (recording.beganSeq ?? 0) + delta), nextSeq };
    });
  }

  async forget(key: string): Promise<void> {
    const database = await this.#open();
    // Nothing but deletions: a full storage still takes them.
    const transaction = database.transaction(["recordings", "chunks"], "readwrite");
    await Promise.all([
      transaction.objectStore("recordings").delete(key),
      transaction.objectStore("chunks").delete(allOf(key)),
      transaction.done,
    ]);
  }

  async sweep(before: number): Promise<void> {
    const database = await this.#open();
    const transaction = database.transaction(["recordings", "chunks"], "readwrite");
    const recordings = transaction.objectStore("recordings");
    const old = await recordings
      .index("writtenAt")
      .getAllKeys(IDBKeyRange.upperBound(before, true));
    await Promise.all([
      ...old.map((key) => recordings.delete(key)),
      ...old.map((key) => transaction.objectStore("chunks").delete(allOf(key))),
      transaction.done,
    ]);
  }

  /** One transaction over a recording's chunks and its cursor. */
  async #write(
    key: string,
    change: (store: ChunkStore, recording: RecordingRecord) => Promise<RecordingRecord>,
  ): Promise<void> {
    const database = await this.#open();
    // Relaxed: a chunk counts when the browser has it; only a power cut may cost the last moment.
    const transaction = database.transaction(["recordings", "chunks"], "readwrite", {
      durability: "relaxed",
    });
    const work = async () => {
      const recordings = transaction.objectStore("recordings");
      const known = (await recordings.get(key)) ?? {
        recordingId: key,
        nextSeq: 0,
        savedMs: 0,
        writtenAt: 0,
      };
      const changed = await change(transaction.objectStore("chunks"), known);
      await recordings.put({ ...changed, writtenAt: this.#now() });
    };
    await Promise.all([work(), transaction.done]);
  }

  #open(): Promise<IDBPDatabase<SpoolSchema>> {
    this.#database ??= openDB<SpoolSchema>(databaseName, 1, {
      upgrade(database) {
        const recordings = database.createObjectStore("recordings", { keyPath: "recordingId" });
        recordings.createIndex("writtenAt", "writtenAt");
        database.createObjectStore("chunks", { keyPath: ["recordingId", "seq"] });
      },
    }).catch((error: unknown) => {
      this.#database = null;
      throw error;
    });
    return this.#database;
  }
}

/** First of the numbers that lead to `nextSeq` without a gap: what lies before one cannot be sent in order. */
function startOfLastRun(keys: readonly [string, number][], nextSeq: number): number {
  let first = nextSeq;
  for (const [, seq] of keys.toReversed()) {
    if (seq !== first - 1) break;
    first = seq;
  }
  return first;
}
