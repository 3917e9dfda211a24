import { sql } from "drizzle-orm";
import { lectures, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { formatRowTime, hasTime, rowTimePattern } from "#shared/clock-time.ts";
import {
  defaultSourceLanguage,
  type LanguagePair,
  type SpokenLanguage,
} from "#shared/languages.ts";
import type { LectureKey } from "./queries.ts";

interface LectureText extends Pick<LanguagePair, "sourceLanguage" | "isTwoWay"> {
  text: string;
  /** In which language most sentences of the text are. */
  spokenIn: SpokenLanguage;
  /** Those of the text, if they are asked for; none in a lecture without rows. */
  rows: LectureRow[];
}

export interface LectureRow {
  startMs: number;
  endMs: number;
  original: string;
}

/**
 * Reads the text of a lecture as it was spoken, for the model: its sentences, with a space between them in every script,
 * or its text without alignment if it has no rows. Stops after `maxLength` characters are exceeded, so a longer result
 * means that there is more. Null for another user's or a deleted lecture.
 */
export async function readLectureText(
  db: Database,
  { userId, id }: LectureKey,
  { maxLength, hasRows = false }: { maxLength: number; hasRows?: boolean },
): Promise<LectureText | null> {
  const listed = hasRows
    ? sql`(select coalesce(jsonb_agg(jsonb_build_object(
          'startMs', start_ms, 'endMs', end_ms, 'original', original) order by start_ms, position), '[]'::jsonb)
        from sentences where preceding <= ${maxLength}::int)`
    : sql`'[]'::jsonb`;
  const { rows } = await db.execute<Record<string, unknown> & LectureText>(sql`
    with lecture as (
      select id, original_text, source_language, is_two_way from ${lectures}
      where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null
    ),
    sentences as (
      select position, original, spoken_in, start_ms, end_ms,
        sum(char_length(original) + 1) over (order by start_ms, position) - char_length(original) - 1 as preceding
      -- Each row adds at least a space. Of a longer lecture, one that was recorded late by another device may be missing.
      from (
        select * from ${transcriptEntries} where lecture_id = (select id from lecture)
        order by position limit ${maxLength}::int + 1
      ) as entry
    )
    select coalesce(
      (select string_agg(original, ' ' order by start_ms, position) from sentences
        where preceding <= ${maxLength}::int),
      left(original_text, ${maxLength}::int + 1)) as text,
      coalesce(
        (select spoken_in from sentences group by spoken_in
          order by count(*) desc, min(position) limit 1),
        nullif(source_language, 'detect'),
        ${defaultSourceLanguage}) as "spokenIn",
      source_language as "sourceLanguage", is_two_way as "isTwoWay",
      ${listed} as rows
    from lecture`);
  return rows[0] ?? null;
}

/**
 * The rows on a line each, with their times before them, and these times in seconds. Null where no row has a time. What
 * is said never looks like a row's time.
 */
export function addRowTimes(
  rows: readonly LectureRow[],
): { text: string; times: Set<number> } | null {
  const times = new Set<number>();
  const lines = rows.map((row) => {
    const text = row.original.replace(/\s+/gu, " ").trim().replace(rowTimePattern, "($1)");
    if (!hasTime(row)) return text;
    times.add(Math.floor(row.startMs / 1_000));
    return `${formatRowTime(row.startMs)} ${text}`;
  });
  return times.size === 0 ? null : { text: lines.join("\n"), times };
}
