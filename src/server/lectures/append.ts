import { sql } from "drizzle-orm";
import { AppError } from "../../shared/errors.ts";
import type { AppendEntriesInput } from "../../shared/lecture.ts";
import { previewLength } from "../../shared/limits.ts";
import type { Database } from "../database.ts";

/** One more than is shown, so that the reader knows whether more follows. */
const previewMax = previewLength + 1;

type Outcome = { joined: boolean; taken: boolean; next_position: number };

/**
 * Writes `entries[i]` to position `from + i`, where nothing or a lower revision stands; anything else
 * stays as it is, so that repeated, overlapping and reordered calls end in the same rows. A row's start
 * never changes, so a stored row with another start is another sentence, written by another page or
 * device: then the whole call is refused and nothing is written.
 *
 * One batch: the first statement takes the lecture's lock, so that the second one sees what every
 * earlier call wrote. The cost follows from what is sent, not from what the lecture holds.
 *
 * @returns the first position that is free after the call.
 * @throws AppError `not_found` for another user's or a deleted lecture, `entries_gap` when nothing
 * stands at `from - 1`, `conflict` when another sentence stands at one of the positions.
 */
export async function appendEntries(
  db: Database,
  { userId, lectureId, from, entries, now }: AppendEntriesInput & { userId: string; now: Date },
): Promise<{ nextPosition: number }> {
  const rows = entries.map((entry, index) => ({
    position: from + index,
    // Half of a surrogate pair is no text to Postgres.
    english: entry.english.toWellFormed(),
    translated: entry.translated.toWellFormed(),
    translated_into: entry.translatedInto,
    translated_by_hand: entry.translatedByHand,
    speaker: entry.speaker?.toWellFormed() ?? null,
    start_ms: entry.startMs,
    end_ms: entry.endMs,
    revision: entry.revision,
  }));
  const lecture = sql`select id, preview from lectures
    where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`;

  const [, outcome] = await db.batch([
    db.execute(sql`${lecture} for update`),
    db.execute<Outcome>(sql`
      with recursive
      lecture as (${lecture}),
      sent as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as sent (
          position int, english text, translated text, translated_into target_language,
          translated_by_hand boolean, speaker text, start_ms int, end_ms int, revision int
        )
      ),
      target as (
        select id, preview, ${from}::int = 0 or exists (
          select from transcript_entries
          where lecture_id = lecture.id and position = ${from}::int - 1
        ) as joined, exists (
          select from sent join transcript_entries as stored
            on stored.lecture_id = lecture.id and stored.position = sent.position
          where stored.start_ms <> sent.start_ms
        ) as taken
        from lecture
      ),
      written as (
        insert into transcript_entries as stored
          (lecture_id, position, english, translated, translated_into, translated_by_hand,
            speaker, start_ms, end_ms, revision)
        select target.id, sent.*
        from target, sent
        where target.joined and not target.taken
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
        where exists (select from written where position < ${previewMax}::int)
        union all
        select beginning.position + 1,
          left(case when beginning.position < 0 then '' else beginning.text || ' ' end || coalesce(
            (select english from written where position = beginning.position + 1),
            (select english from transcript_entries
              where lecture_id = ${lectureId}::uuid and position = beginning.position + 1)
          ), ${previewMax}::int)
        from beginning
        where char_length(beginning.text) < ${previewMax}::int and exists (
          select from written where position = beginning.position + 1
          union all
          select from transcript_entries
          where lecture_id = ${lectureId}::uuid and position = beginning.position + 1
        )
      ),
      touched as (
        update lectures set
          updated_at = ${now.toISOString()}::timestamptz,
          preview = coalesce(
            (select text from beginning order by position desc limit 1), lectures.preview
          )
        from target
        where lectures.id = target.id and exists (select from written)
      )
      select joined, taken, greatest(${from + entries.length}::int, (
        select coalesce(max(position) + 1, 0) from transcript_entries where lecture_id = target.id
      )) as next_position
      from target`),
  ]);
  const [row] = outcome.rows;
  if (!row) throw new AppError("not_found");
  if (!row.joined) throw new AppError("entries_gap");
  if (row.taken) throw new AppError("conflict");
  return { nextPosition: row.next_position };
}
