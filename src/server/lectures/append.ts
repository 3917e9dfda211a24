import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import type { AppendEntriesInput } from "#shared/lecture.ts";
import { lectureRowsMax, previewLength, rowsMovedMax } from "#shared/limits.ts";
import { hasCapacityFor, lectureBytesMax, rowOverheadBytes } from "./storage.ts";

/** One more than is shown, so that the reader knows whether more follows. */
const maxPreviewLength = previewLength + 1;

type AppendRow = {
  joined: boolean;
  taken: boolean;
  lecture_full: boolean;
  account_full: boolean;
  next_position: number;
};

/** What a row of `table` counts, in bytes. */
const countRowBytes = (table: "sent" | "stored") =>
  sql.raw(
    `octet_length(${table}.english) + octet_length(${table}.translated)
      + coalesce(octet_length(${table}.speaker), 0) + ${rowOverheadBytes}`,
  );

/**
 * Writes `entries[i]` to position `from + i`, where nothing or a lower revision stands; anything else
 * stays as it is, so that repeated, overlapping and reordered calls end in the same rows. A row's start
 * never changes, so a stored row with another start is another sentence, written by another page or
 * device: then the whole call is refused and nothing is written.
 *
 * With `insert`, up to `rowsMovedMax` rows make way where `entries` belong before them on the lecture's
 * clock; a repeated call finds its own rows there and moves nothing.
 *
 * One batch: the first statement takes the lecture's lock, so that the others see what every earlier
 * call wrote. The cost follows from what is sent and moved, not from what the lecture holds.
 *
 * @returns the first position that is free after the call.
 * @throws AppError `not_found` for another user's or a deleted lecture, `entries_gap` when nothing
 * stands at `from - 1`, `conflict` when another sentence stands at one of the positions, `lecture_full`,
 * `account_full`. A write that adds nothing to the texts' size is never refused as full.
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
): Promise<{ nextPosition: number }> {
  if (from + entries.length > lectureRowsMax) throw new AppError("lecture_full");
  const rows = entries.map((entry, index) => ({
    position: from + index,
    english: entry.english,
    translated: entry.translated,
    translated_into: entry.translatedInto,
    translated_by_hand: entry.translatedByHand,
    speaker: entry.speaker,
    start_ms: entry.startMs,
    end_ms: entry.endMs,
    revision: entry.revision,
  }));
  const sent = sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as sent (
    position int, english text, translated text, translated_into target_language,
    translated_by_hand boolean, speaker text, start_ms int, end_ms int, revision int
  )`;
  const lecture = sql`select id, preview, entry_bytes from lectures
    where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`;

  // Foreign keys, such as those of the search's words, may still refer to the lecture meanwhile.
  const lock = db.execute(sql`${lecture} for no key update`);
  const write = db.execute<AppendRow>(sql`
      with recursive
      lecture as (${lecture}),
      sent as materialized (${sent}),
      -- What the call meets, and how many bytes it adds where it is newer.
      met as materialized (
        select coalesce(bool_or(stored.start_ms <> sent.start_ms), false) as taken,
          coalesce(sum(${countRowBytes("sent")} - case when stored.start_ms = sent.start_ms
            then ${countRowBytes("stored")} else 0 end) filter (
              where (stored.start_ms = sent.start_ms and stored.revision >= sent.revision) is not true
            ), 0) as growth
        from sent left join transcript_entries as stored
          on stored.lecture_id = ${lectureId}::uuid and stored.position = sent.position
      ),
      target as (
        select id, preview, growth, taken, ${from}::int = 0 or exists (
          select from transcript_entries
          where lecture_id = lecture.id and position = ${from}::int - 1
        ) as joined,
        growth > 0 and entry_bytes + growth > ${lectureBytesMax}::bigint as lecture_full,
        growth > 0 and not ${hasCapacityFor(userId, sql`growth`)} as account_full
        from lecture, met
      ),
      written as (
        insert into transcript_entries as stored
          (lecture_id, position, english, translated, translated_into, translated_by_hand,
            speaker, start_ms, end_ms, revision)
        select target.id, sent.*
        from target, sent
        where target.joined and not target.taken
          and not target.lecture_full and not target.account_full
        on conflict (lecture_id, position) do update set
          english = excluded.english,
          translated = excluded.translated,
          translated_into = excluded.translated_into,
          translated_by_hand = excluded.translated_by_hand,
          speaker = excluded.speaker,
          start_ms = excluded.start_ms,
          end_ms = excluded.end_ms,
          revision = excluded.revision
        where stored.revision < excluded.revision
        returning position, english
      ),
      -- The beginning of the text, row after row until the preview is full. Each row adds at least
      -- its space, so a row as far down as the preview is long cannot be in it.
      beginning (position, text) as (
        select -1, ''
        where exists (select from written where position < ${maxPreviewLength}::int)
        union all
        select beginning.position + 1,
          left(case when beginning.position < 0 then '' else beginning.text || ' ' end || coalesce(
            (select english from written where position = beginning.position + 1),
            (select english from transcript_entries
              where lecture_id = ${lectureId}::uuid and position = beginning.position + 1)
          ), ${maxPreviewLength}::int)
        from beginning
        where char_length(beginning.text) < ${maxPreviewLength}::int and exists (
          select from written where position = beginning.position + 1
          union all
          select from transcript_entries
          where lecture_id = ${lectureId}::uuid and position = beginning.position + 1
        )
      ),
      touched as (
        update lectures set
          updated_at = ${now.toISOString()}::timestamptz,
          entry_bytes = lectures.entry_bytes + target.growth,
          preview = coalesce(
            (select text from beginning order by position desc limit 1), lectures.preview
          )
        from target
        where lectures.id = target.id and exists (select from written)
      )
      select joined, taken, lecture_full, account_full, greatest(${from + entries.length}::int, (
        select coalesce(max(position) + 1, 0) from transcript_entries where lecture_id = target.id
      )) as next_position
      from target`);
  const room = { userId, lectureId, from, sent, lecture };
  const outcome = insert
    ? (await db.batch([lock, db.execute(shiftRows(room)), write]))[2]
    : (await db.batch([lock, write]))[1];
  const [row] = outcome.rows;
  if (!row) throw new AppError("not_found");
  if (!row.joined) throw new AppError("entries_gap");
  if (row.taken && insert && row.lecture_full) throw new AppError("lecture_full");
  if (row.taken && insert && row.account_full) throw new AppError("account_full");
  if (row.taken) throw new AppError("conflict");
  if (row.lecture_full) throw new AppError("lecture_full");
  if (row.account_full) throw new AppError("account_full");
  return { nextPosition: row.next_position };
}

/**
 * Moves the rows from `from` on behind those that are `sent`, where these belong there on the lecture's
 * clock and may be written. Everything that moves is deleted before the first row is inserted again:
 * each position is taken at most once at any time.
 */
function shiftRows({
  userId,
  lectureId,
  from,
  sent,
  lecture,
}: {
  userId: string;
  lectureId: string;
  from: number;
  sent: SQL;
  lecture: SQL;
}): SQL {
  const startAt = (position: number) => sql`(select start_ms from transcript_entries
    where lecture_id = ${lectureId}::uuid and position = ${position}::int)`;
  return sql`
    with lecture as (${lecture}),
    sent as materialized (
      select count(*)::int as count, min(start_ms) as first_ms, max(start_ms) as last_ms,
        sum(${countRowBytes("sent")}) as growth
      from (${sent}) as sent
    ),
    last as (
      select max(position) as position from transcript_entries where lecture_id = ${lectureId}::uuid
    ),
    gone as (
      delete from transcript_entries as stored using lecture, sent, last
      where stored.lecture_id = lecture.id and stored.position >= ${from}::int
        and ${startAt(from)} > sent.last_ms
        and coalesce(${startAt(from - 1)}, 0) <= sent.first_ms
        and last.position - ${from}::int < ${rowsMovedMax}::int
        and last.position + sent.count < ${lectureRowsMax}::int
        and lecture.entry_bytes + sent.growth <= ${lectureBytesMax}::bigint
        and ${hasCapacityFor(userId, sql`sent.growth`)}
      returning stored as entry
    ),
    moved as materialized (select array_agg(gone.entry) as rows from gone)
    insert into transcript_entries
      (lecture_id, position, english, translated, translated_into, translated_by_hand,
        speaker, start_ms, end_ms, revision)
    select lecture_id, position + sent.count, english, translated, translated_into,
      translated_by_hand, speaker, start_ms, end_ms, revision
    from sent, moved, unnest(moved.rows)`;
}
