import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { lockLibrary } from "#server/database.ts";
import { toAppError } from "#server/errors.ts";
import type { Clock } from "#server/ports.ts";
import {
  getUserTag,
  maxLexemeBytes,
  maxPassageLength,
  toLexemes,
  toSampleLexemes,
  toSqlNumber,
} from "./lexemes.ts";
import { toForms } from "./word-forms.ts";

/** Passages of one statement. One of spoken sentences takes 7 ms of a fast machine, and a statement has 5 s. */
const passagesOfStatement = 64;
/** Characters of its passages, without those of the last: of sentences, the passages have fewer. */
export const statementLength = 400_000;

/** Rows of a transcript in one passage; the triggers on `transcript_entries` use the same number. */
export const passageRows = 32;
export const specialPassages = { title: -1, summary: -2, text: -3, notes: -4, slides: -5 } as const;

/** Bytes of its forms in other languages, of which there may be eight. With the other words they are within the limit. */
const maxFormBytes = 500_000;

/** The text of the passage `picked`, as it is indexed. */
export const passageText = sql`case picked.passage
  when ${toSqlNumber(specialPassages.title)} then
    (select title from lectures where id = picked.lecture_id and title_source <> 'date')
  when ${toSqlNumber(specialPassages.summary)} then
    (select left(summary, ${toSqlNumber(maxPassageLength)}) from lectures where id = picked.lecture_id)
  when ${toSqlNumber(specialPassages.text)} then
    (select left(original_text, ${toSqlNumber(maxPassageLength / 2)}) || ' '
      || left(translated_text, ${toSqlNumber(maxPassageLength / 2)})
      from lectures where id = picked.lecture_id)
  when ${toSqlNumber(specialPassages.notes)} then
    (select left(string_agg(note, E'\\n' order by at_ms, id), ${toSqlNumber(maxPassageLength)})
      from marks where lecture_id = picked.lecture_id and note <> '')
  when ${toSqlNumber(specialPassages.slides)} then
    (select left(string_agg(text, E'\\n' order by created_at, id), ${toSqlNumber(maxPassageLength)})
      from slides where lecture_id = picked.lecture_id and text <> '')
  else (
    select left(string_agg(original || ' ' || translated, ' ' order by position), ${toSqlNumber(maxPassageLength)})
    from transcript_entries
    where lecture_id = picked.lecture_id
      and position >= picked.passage * ${toSqlNumber(passageRows)}
      and position < (picked.passage + 1) * ${toSqlNumber(passageRows)}
  ) end`;

/**
 * The text of the passage `picked` that may be in another language than English, by language: of the rows whose text is
 * indexed. A title, a summary, a note or a text without alignment may be in either language of the lecture.
 */
const foreignTexts = sql`
  select side.language, left(string_agg(side.text, ' ' order by entry.position), ${toSqlNumber(maxPassageLength)}) as text
  from (
    select *, sum(char_length(original) + char_length(translated) + 2) over (order by position)
      - char_length(original) - char_length(translated) - 2 as before
    from transcript_entries
    where lecture_id = picked.lecture_id
      and position >= picked.passage * ${toSqlNumber(passageRows)}
      and position < (picked.passage + 1) * ${toSqlNumber(passageRows)}
  ) as entry join lectures lecture on lecture.id = entry.lecture_id
  cross join lateral (values
    (entry.spoken_in, entry.original),
    (coalesce(entry.translated_into, lecture.target_language)::text, entry.translated)
  ) as side (language, text)
  where before < ${toSqlNumber(maxPassageLength)} and side.language <> 'en' and side.text <> ''
  group by 1
  union all
  select side.language, picked.text from lectures
  cross join lateral (values (source_language), (target_language::text)) as side (language)
  where id = picked.lecture_id and picked.passage < 0`;

/**
 * Indexes changed passages of the user; runs under the user's lock. A passage that changes meanwhile
 * stays in the queue, because it is removed only if its number of changes is still the same.
 */
function refreshStatement(userId: string, limit: number): SQL {
  return sql`
    with waiting as materialized (
      select lecture_id, passage, changes from search_queue
      where user_id = ${userId}::uuid
      order by lecture_id, passage limit ${limit}::int
    ), picked as materialized (
      select lecture_id, passage, changes, text
      from (
        select passage_text.*,
          sum(char_length(text)) over (order by lecture_id, passage) - char_length(text) as before
        from (select picked.*, coalesce(${passageText}, '') as text from waiting as picked) as passage_text
      ) as measured
      where before < ${toSqlNumber(statementLength)}
    ), indexed as (
      insert into search_passages as passage (lecture_id, passage, user_id, words)
      select picked.lecture_id, picked.passage, ${userId}::uuid, ${toLexemes(
        sql`${getUserTag(userId)}::text`,
        sql`picked.text`,
      )} || array_to_tsvector(array(
        select ${getUserTag(userId)}::text || form
        from (
          select form, sum(octet_length(form) + 4) over (order by form) as bytes
          from (${foreignTexts}) as foreign_text
          cross join lateral unnest(${toForms(sql`foreign_text.language`, sql`foreign_text.text`)}) as form
          where octet_length(form) <= ${toSqlNumber(maxLexemeBytes)}
          group by form
        ) as measured
        where bytes <= ${toSqlNumber(maxFormBytes)}
      ) || ${toSampleLexemes(sql`${getUserTag(userId)}::text`, sql`picked.lecture_id`, sql`picked.passage`)})
      from picked
      on conflict (lecture_id, passage) do update set words = excluded.words
        where passage.words is distinct from excluded.words
    ), dequeued as (
      delete from search_queue queue using picked
      where queue.lecture_id = picked.lecture_id and queue.passage = picked.passage
        and queue.changes = picked.changes
      returning 1
    )
    select (select count(*)::int from dequeued) as count,
      (select count(*) from waiting) = ${limit}::int
        or (select count(*) from picked) < (select count(*) from waiting) as "isMore"`;
}

/** A row if passages of the user have changed since they were indexed. */
export const selectWaiting = (db: Database, userId: string) =>
  db.execute(sql`select 1 from search_queue where user_id = ${userId}::uuid limit 1`);

/**
 * Indexes changed passages of the user with one statement: at most `limit`, and none that begins after
 * `statementLength` characters. @returns their number, and whether more wait.
 */
export async function refreshSearchIndex(
  db: Database,
  userId: string,
  limit = passagesOfStatement,
): Promise<{ count: number; isMore: boolean }> {
  const waiting = await selectWaiting(db, userId);
  if (waiting.rows.length === 0) return { count: 0, isMore: false };
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ count: number; isMore: boolean }>(refreshStatement(userId, limit)),
  ]);
  const { count = 0, isMore = false } = rows[0] ?? {};
  return { count, isMore: isMore && count > 0 };
}

/**
 * Changed passages that a search indexes first, so that new words are found at once: at most 16,000 rows, as after
 * an import of several long lectures, and no further round after a second. The cron indexes the rest.
 */
const refreshLimits = { rounds: 8, ms: 1_000 };

/** A database that is too busy for it keeps nobody from searching what is indexed. */
export async function refreshBeforeSearch(
  db: Database,
  userId: string,
  clock: Clock,
): Promise<void> {
  const end = clock.now().getTime() + refreshLimits.ms;
  try {
    for (let round = 0; round < refreshLimits.rounds && clock.now().getTime() < end; round += 1)
      if (!(await refreshSearchIndex(db, userId)).isMore) return;
  } catch (error) {
    if (toAppError(error).code !== "unavailable") throw error;
  }
}

/** For one run of the cron. */
const cronLimits = { users: 50, rounds: 3 };

/** Indexes passages that were not searched since they changed. @returns their number. */
export async function refreshAllSearchIndexes(db: Database): Promise<number> {
  const { rows } = await db.execute<{ user_id: string }>(sql`
    with recursive waiting as (
      (select user_id from search_queue order by user_id limit 1)
      union all
      select (select user_id from search_queue
        where user_id > waiting.user_id order by user_id limit 1)
      from waiting where waiting.user_id is not null
    )
    select user_id from waiting where user_id is not null
    order by random() limit ${cronLimits.users}::int`);
  let total = 0;
  for (const { user_id: userId } of rows)
    for (let round = 0; round < cronLimits.rounds; round += 1) {
      const { count, isMore } = await refreshSearchIndex(db, userId);
      total += count;
      if (!isMore) break;
    }
  return total;
}
