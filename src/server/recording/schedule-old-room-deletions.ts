import { and, eq, inArray } from "drizzle-orm";
import { unscheduledRooms } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import type { Recordings, ShareRooms } from "#server/ports.ts";

/** Most objects that one run calls, and how many at once; the next run continues. */
const maxRooms = 800;
const maxCalls = 20;

/**
 * Calls the objects of recordings and shares that earlier versions have stored for ever, so that they delete
 * themselves. New rooms do so without a call: `storageExpiry` in room/deadlines.ts, for shares
 * sharing/room/reducer.ts. Idempotent; an object that cannot be reached is called again by the next run.
 */
export async function scheduleOldRoomDeletions({
  db,
  recordings,
  shareRooms,
}: {
  db: Database;
  recordings: Recordings;
  shareRooms: ShareRooms;
}): Promise<{ rooms: number; failed: number }> {
  const rooms = await db.select().from(unscheduledRooms).limit(maxRooms);
  let failed = 0;
  for (let at = 0; at < rooms.length; at += maxCalls) {
    const batch = rooms.slice(at, at + maxCalls);
    const results = await Promise.allSettled(
      batch.map(({ kind, id }) =>
        (kind === "share" ? shareRooms : recordings).scheduleDeletion(id),
      ),
    );
    const done = batch.filter((_, index) => results[index]?.status === "fulfilled");
    failed += batch.length - done.length;
    for (const kind of ["recording", "share"] as const) {
      const ids = done.filter((room) => room.kind === kind).map(({ id }) => id);
      const isDone = and(eq(unscheduledRooms.kind, kind), inArray(unscheduledRooms.id, ids));
      if (ids.length > 0) await db.delete(unscheduledRooms).where(isDone);
    }
  }
  return { rooms: rooms.length - failed, failed };
}
