import type { Database } from "#server/database.ts";
import { refreshAllSearchIndexes } from "#server/search/refresh.ts";
import { purgeTrash } from "#server/trash/purge.ts";

/** Empties the trash of what was deleted 30 days ago, and indexes what was not searched since it changed. */
export async function keepLibrary(
  db: Database,
  now: Date,
): Promise<{ lectures: number; folders: number; passages: number }> {
  const purged = await purgeTrash(db, { now });
  return { ...purged, passages: await refreshAllSearchIndexes(db) };
}
