import { deleteDB, openDB } from "idb";
import * as z from "zod/mini";
import { newTake } from "./take.ts";
import { chunkMs } from "./take-clock.ts";
import type { TakeStorage } from "./take-storage.ts";

/**
 * Sound that the version before takes stored: chunks of a lecture, numbered on its clock, under the
 * lecture's id and (behind `#`) the name of the tab. Each such key becomes one take.
 */
const databaseName = "dualect-spool";

const number = z.int().check(z.nonnegative());
const recordingRecord = z.object({
  recordingId: z.string(),
  nextSeq: number,
  savedMs: z.number().check(z.nonnegative()),
});
const chunkRecord = z.object({ seq: number, pcm: z.instanceof(Uint8Array<ArrayBuffer>) });

interface Deps {
  takes: TakeStorage;
  /** Web Lock of a lecture that a tab of that version holds while it records; null: it does. */
  claim(lectureId: string): Promise<(() => void) | null>;
}

/** Moves what is stored into `takes`; what a tab still writes to stays until it is closed. */
export async function migrateVersion1({ takes, claim }: Deps): Promise<void> {
  const names = await indexedDB.databases();
  if (!names.some(({ name }) => name === databaseName)) return;
  const database = await openDB(databaseName);
  try {
    const records: unknown[] = await database.getAll("recordings");
    let isEmpty = true;
    for (const record of records) {
      const parsed = recordingRecord.safeParse(record);
      if (!parsed.success) continue;
      const { recordingId: key, nextSeq, savedMs } = parsed.data;
      const lectureId = key.split("#")[0] ?? key;
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
            ...newTake(id, lectureId),
            firstSeq: first,
            nextSeq,
            // The numbers were the lecture's clock: there, words of the same time are this take's.
            placements: [{ fromMs: first * chunkMs, offsetMs: 0 }],
            heldMs: nextSeq * chunkMs,
            savedMs: Math.min(savedMs, nextSeq * chunkMs),
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
    if (isEmpty) {
      database.close();
      await deleteDB(databaseName);
    }
  } finally {
    database.close();
  }
}

/** Chunks that are moved in one write (1 MB). */
const chunksPerMove = 128;

/** The same id for the same key: a tab that is killed before it has deleted what it moved moves it again. */
async function toTakeId(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  const digits = hex.join("");
  // The digits 8 say that the id is a UUID of its own making (RFC 9562, version 8).
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

/** First of the numbers that lead to `nextSeq` without a gap: what lies before one cannot be sent in order. */
function findLastRunStart(keys: readonly IDBValidKey[], nextSeq: number): number {
  let first = nextSeq;
  for (const key of keys.toReversed()) {
    if (!Array.isArray(key) || key[1] !== first - 1) break;
    first -= 1;
  }
  return first;
}
