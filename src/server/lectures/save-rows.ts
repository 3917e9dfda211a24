import { type SQL, sql } from "drizzle-orm";
import { type Database, toTimestamp } from "#server/database.ts";
import { selectAudience, selectAuthor, type Writer } from "#server/people/access.ts";
import { passageRows } from "#server/search/refresh.ts";
import { AppError } from "#shared/errors.ts";
import type { SavedRows, SaveRowsInput, TranscriptEntry } from "#shared/lecture.ts";
import { lectureRowsMax } from "#shared/limits.ts";
import { selectFormulas } from "#shared/row-formulas.ts";
import { maxExcerptLength, selectFirstRows, selectTranslatedExcerpt } from "./queries.ts";
import { hasCapacityFor, lectureBytesMax, rowOverheadBytes } from "./storage.ts";

type NumberedRow = { id: string; ordinal: number };

type Outcome = {
  seq: number;
  is_shared: boolean;
  lecture_full: boolean;
  account_full: boolean;
  changed: TranscriptEntry[] | null;
  deleted_ids: string[] | null;
  written: NumberedRow[] | null;
  /** Those that were stored as they were sent. */
  same: NumberedRow[] | null;
  share_id: string | null;
  audience: string[] | null;
};

/** Ordinals of the rows that a call has written: `from` the lowest to before `to`; null: none. */
interface WrittenRange {
  from: number;
  to: number;
}

/** `revision`: of a page of the version before; see former-rows.ts. */
type WrittenEntry = TranscriptEntry & { revision?: number };

const listColumns = (table: string, columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${table}.${column}`).join(", "));

const textColumns = [
  "original",
  "original_by_hand",
  "spoken_in",
  "translated",
  "translated_into",
  "translated_by_hand",
  "speaker",
  "start_ms",
  "end_ms",
];
/** The columns that a person or a machine changes. */
const contentColumns = [...textColumns, "formulas"];
const content = sql.raw(contentColumns.join(", "));
const listContent = (table: string) => listColumns(table, contentColumns);

/** SQL for the bytes that a row of `table` counts. */
export const countRowBytes = (table: "incoming" | "entry") =>
  sql.raw(
    `octet_length(${table}.original) + octet_length(${table}.translated)
      + coalesce(octet_length(${table}.speaker), 0) + coalesce(octet_length(${table}.formulas::text), 0)
      + ${rowOverheadBytes}`,
  );

/**
 * SQL for who wrote the row of `incoming` last, of which `entry` is stored: a person whose text is another one now. What an
 * editor sends as an original is theirs, whatever they say of it.
 */
const selectEditor = (editorId: string | null) => sql`
  case when (incoming.original_by_hand or ${editorId !== null}::boolean) and incoming.original is distinct from entry.original
    or incoming.translated_by_hand and incoming.translated is distinct from entry.translated
    then ${editorId}::uuid else entry.edited_by end`;

/** SQL for a row of `sent` as it is to be stored. Without formulas, it keeps those of its stored version, `entry`. */
const selectWithFormulas = sql`
  select sent.n, sent.id, sent.seq, sent.ordinal, sent.revision, ${listColumns("sent", textColumns)},
    nullif(coalesce(sent.formulas, case when entry.original = sent.original then entry.formulas end), '[]') as formulas`;

/**
 * Writes rows and deletes others. Of a row that has changed after the version that the caller names, nothing is written or
 * deleted: it is in the answer. A row that is stored as it is sent counts as written, so repeated calls lead to the same
 * rows. The first statement of the batch locks the lecture, so that the others see what earlier calls wrote. The cost
 * depends on what is sent, not on the lecture's length. An editor changes rows that exist, and deletes none.
 *
 * @returns what became of the rows, the ordinals that were written, the id of the lecture's active share, and who is to be
 * told.
 * @throws AppError `not_found` for another user's or a deleted lecture, `conflict` if rows are to be deleted while others
 * read the lecture along, `lecture_full`, `account_full`. A call that adds no text is never refused as full.
 */
export async function saveRows(
  db: Database,
  {
    userId,
    editorId = null,
    lectureId,
    entries,
    deleted,
    now,
  }: Omit<SaveRowsInput, "entries"> & Writer & { entries: WrittenEntry[]; now: Date },
): Promise<{
  saved: SavedRows;
  range: WrittenRange | null;
  shareId: string | null;
  audience: string[] | null;
}> {
  if (editorId !== null && deleted.length > 0)
    throw new AppError("validation_failed", { detail: "only the owner deletes rows" });
  const lecture = selectLecture({ userId, lectureId });
  const isOfLecture = sql`lecture_id = ${lectureId}::uuid`;
  // By the key for each row, also where the planner knows nothing of the table yet: it would read the whole lecture.
  const selectById = (id: SQL) =>
    sql`select * from transcript_entries where ${isOfLecture} and id = ${id} offset 0`;
  const write = db.execute<Outcome>(sql`
    with lecture as (${lecture}),
    sent as materialized (${selectIncoming(entries)}),
    removed as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(deleted)}::jsonb) as removed (id uuid, seq bigint)
    ),
    -- No later part joins these again: of many rows, the planner would compare each with each.
    compared as materialized (
      select incoming.*, entry.position as stored_position, ${selectEditor(editorId)} as edited_by, case
          when entry.id is null and ${editorId !== null}::boolean then 'deleted'
          when entry.id is null and incoming.seq < coalesce(gone.seq, 0) then 'deleted'
          when entry.id is null and incoming.seq > 0 and gone.id is null then 'deleted'
          when (${listContent("entry")}) is not distinct from (${listContent("incoming")}) then 'same'
          when entry.seq > incoming.seq then 'changed'
          else 'written' end as outcome,
        ${countRowBytes("incoming")} - case when entry.id is null then 0 else ${countRowBytes("entry")} end as growth,
        gone.id is not null as is_restored
      from sent
      left join lateral (${selectById(sql`sent.id`)}) as entry on true
      left join lateral (
        select * from deleted_entries where ${isOfLecture} and id = sent.id offset 0
      ) as gone on true
      cross join lateral (${selectWithFormulas}) as incoming
    ),
    compared_removed as materialized (
      select entry.id, entry.seq > removed.seq as is_changed, ${countRowBytes("entry")} as bytes
      from removed cross join lateral (${selectById(sql`removed.id`)}) as entry
    ),
    change as materialized (
      select coalesce((select sum(growth) from compared where outcome = 'written'), 0)
          - coalesce((select sum(bytes) from compared_removed where not is_changed), 0) as growth,
        (select count(*) from compared where outcome = 'written' and stored_position is null)
          - (select count(*) from compared_removed where not is_changed) as rows,
        (select greatest(reserved_positions,
          (select max(position) + 1 from transcript_entries where ${isOfLecture})) from lecture) as next
    ),
    target as materialized (
      select lecture.id, lecture.source_language, lecture.seq + 1 as seq, growth,
        exists (select from compared_removed where not is_changed)
          and exists (select from shares where lecture_id = lecture.id and ended_at is null) as is_shared,
        growth > 0 and entry_bytes + growth > ${lectureBytesMax}::bigint
          or rows > 0 and next + rows > ${lectureRowsMax}::int and rows + (
            select count(*) from transcript_entries where lecture_id = lecture.id
          ) > ${lectureRowsMax}::int as lecture_full,
        growth > 0 and not ${hasCapacityFor(userId, sql`growth`)} as account_full
      from lecture, change
    ),
    accepted as materialized (
      select id, source_language, seq, growth from target
      where not (is_shared or lecture_full or account_full)
    ),
    -- A new row has its ordinal, unless another row has it, or may have had it: marks and answers name rows by theirs.
    chosen as (
      select compared.*, stored_position is null and (
          row_number() over (partition by stored_position is null, ordinal order by n) > 1
          or exists (select from transcript_entries where ${isOfLecture} and position = compared.ordinal)
          or ordinal < reserved_positions and not is_restored
        ) as is_taken
      from compared, lecture where outcome = 'written'
    ),
    numbered as (
      select chosen.*, case
          when stored_position is not null then stored_position
          when not is_taken then ordinal
          else greatest(next, max(ordinal) filter (where stored_position is null and not is_taken) over () + 1)
            + row_number() over (partition by is_taken order by n) - 1 end as position
      from chosen, change
    ),
    written_rows as (
      insert into transcript_entries as entry (lecture_id, id, seq, position, ${content}, revision, edited_by)
      select accepted.id, numbered.id, accepted.seq, numbered.position, ${listContent("numbered")},
        coalesce(numbered.revision, 1), numbered.edited_by
      from accepted, numbered
      on conflict (lecture_id, id) do update set
        (seq, ${content}, revision, edited_by) = (
          excluded.seq, ${listContent("excluded")}, greatest(entry.revision + 1, excluded.revision),
          excluded.edited_by
        )
      returning entry.id, entry.position, entry.end_ms
    ),
    deleted_rows as (
      delete from transcript_entries as entry using accepted, compared_removed
      where entry.lecture_id = accepted.id and entry.id = compared_removed.id and not is_changed
      returning entry.id, entry.position
    ),
    noted_deletions as (
      insert into deleted_entries (lecture_id, id, seq, deleted_at)
      select accepted.id, deleted_rows.id, accepted.seq, ${toTimestamp(now)} from accepted, deleted_rows
      on conflict (lecture_id, id) do update set seq = excluded.seq, deleted_at = excluded.deleted_at
    ),
    restored as (
      delete from deleted_entries as gone using written_rows
      where gone.${isOfLecture} and gone.id = written_rows.id
    ),
    -- Triggers queue the passages of written rows, not those of deleted ones.
    queued_passages as (
      insert into search_queue as queue (lecture_id, passage, user_id)
      select distinct accepted.id, position / ${passageRows}::int, ${userId}::uuid from accepted, deleted_rows
      on conflict (lecture_id, passage) do update set changes = queue.changes + 1
    ),
    lecture_update as (
      update lectures set
        seq = accepted.seq,
        updated_at = ${toTimestamp(now)},
        entry_bytes = lectures.entry_bytes + accepted.growth,
        reserved_positions = greatest(lectures.reserved_positions, (select max(position) + 1 from deleted_rows)),
        -- Speech that the browser recognised has a length and no ledger segments.
        used_time = greatest(lectures.used_time, (select max(end_ms) / 1000 from written_rows))
      from accepted
      where lectures.id = accepted.id
        and (exists (select from written_rows) or exists (select from deleted_rows))
    )
    select case when exists (select from written_rows) or exists (select from deleted_rows) then seq else seq - 1 end
        as seq,
      is_shared, lecture_full, account_full,
      (select json_agg(${describeEntry(userId, editorId)}) from transcript_entries as entry where ${isOfLecture} and id in (
        select id from compared where outcome = 'changed' union select id from compared_removed where is_changed
      )) as changed,
      (select json_agg(id) from compared where outcome = 'deleted') as deleted_ids,
      (select json_agg(json_build_object('id', id, 'ordinal', position)) from written_rows) as written,
      (select json_agg(json_build_object('id', id, 'ordinal', stored_position)) from compared where outcome = 'same')
        as same,
      (select shares.id from shares where shares.lecture_id = target.id and shares.ended_at is null) as share_id,
      ${selectAudience(sql`target.id`, sql`${userId}::uuid`)} as audience
    from target`);
  const lowest = entries.reduce((least, { ordinal }) => Math.min(least, ordinal), Infinity);
  const excerpts = updateExcerpts(db, { userId, lectureId }, deleted.length > 0 ? 0 : lowest);
  const lock = lockLecture(db, lecture);
  const [, { rows }] =
    deleted.length > 0
      ? await db.batch([lock, write, excerpts, forgetDeletions(db, lectureId)])
      : await db.batch([lock, write, excerpts]);
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  if (row.is_shared) throw new AppError("conflict");
  if (row.lecture_full) throw new AppError("lecture_full");
  if (row.account_full) throw new AppError("account_full");
  return { ...readOutcome(row, entries), shareId: row.share_id, audience: row.audience };
}

function readOutcome(
  row: Outcome,
  entries: SaveRowsInput["entries"],
): { saved: SavedRows; range: WrittenRange | null } {
  const written = row.written ?? [];
  const sent = new Map(entries.map(({ id, ordinal }) => [id, ordinal]));
  const renumbered = [...written, ...(row.same ?? [])].filter(
    ({ id, ordinal }) => ordinal !== sent.get(id),
  );
  const ordinals = Object.fromEntries(renumbered.map(({ id, ordinal }) => [id, ordinal]));
  const all = written.map(({ ordinal }) => ordinal);
  const range =
    all.length === 0
      ? null
      : {
          from: all.reduce((a, b) => Math.min(a, b)),
          to: all.reduce((a, b) => Math.max(a, b)) + 1,
        };
  const saved = {
    seq: Number(row.seq),
    changed: row.changed ?? [],
    deletedIds: row.deleted_ids ?? [],
    ordinals,
  };
  return { saved, range };
}

/** SQL for a row of `entry` as JSON of a `TranscriptEntry`, for its owner or another person. */
const describeEntry = (
  ownerId: string,
  editorId: string | null,
) => sql`jsonb_build_object('id', id, 'seq', seq, 'ordinal', position, 'original', original,
  'originalByHand', original_by_hand, 'spokenIn', spoken_in, 'translated', translated,
  'translatedInto', nullif(translated_into, 'none'), 'translatedByHand', translated_by_hand, 'speaker', speaker,
  'startMs', start_ms, 'endMs', end_ms)
  || case when formulas is null then '{}' else jsonb_build_object('formulas', formulas) end
  || jsonb_strip_nulls(jsonb_build_object('author', ${selectAuthor("entry", {
    ownerId: sql`${ownerId}::uuid`,
    viewerId: editorId ?? ownerId,
    isWritten: sql`(original_by_hand or translated_by_hand)`,
  })}))`;

/** SQL for `entries` as rows of the table, with their index `n`. */
export function selectIncoming(entries: readonly WrittenEntry[]): SQL {
  const rows = entries.map((entry, n) => ({
    n,
    id: entry.id,
    seq: entry.seq,
    ordinal: entry.ordinal,
    original: entry.original,
    original_by_hand: entry.originalByHand,
    spoken_in: entry.spokenIn,
    translated: entry.translated,
    translated_into: entry.translatedInto,
    translated_by_hand: entry.translatedByHand,
    speaker: entry.speaker,
    start_ms: entry.startMs,
    end_ms: entry.endMs,
    formulas: entry.formulas && selectFormulas(entry.original, entry.formulas),
    revision: entry.revision,
  }));
  return sql`select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as incoming (
    n int, id uuid, seq bigint, ordinal int, original text, original_by_hand boolean, spoken_in text,
    translated text, translated_into target_language, translated_by_hand boolean, speaker text, start_ms int,
    end_ms int, formulas jsonb, revision int
  )`;
}

/** SQL that inserts the rows of `incoming`, which are all new, into the lecture `accepted`. */
export const insertIncoming = sql`
  insert into transcript_entries (lecture_id, id, position, ${content})
  select accepted.id, incoming.id, incoming.ordinal, ${listContent("incoming")} from accepted, incoming`;

export interface Owner {
  userId: string;
  lectureId: string;
}

export const selectLecture = ({ userId, lectureId }: Owner): SQL =>
  sql`select id, seq, entry_bytes, source_language, reserved_positions from lectures
    where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`;

/** This lock does not block inserts of rows that reference the lecture, such as the search's words. */
export const lockLecture = (db: Database, lecture: SQL) =>
  db.execute(sql`${lecture} for no key update`);

/**
 * The excerpts of a lecture whose rows with ordinal `from` and higher ones have changed. Each row adds at least a space, so
 * they have at most as many rows as characters.
 */
const updateExcerpts = (db: Database, { userId, lectureId }: Owner, from: number) =>
  db.execute(sql`
    update lectures set preview = changed.excerpt, translated_preview = changed.translated_excerpt
    from (
      select id, ${selectTranslatedExcerpt(sql`lectures.target_language`)} as translated_excerpt, coalesce((
        select left(string_agg(left(original, ${maxExcerptLength}::int), ' ' order by start_ms, position),
          ${maxExcerptLength}::int)
        from ${selectFirstRows(maxExcerptLength)}
      ), '') as excerpt
      from lectures
      where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null
        and (select count(*) from ${selectFirstRows(maxExcerptLength)} where position < ${from}::int)
          < ${maxExcerptLength}::int
    ) as changed
    where lectures.id = changed.id
      and (preview, translated_preview) is distinct from (changed.excerpt, changed.translated_excerpt)`);

/** As many deletions are kept as a lecture may have rows. With one more, all of them are forgotten. */
const forgetDeletions = (db: Database, lectureId: string) =>
  db.execute(sql`
    with forgotten as (
      delete from deleted_entries where lecture_id = ${lectureId}::uuid and (
        select count(*) from deleted_entries where lecture_id = ${lectureId}::uuid
      ) > ${lectureRowsMax}::int
      returning seq
    )
    update lectures set forgotten_seq = (select max(seq) from forgotten)
    where id = ${lectureId}::uuid and exists (select from forgotten)`);
