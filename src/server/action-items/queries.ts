import { sql } from "drizzle-orm";
import { lectures } from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { isOwnLecture, type LectureKey, measureItemGrowth } from "#server/lectures/queries.ts";
import { hasCapacityFor } from "#server/lectures/storage.ts";
import type { ActionItem } from "#shared/action-item.ts";
import type { SaidRow } from "./check-item.ts";

interface Source {
  createdAt: Date;
  speakerNames: Record<string, string>;
  items: ActionItem[];
  /** Those that have words, in order. */
  rows: SaidRow[];
  /** No row was left out. */
  isWhole: boolean;
}

/** What items of a lecture are found from. Null for another user's or a deleted lecture. */
export async function readSource(
  db: Database,
  key: LectureKey,
  maxLength: number,
): Promise<Source | null> {
  const [[lecture], { rows }] = await db.batch([
    db
      .select({
        createdAt: lectures.createdAt,
        speakerNames: lectures.speakerNames,
        items: lectures.actionItems,
        count: sql<number>`(
          select count(*)::int from transcript_entries where lecture_id = lectures.id and btrim(original) <> '')`,
      })
      .from(lectures)
      .where(isOwnLecture(key)),
    db.execute<Record<string, unknown> & SaidRow>(sql`
      with sentence as (
        select entry.*, sum(char_length(original)) over (order by start_ms, position) as length
        from transcript_entries entry
        where btrim(original) <> '' and lecture_id = (
          select id from lectures
          where id = ${key.id}::uuid and user_id = ${key.userId}::uuid and deleted_at is null)
      )
      select id, start_ms as "startMs", original, spoken_in as "spokenIn", speaker from sentence
      where length <= ${maxLength}::bigint
      order by start_ms, position`),
  ]);
  if (!lecture) return null;
  const { count, ...source } = lecture;
  return { ...source, rows, isWhole: rows.length === count };
}

/** The items of a lecture; null for one that is gone. */
export async function readItems(db: Database, key: LectureKey): Promise<ActionItem[] | null> {
  const [row] = await db
    .select({ items: lectures.actionItems })
    .from(lectures)
    .where(isOwnLecture(key));
  return row?.items ?? null;
}

/** What a message to webhooks has of an item. */
const toMessage = ({ id, task, who, due, dueOn, isDone }: ActionItem) => ({
  id,
  task,
  who,
  due,
  dueOn,
  isDone,
});

/**
 * Stores `items` in place of `before`, and queues a message for the user's webhooks if there are any items. False if the
 * lecture has other items meanwhile, is gone, or has no space for them.
 */
export async function storeFoundItems(
  db: Database,
  key: LectureKey,
  {
    before,
    items,
    now,
  }: { before: readonly ActionItem[]; items: readonly ActionItem[]; now: Date },
): Promise<boolean> {
  const growth = measureItemGrowth(items);
  const message = JSON.stringify(items.map(toMessage));
  const told = sql`, queue_webhook_message(user_id, 'lecture.action_items', updated_at,
    json_build_object('lectureId', id, 'items', ${message}::json))`;
  const { rows } = await db.execute<{ id: string }>(sql`
    with changed as (
      update lectures set action_items = ${JSON.stringify(items)}::jsonb, entry_bytes = entry_bytes + ${growth},
        updated_at = ${toTimestamp(now)}
      where ${isOwnLecture(key)} and action_items = ${JSON.stringify(before)}::jsonb
        and (${growth} <= 0 or ${hasCapacityFor(key.userId, growth)})
      returning id, user_id, updated_at
    )
    select id${items.length > 0 ? told : sql``} from changed`);
  return rows.length > 0;
}
