import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { lockLibrary } from "#server/database.ts";
import { toAppError } from "#server/errors.ts";
import type { Clock } from "#server/ports.ts";
import { getUserTag, maxLexemeBytes, toLexemes, toSampleLexemes, toSqlNumber } from "./lexemes.ts";
import { toForms } from "./word-forms.ts";

/** Rows of a transcript in one passage; the triggers on `transcript_entries` use the same number. */
export const passageRows = 32;
export const specialPassages = { title: -1, summary: -2, text: -3, notes: -4 } as const;

/** Characters of a passage that are indexed: a tsvector has a limit of one megabyte. */
export const maxPassageLength = 40_000;
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
  else (
    select left(string_agg(original || ' ' || translated, ' ' order by position), ${toSqlNumber(maxPassageLength)})
    from transcript_entries
    where lecture_id = picked.lecture_id
      and position >= picked.passage * ${toSqlNumber(passageRows)}
      and position < (picked.passage + 1) * ${toSqlNumber(passageRows)}
  ) end`;

/**
 * The text of the passage `picked` that may be in another language than English, by language. A title, a summary, a note
 * or a text without alignment may be in either language of the lecture.
 */
const foreignTexts = sql`
  select side.language, left(string_agg(side.text, ' ' order by entry.position), ${toSqlNumber(maxPassageLength)}) as text
  from transcript_entries entry join lectures lecture on lecture.id = entry.lecture_id
  cross join lateral (values
    (entry.spoken_in, entry.original),
    (coalesce(entry.translated_into, lecture.target_language)::text, entry.translated)
  ) as side (language, text)
  where entry.lecture_id = picked.lecture_id and side.language <> 'en' and side.text <> ''
    and entry.position >= picked.passage * ${toSqlNumber(passageRows)}
    and entry.position < (picked.passage + 1) * ${toSqlNumber(passageRows)}
  group by 1
  union all
  select side.language, ${passageText} from lectures
  cross join lateral (values (source_language), (target_language::text)) as side (language)
  where id = picked.lecture_id and picked.passage < 0`;

/**
 * Indexes at most `limit` changed passages of the user; runs under the user's lock. A passage that changes meanwhile
 * stays in the queue, because it is removed only if its number of changes is still the same.
 */
function refreshStatement(userId: string, limit: number): SQL {
  return sql`
    with picked as materialized (
      select lecture_id, passage, changes from search_queue
      where user_id = ${userId}::uuid
      order by lecture_id, passage limit ${limit}::int
    ), indexed as (
      insert into search_passages as passage (lecture_id, passage, user_id, words)
      select picked.lecture_id, picked.passage, ${userId}::uuid, ${toLexemes(
        sql`${getUserTag(userId)}::text`,
        sql`coalesce(${passageText}, '')`,
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
    select count(*)::int as count from dequeued`;
}

/** A row if passages of the user have changed since they were indexed. */
export const selectWaiting = (db: Database, userId: string) =>
  db.execute(sql`select 1 from search_queue where user_id = ${userId}::uuid limit 1`);

/** Indexes at most `limit` changed passages of the user. @returns their number. */
export async function refreshSearchIndex(
  db: Database,
  { userId, limit }: { userId: string; limit: number },
): Promise<number> {
  const waiting = await selectWaiting(db, userId);
  if (waiting.rows.length === 0) return 0;
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ count: number }>(refreshStatement(userId, limit)),
  ]);
  return rows[0]?.count ?? 0;
}

/** Passages of one statement. One takes 7 ms of a fast machine, and a statement has 5 s. */
const passagesOfStatement = 64;

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
      if (!(await refreshOnce(db, userId)).isMore) return;
  } catch (error) {
    if (toAppError(error).code !== "unavailable") throw error;
  }
}

async function refreshOnce(db: Database, userId: string) {
  const count = await refreshSearchIndex(db, { userId, limit: passagesOfStatement });
  return { count, isMore: count === passagesOfStatement };
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
      const { count, isMore } = await refreshOnce(db, userId);
      total += count;
      if (!isMore) break;
    }
  return total;
}
