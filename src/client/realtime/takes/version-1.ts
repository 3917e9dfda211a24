import { deleteDB, openDB } from "idb";
import * as z from "zod/mini";
import { chunkMs } from "./chunk-codec.ts";
import { newTake } from "./take.ts";
import type { TakeStorage } from "./take-storage.ts";

/**
 * Database of version 1, which had no takes: chunks are numbered on the lecture's clock and keyed by
 * the lecture's id and, after `#`, the tab's name. Each key becomes one take.
 */
const databaseName = "dualect-spool";
const codec = "pcm_s16le";

const number = z.int().check(z.nonnegative());
const recordingRecord = z.object({
  recordingId: z.string(),
  nextSeq: number,
  savedMs: z.number().check(z.nonnegative()),
});
const chunkRecord = z.object({ seq: number, pcm: z.instanceof(Uint8Array<ArrayBuffer>) });

interface Deps {
  takes: TakeStorage;
  /** Takes the Web Lock that a tab of version 1 holds while it records a lecture; null: it is held. */
  claim(lectureId: string): Promise<(() => void) | null>;
}

/** Moves the stored audio into `takes`. Audio of a tab that still records is left for a later call. */
export async function migrateVersion1({ takes, claim }: Deps): Promise<void> {
  const names = await indexedDB.databases();
  if (!names.some(({ name }) => name === databaseName)) return;
  const database = await openDB(databaseName);
  let isEmpty = true;
  try {
    const records: unknown[] = await database.getAll("recordings");
    const recordings = records.flatMap((record) => recordingRecord.safeParse(record).data ?? []);
    for (const { recordingId: key, nextSeq, savedMs } of recordings) {
      const [lectureId = key] = key.split("#");
      const release = await claim(lectureId);
      if (release === null) {
        isEmpty = false;
        continue;
      }
      try {
        const range = IDBKeyRange.bound([key, 0], [key, Number.MAX_SAFE_INTEGER]);
        const keys = await database.getAllKeys("chunks", range);
        const first = findLastRunStart(keys, nextSeq);
        const id = await toTakeId(key);
        const isMoved = (await takes.list(lectureId)).some(
          (take) => take.id === id && take.nextSeq === nextSeq,
        );
        if (first < nextSeq && !isMoved) {
          const take = {
            ...newTake(id, lectureId, codec),
            firstSeq: first,
            nextSeq,
            // Version 1 numbered chunks on the lecture's clock, so the offset is 0.
            placements: [{ fromMs: first * chunkMs[codec], offsetMs: 0 }],
            heldMs: nextSeq * chunkMs[codec],
            savedMs: Math.min(savedMs, nextSeq * chunkMs[codec]),
          };
          for (let from = first; from < nextSeq; from += chunksPerMove) {
            const to = Math.min(nextSeq, from + chunksPerMove);
            const stored: unknown[] = await database.getAll(
              "chunks",
              IDBKeyRange.bound([key, from], [key, to], false, true),
            );
            const chunks = stored.flatMap((chunk) => {
              const { data } = chunkRecord.safeParse(chunk);
              return data ? [{ seq: data.seq, data: data.pcm as Uint8Array<ArrayBuffer> }] : [];
            });
            await takes.write({ ...take, nextSeq: to }, chunks);
          }
        }
        await database.delete("chunks", range);
        await database.delete("recordings", key);
      } finally {
        release();
      }
    }
  } finally {
    database.close();
  }
  if (isEmpty) await deleteDB(databaseName);
}

/** Chunks that are moved in one write (1 MB). */
const chunksPerMove = 128;

/** Deterministic, so that a move that was interrupted before the deletion can be repeated. */
async function toTakeId(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  const digits = hex.join("");
  // The two digits 8 mark a custom UUID (RFC 9562, version 8).
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

/** First number of the run that ends before `nextSeq` without a gap. Chunks before a gap cannot be sent. */
function findLastRunStart(keys: readonly IDBValidKey[], nextSeq: number): number {
  let first = nextSeq;
  for (const key of keys.toReversed()) {
    if (!Array.isArray(key) || key[1] !== first - 1) break;
    first -= 1;
  }
  return first;
}
