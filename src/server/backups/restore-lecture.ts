import { type SQL, sql } from "drizzle-orm";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { violatesConstraint } from "#server/errors.ts";
import { countRowBytes, insertIncoming, selectIncoming } from "#server/lectures/save-rows.ts";
import {
  accountLecturesMax,
  countItemBytes,
  hasCapacityFor,
  lectureBytesMax,
  rowOverheadBytes,
} from "#server/lectures/storage.ts";
import type { RestoreLectureInput } from "#shared/backup.ts";
import { AppError } from "#shared/errors.ts";
import { lectureRowsMax, marksMax, takesMax } from "#shared/limits.ts";

/** How long a lecture whose last part has not come is kept, for its other parts to come. */
const openMs = 86_400_000;

/** Within a lecture, rows have distinct ids and ordinals. */
const rowConstraints = ["transcript_entries_lecture_id_id_pk", "transcript_entries_position_idx"];

type Input = RestoreLectureInput & { userId: string; now: Date };

/**
 * Stores a lecture of a backup, or a part of one, with its rows, marks, takes and dates. All or nothing.
 *
 * A lecture whose last part has not come is in the trash, as an item that no list shows: its `deletion_id` is its own id,
 * and it is purged with that item.
 *
 * @returns false if the user has a lecture with this id, also in the trash; nothing is changed then.
 * @throws AppError `conflict` if the id is another user's, `not_found` for a part of a lecture that was not begun,
 *   `entries_gap` if a part before is missing, `validation_failed` if that has a row with the same id or ordinal,
 *   `lecture_full`, `account_full`
 */
export async function restoreLecture(db: Database, input: Input): Promise<boolean> {
  const { userId, isFirst } = input;
  const { id } = input.lecture;
  const isOpen = sql`id = ${id}::uuid and user_id = ${userId}::uuid and deletion_id = ${id}::uuid`;
  const discard = sql`delete from lectures where ${isOpen} and ${isFirst}`;
  const [, , { rows: begun }, { rows: written }] = await db
    .batch([
      db.execute(lockLibrary(userId)),
      db.execute(discard),
      db.execute<BeginRow>(beginLecture(input)),
      db.execute<WriteRow>(writePart(input, isOpen)),
    ])
    .catch((error: unknown) => {
      const isDouble = rowConstraints.some((name) => violatesConstraint(error, name));
      throw isDouble ? new AppError("validation_failed", { detail: "a row occurs twice" }) : error;
    });
  const [verdict] = begun;
  const [part] = written;
  // The last part may come again, because its answer was lost.
  if (verdict?.is_own && (isFirst || !part)) return false;
  if (isFirst && verdict?.is_taken) throw new AppError("conflict");
  if (isFirst && verdict?.account_full) throw new AppError("account_full");
  if (!part) throw new AppError("not_found");
  if (!part.is_contiguous) throw new AppError("entries_gap");
  if (part.lecture_full) throw new AppError("lecture_full");
  if (part.account_full) throw new AppError("account_full");
  return true;
}

type BeginRow = { is_own: boolean; is_taken: boolean; account_full: boolean };

/** SQL that creates the lecture of a first part, without rows. */
function beginLecture({ userId, lecture, isFirst, now }: Input): SQL {
  const id = sql`${lecture.id}::uuid`;
  const texts = [lecture.originalText, lecture.translatedText, lecture.summary, lecture.context];
  const items = sql`${JSON.stringify(lecture.actionItems)}::jsonb`;
  const textBytes = new TextEncoder().encode(
    `${texts.join("")}${lecture.title}${JSON.stringify(lecture.speakerNames)}`,
  ).byteLength;
  const bytes = sql`(${textBytes}::bigint + ${countItemBytes(items)})`;
  return sql`
    with verdict as materialized (
      select ${isFirst}::boolean as is_first,
        exists (select from lectures where id = ${id} and user_id = ${userId}::uuid) as is_own,
        exists (select from lectures where id = ${id} and user_id <> ${userId}::uuid)
          or exists (select from deletions where id = ${id} and user_id <> ${userId}::uuid) as is_taken,
        coalesce((select lectures from user_storage where user_id = ${userId}::uuid), 0) >= ${accountLecturesMax}::int
          or not ${hasCapacityFor(userId, bytes)} as account_full
    ),
    accepted as (select from verdict where is_first and not (is_own or is_taken or account_full)),
    item as (
      insert into deletions (id, user_id, kind, name, lectures, folders, deleted_at, expires_at)
      select ${id}, ${userId}::uuid, 'lecture', '', 0, 0, ${toTimestamp(now)},
        ${toTimestamp(new Date(now.getTime() + openMs))}
      from accepted on conflict (id) do update set expires_at = excluded.expires_at
    ),
    created as (
      insert into lectures (id, user_id, title, title_source, status, folder_id, source_language, target_language,
        is_two_way, original_text, translated_text, summary, context, speaker_names, action_items, entry_bytes,
        has_demo_text, preview, translated_preview, used_time, created_at, updated_at, deleted_at, deletion_id)
      select ${id}, ${userId}::uuid, ${lecture.title}, ${lecture.titleSource}::title_source,
        ${lecture.status}::lecture_status, (select id from folders where id = ${lecture.folderId}::uuid
          and user_id = ${userId}::uuid and deleted_at is null),
        ${lecture.sourceLanguage}, ${lecture.targetLanguage}::target_language, ${lecture.isTwoWay}::boolean,
        ${lecture.originalText}, ${lecture.translatedText}, ${lecture.summary}, ${lecture.context},
        ${JSON.stringify(lecture.speakerNames)}::jsonb, ${items}, ${countItemBytes(items)},
        ${lecture.hasDemoText}::boolean, ${lecture.excerpt}, ${lecture.translatedExcerpt}, ${lecture.usedTime}::int, ${lecture.createdAt}::timestamptz,
        ${lecture.updatedAt}::timestamptz, ${toTimestamp(now)}, ${id}
      from accepted
    )
    select is_own, is_taken, account_full from verdict`;
}

type WriteRow = { is_contiguous: boolean; lecture_full: boolean; account_full: boolean };

/** SQL that writes what a part has and is not stored yet, and with the last part puts the lecture into the library. */
function writePart({ userId, from, entries, marks, takes, isLast }: Input, isOpen: SQL): SQL {
  return sql`
    with lecture as (select id, entry_bytes, source_language from lectures where ${isOpen}),
    stored as materialized (
      select lecture.id, (
        select count(*) from transcript_entries where lecture_id = lecture.id
      ) as next from lecture
    ),
    incoming as materialized (
      select incoming.* from (${selectIncoming(entries)}) as incoming, stored
      where ${from}::int + incoming.n >= stored.next
    ),
    new_marks as materialized (
      select mark.* from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
        as mark (id uuid, "atMs" int, position int, note text), lecture
      where not exists (select from marks where lecture_id = lecture.id and marks.id = mark.id)
    ),
    new_takes as materialized (
      select take.* from jsonb_to_recordset(${JSON.stringify(takes)}::jsonb) as take (id uuid, "startedAt" bigint,
        codec audio_codec, "capturedMs" int, "acknowledgedMs" int, "transcribedMs" int, "missingMs" int, gaps jsonb), lecture
      where not exists (select from recording_takes where lecture_id = lecture.id and recording_takes.id = take.id)
    ),
    size as materialized (
      select coalesce((select sum(${countRowBytes("incoming")}) from incoming), 0)
        + coalesce((select sum(octet_length(note) + ${rowOverheadBytes}) from new_marks), 0)
        + coalesce((select sum(octet_length(gaps::text) + ${rowOverheadBytes}) from new_takes), 0) as growth,
        (select count(*) from new_marks) as marks, (select count(*) from new_takes) as takes
    ),
    target as materialized (
      select lecture.id, source_language, growth, ${from}::int <= stored.next as is_contiguous,
        entry_bytes + growth > ${lectureBytesMax}::bigint or ${from + entries.length}::int > ${lectureRowsMax}::int
          or marks + (select count(*) from marks where lecture_id = lecture.id) > ${marksMax}::int
          or takes + (select count(*) from recording_takes where lecture_id = lecture.id) > ${takesMax}::int
          as lecture_full,
        growth > 0 and not ${hasCapacityFor(userId, sql`growth`)} as account_full
      from lecture, stored, size
    ),
    accepted as materialized (
      select id, source_language, growth from target where is_contiguous and not (lecture_full or account_full)
    ),
    written_rows as (${insertIncoming}),
    written_marks as (
      insert into marks (lecture_id, id, at_ms, position, note)
      select accepted.id, new_marks.* from accepted, new_marks
    ),
    written_takes as (
      insert into recording_takes (lecture_id, id, started_at, codec, captured_ms, acknowledged_ms, transcribed_ms,
        missing_ms, gaps)
      select accepted.id, new_takes.id, to_timestamp("startedAt" / 1000.0), codec, "capturedMs", "acknowledgedMs",
        "transcribedMs", "missingMs", gaps from accepted, new_takes
    ),
    lecture_update as (
      update lectures set entry_bytes = entry_bytes + growth,
        deleted_at = case when ${isLast}::boolean then null else deleted_at end,
        deletion_id = case when ${isLast}::boolean then null else deletion_id end
      from accepted where lectures.id = accepted.id
    ),
    item as (delete from deletions using accepted where deletions.id = accepted.id and ${isLast}::boolean)
    select is_contiguous, lecture_full, account_full from target`;
}
