import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import type { AppendEntriesInput } from "#shared/lecture.ts";
import { lectureRowsMax, rowsMovedMax } from "#shared/limits.ts";
import { maxExcerptLength, selectTranslatedExcerpt } from "./queries.ts";
import { hasCapacityFor, lectureBytesMax, rowOverheadBytes } from "./storage.ts";

type AppendRow = {
  is_contiguous: boolean;
  has_conflict: boolean;
  is_stale: boolean;
  lecture_full: boolean;
  account_full: boolean;
  next_position: number;
  share_id: string | null;
};

const entryColumns =
  sql.raw(`lecture_id, position, original, original_by_hand, spoken_in, translated,
  translated_into, translated_by_hand, speaker, start_ms, end_ms, revision`);

/** SQL for the bytes that a row of `table` counts. */
export const countRowBytes = (table: "incoming" | "entry") =>
  sql.raw(
    `octet_length(${table}.original) + octet_length(${table}.translated)
      + coalesce(octet_length(${table}.speaker), 0) + ${rowOverheadBytes}`,
  );

/**
 * Writes `entries[i]` to position `from + i`, unless an equal or higher revision is stored there. So repeated,
 * overlapping and reordered calls lead to the same rows. The start of a row never changes: a stored row with
 * another start is another sentence, from another tab or device, and nothing is written.
 *
 * With `insert`, up to `rowsMovedMax` later rows move to make space. A repeated call finds its own rows and moves
 * nothing. The first statement of the batch locks the lecture, so that the others see what earlier calls wrote. The
 * cost depends on what is sent and moved, not on the lecture's length.
 *
 * @returns the first free position after the call, whether a row with another text was left out because of its revision
 * (`isStale`), and the id of the lecture's active share.
 * @throws AppError `not_found` for another user's or a deleted lecture, `entries_gap` if position `from - 1` is
 * empty, `conflict` if another sentence is stored at one of the positions, `lecture_full`, `account_full`. A call
 * that adds no text is never rejected as full.
 */
export async function appendEntries(
  db: Database,
  {
    userId,
    lectureId,
    from,
    entries,
    insert = false,
    now,
  }: AppendEntriesInput & { userId: string; now: Date },
): Promise<{ nextPosition: number; isStale: boolean; shareId: string | null }> {
  if (from + entries.length > lectureRowsMax) throw new AppError("lecture_full");
  const incoming = selectIncoming(from, entries);
  const lecture = selectLecture({ userId, lectureId });
  const lock = lockLecture(db, lecture);
  const write = db.execute<AppendRow>(sql`
      with lecture as (${lecture}),
      incoming as materialized (${incoming}),
      -- Whether another sentence is stored at a position, and how many bytes the newer rows add.
      comparison as materialized (
        select coalesce(bool_or(entry.start_ms <> incoming.start_ms), false) as has_conflict,
          coalesce(bool_or(entry.revision >= incoming.revision and (entry.original, entry.translated)
            is distinct from (incoming.original, incoming.translated)), false) as is_stale,
          coalesce(sum(${countRowBytes("incoming")} - case when entry.start_ms = incoming.start_ms
            then ${countRowBytes("entry")} else 0 end) filter (
              where (entry.start_ms = incoming.start_ms and entry.revision >= incoming.revision) is not true
            ), 0) as growth
        from incoming left join transcript_entries as entry
          on entry.lecture_id = ${lectureId}::uuid and entry.position = incoming.position
      ),
      target as (
        select id, source_language, growth, has_conflict, is_stale, ${from}::int = 0 or exists (
          select from transcript_entries
          where lecture_id = lecture.id and position = ${from}::int - 1
        ) as is_contiguous,
        growth > 0 and entry_bytes + growth > ${lectureBytesMax}::bigint as lecture_full,
        growth > 0 and not ${hasCapacityFor(userId, sql`growth`)} as account_full
        from lecture, comparison
      ),
      written_rows as (
        insert into transcript_entries as entry (${entryColumns})
        select target.id, incoming.position, incoming.original,
          coalesce(incoming.original_by_hand, stored.original_by_hand, false),
          coalesce(incoming.spoken_in, stored.spoken_in, nullif(target.source_language, 'detect'), 'en'),
          incoming.translated, incoming.translated_into, incoming.translated_by_hand,
          incoming.speaker, incoming.start_ms, incoming.end_ms, incoming.revision
        from target, incoming left join transcript_entries as stored
          on stored.lecture_id = ${lectureId}::uuid and stored.position = incoming.position
        where target.is_contiguous and not target.has_conflict
          and not target.lecture_full and not target.account_full
        on conflict (lecture_id, position) do update set
          original = excluded.original,
          original_by_hand = excluded.original_by_hand,
          spoken_in = excluded.spoken_in,
          translated = excluded.translated,
          translated_into = excluded.translated_into,
          translated_by_hand = excluded.translated_by_hand,
          speaker = excluded.speaker,
          start_ms = excluded.start_ms,
          end_ms = excluded.end_ms,
          revision = excluded.revision
        where entry.revision < excluded.revision
        returning end_ms
      ),
      lecture_update as (
        update lectures set
          updated_at = ${now.toISOString()}::timestamptz,
          entry_bytes = lectures.entry_bytes + target.growth,
          -- Speech that the browser recognised has a length and no ledger segments.
          used_time = greatest(
            lectures.used_time, (select max(end_ms) / 1000 from written_rows)
          )
        from target
        where lectures.id = target.id and exists (select from written_rows)
      )
      select is_contiguous, has_conflict, is_stale, lecture_full, account_full, greatest(${from + entries.length}::int, (
        select coalesce(max(position) + 1, 0) from transcript_entries where lecture_id = target.id
      )) as next_position,
      (select shares.id from shares where shares.lecture_id = target.id and shares.ended_at is null) as share_id
      from target`);
  const shift = shiftRows({ userId, lectureId, from, incoming, lecture });
  const excerpts = updateExcerpts(db, { userId, lectureId, from });
  const [row] = insert
    ? (await db.batch([lock, db.execute(shift), write, excerpts]))[2].rows
    : (await db.batch([lock, write, excerpts]))[1].rows;
  if (!row) throw new AppError("not_found");
  if (!row.is_contiguous) throw new AppError("entries_gap");
  // If the text is full, an insert moves no rows, and so finds other sentences at its positions.
  const isFull = row.lecture_full || row.account_full;
  if (row.has_conflict && !(insert && isFull)) throw new AppError("conflict");
  if (row.lecture_full) throw new AppError("lecture_full");
  if (row.account_full) throw new AppError("account_full");
  return { nextPosition: row.next_position, isStale: row.is_stale, shareId: row.share_id };
}

/** SQL for `entries` as rows of the table, from position `from` on. */
export function selectIncoming(from: number, entries: AppendEntriesInput["entries"]): SQL {
  const rows = entries.map((entry, index) => ({
    position: from + index,
    original: entry.original,
    original_by_hand: entry.originalByHand,
    spoken_in: entry.spokenIn,
    translated: entry.translated,
    translated_into: entry.translatedInto,
    translated_by_hand: entry.translatedByHand,
    speaker: entry.speaker,
    start_ms: entry.startMs,
    end_ms: entry.endMs,
    revision: entry.revision,
  }));
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as incoming (
    position int, original text, original_by_hand boolean, spoken_in text, translated text,
    translated_into target_language, translated_by_hand boolean, speaker text, start_ms int, end_ms int,
    revision int
  )`;
}

/**
 * SQL that inserts the rows of `incoming` into the lecture `accepted`. `sources`: these two, and what is to be read before.
 */
export const insertIncoming = (sources = sql`accepted, incoming`): SQL => sql`
  insert into transcript_entries (${entryColumns})
  select accepted.id, incoming.position, incoming.original, coalesce(incoming.original_by_hand, false),
    coalesce(incoming.spoken_in, nullif(accepted.source_language, 'detect'), 'en'),
    incoming.translated, incoming.translated_into, incoming.translated_by_hand,
    incoming.speaker, incoming.start_ms, incoming.end_ms, incoming.revision
  from ${sources}`;

export interface Owner {
  userId: string;
  lectureId: string;
}

export const selectLecture = ({ userId, lectureId }: Owner): SQL =>
  sql`select id, entry_bytes, source_language from lectures
    where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`;

/** This lock does not block inserts of rows that reference the lecture, such as the search's words. */
export const lockLecture = (db: Database, lecture: SQL) =>
  db.execute(sql`${lecture} for no key update`);

/** The excerpts of a lecture whose rows from `from` on have changed. */
export const updateExcerpts = (
  db: Database,
  { userId, lectureId, from }: Owner & { from: number },
) =>
  // Each row adds at least a space, so a row at a higher position than the excerpt's length cannot be in it.
  db.execute(sql`
    update lectures set preview = changed.excerpt, translated_preview = changed.translated_excerpt
    from (
      select id, ${selectTranslatedExcerpt(sql`lectures.target_language`)} as translated_excerpt, coalesce((
        select left(string_agg(left(original, ${maxExcerptLength}::int), ' ' order by position), ${maxExcerptLength}::int)
        from transcript_entries where lecture_id = lectures.id and position < ${maxExcerptLength}::int
      ), '') as excerpt
      from lectures
      where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null
        and ${from}::int < ${maxExcerptLength}::int
    ) as changed
    where lectures.id = changed.id
      and (preview, translated_preview) is distinct from (changed.excerpt, changed.translated_excerpt)`);

/**
 * Moves the rows from `from` on behind the `incoming` rows, if these come first on the lecture's clock and may be
 * written. All moved rows are deleted before the first one is inserted again, so that no position is used twice.
 */
function shiftRows({
  userId,
  lectureId,
  from,
  incoming,
  lecture,
}: Pick<AppendEntriesInput, "lectureId" | "from"> & {
  userId: string;
  incoming: SQL;
  lecture: SQL;
}): SQL {
  const startAt = (position: number) => sql`(select start_ms from transcript_entries
    where lecture_id = ${lectureId}::uuid and position = ${position}::int)`;
  return sql`
    with lecture as (${lecture}),
    incoming as materialized (
      select count(*)::int as count, min(start_ms) as first_ms, max(start_ms) as last_ms,
        sum(${countRowBytes("incoming")}) as growth
      from (${incoming}) as incoming
    ),
    last_row as (
      select max(position) as position from transcript_entries where lecture_id = ${lectureId}::uuid
    ),
    deleted_rows as (
      delete from transcript_entries as entry using lecture, incoming, last_row
      where entry.lecture_id = lecture.id and entry.position >= ${from}::int
        and ${startAt(from)} > incoming.last_ms
        and coalesce(${startAt(from - 1)}, 0) <= incoming.first_ms
        and last_row.position - ${from}::int < ${rowsMovedMax}::int
        and last_row.position + incoming.count < ${lectureRowsMax}::int
        and lecture.entry_bytes + incoming.growth <= ${lectureBytesMax}::bigint
        and ${hasCapacityFor(userId, sql`incoming.growth`)}
      returning entry as row_value
    ),
    row_array as materialized (select array_agg(deleted_rows.row_value) as rows from deleted_rows)
    insert into transcript_entries (${entryColumns})
    select lecture_id, position + incoming.count, original, original_by_hand, spoken_in, translated,
      translated_into, translated_by_hand, speaker, start_ms, end_ms, revision
    from incoming, row_array, unnest(row_array.rows)`;
}
