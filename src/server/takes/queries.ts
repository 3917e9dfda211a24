import { asc, getTableColumns, sql } from "drizzle-orm";
import { recordingTakes } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { isOnPage, writeLectureRows } from "#server/lectures/lecture-rows.ts";
import { rowOverheadBytes } from "#server/lectures/storage.ts";
import { type CursorInput, toPage } from "#server/page-cursor.ts";
import { takesMax, takesPageSize } from "#shared/limits.ts";
import type { RecordedTake, StoreTakesInput } from "#shared/recorded-take.ts";

/**
 * Lists a page of a lecture's takes, by id; none of a deleted lecture, and of one that the user may not read.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listTakes(
  db: Database,
  input: { userId: string; lectureId: string; cursor?: CursorInput },
): Promise<{ items: RecordedTake[]; nextCursor: string | null }> {
  const { lectureId: _, ...columns } = getTableColumns(recordingTakes);
  const rows = await db
    .select(columns)
    .from(recordingTakes)
    .where(isOnPage(recordingTakes, input))
    .orderBy(asc(recordingTakes.id))
    .limit(takesPageSize + 1);
  const { page, nextCursor } = toPage(rows, takesPageSize, ({ id }) => [id]);
  const items = page.map(({ startedAt, ...take }) => ({ ...take, startedAt: startedAt.getTime() }));
  return { items, nextCursor };
}

/**
 * Stores takes. A request that a closing page has sent may arrive after that of the next visit, so a state in which
 * less was captured, missing or acknowledged replaces nothing.
 *
 * @throws AppError as `writeLectureRows`
 */
export async function storeTakes(
  db: Database,
  { userId, lectureId, takes }: StoreTakesInput & { userId: string },
): Promise<void> {
  await writeLectureRows(
    db,
    { userId, lectureId },
    {
      table: recordingTakes,
      max: takesMax,
      change: sql`incoming as (
        select id, to_timestamp("startedAt" / 1000.0) as started_at, codec, "capturedMs" as captured_ms,
          "acknowledgedMs" as acknowledged_ms, "transcribedMs" as transcribed_ms, "missingMs" as missing_ms, gaps
        from jsonb_to_recordset(${JSON.stringify(takes)}::jsonb) as take (id uuid, "startedAt" bigint,
          codec audio_codec, "capturedMs" int, "acknowledgedMs" int, "transcribedMs" int, "missingMs" int, gaps jsonb)
      ),
      newer as materialized (
        select incoming.*, stored.gaps as stored_gaps
        from incoming left join recording_takes stored
          on stored.lecture_id = ${lectureId}::uuid and stored.id = incoming.id
        where stored.id is null or (incoming.captured_ms, incoming.missing_ms, incoming.acknowledged_ms)
          >= (stored.captured_ms, stored.missing_ms, stored.acknowledged_ms)
      ),
      change as materialized (
        select count(*) filter (where stored_gaps is null) as count, coalesce(sum(octet_length(gaps::text)
          - coalesce(octet_length(stored_gaps::text), ${-rowOverheadBytes}::int)), 0) as growth
        from newer
      )`,
      writes: sql`written as (
        insert into recording_takes (lecture_id, id, started_at, codec, captured_ms, acknowledged_ms,
          transcribed_ms, missing_ms, gaps)
        select accepted.id, newer.id, started_at, codec, captured_ms, acknowledged_ms,
          transcribed_ms, missing_ms, gaps
        from accepted, newer
        on conflict (lecture_id, id) do update set
          captured_ms = excluded.captured_ms, acknowledged_ms = excluded.acknowledged_ms,
          transcribed_ms = excluded.transcribed_ms, missing_ms = excluded.missing_ms, gaps = excluded.gaps
      )`,
    },
  );
}
