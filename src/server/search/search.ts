import { type SQL, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { uuid } from "../../shared/lecture.ts";
import { searchPageSize } from "../../shared/limits.ts";
import type { SearchHit, SearchPage } from "../../shared/search.ts";
import { parseTerms } from "../../shared/search-terms.ts";
import type { Database } from "../database.ts";
import { decodePageCursor, encodePageCursor } from "../page-cursor.ts";
import { passageRows, passages, refreshSearch } from "./refresh.ts";
import { termTable } from "./terms.ts";
import { normalText, stemsOf } from "./text.ts";

/**
 * Changed passages that a search indexes first, so that its user's newest words are found at once: at most
 * 16,000 rows, as after an import of several long lectures. What is beyond that the cron indexes.
 */
const refreshed = { passages: 64, rounds: 8 };
const hitMaxLength = 500;

const number = (value: number) => sql.raw(String(value));

type Row = {
  id: string;
  title: string;
  folder_id: string | null;
  created_ms: number;
  score: number;
  passage: number;
  position: number | null;
  start_ms: number | null;
  /** Words of the query in the sentence. */
  terms: number | null;
  first: string | null;
  second: string | null;
};

const cursorPosition = z.tuple([z.int(), z.int(), uuid]);

/** How many of the words stand in the sentence `plain.whole`. A glance at the letters spares most stemming. */
const wordsIn = ({ atGlance }: { atGlance: boolean }) => sql`(
  select count(*)::int from terms
  where case when terms.needle is not null then strpos(plain.whole, terms.needle) > 0
    ${atGlance ? sql`when strpos(lower(plain.whole), terms.begin) = 0 then false` : sql``}
    else ${stemsOf(sql`plain.whole`)} @@ terms.words end
)`;

/** The sentences of the page's passage in order, with what they have of the words. */
const sentences = sql`
  select text.position, text.start_ms, text.first, text.second,
    ${wordsIn({ atGlance: false })} as terms
  from (
    (select position, start_ms, english as first, translated as second
    from transcript_entries
    where lecture_id = page.id and page.passage >= 0
      and position >= page.passage * ${number(passageRows)}
      and position < (page.passage + 1) * ${number(passageRows)}
    order by position)
    union all
    select (row_number() over ())::int, null, line, ''
    from lectures, regexp_split_to_table(
      case page.passage when ${number(passages.summary)} then summary
        when ${number(passages.text)} then original_text || E'\n' || translated_text end,
      E'\\n+|(?<=[.!?])[[:space:]]+|(?<=[。！？])'
    ) as line
    where id = page.id and page.passage < ${number(passages.title)}
  ) as text
  cross join lateral (
    select ${normalText(sql`text.first || ' ' || text.second`)} as whole offset 0
  ) as plain`;

async function refreshAhead(db: Database, userId: string): Promise<void> {
  for (let round = 0; round < refreshed.rounds; round += 1)
    if ((await refreshSearch(db, { userId, limit: refreshed.passages })) < refreshed.passages)
      return;
}

/** Words of the query that occur in a passage, and how many. */
const hitsByPassage = sql`(
  select lecture_id, passage, bit_or(words) as words, sum(terms)::int as terms
  from hits group by lecture_id, passage)`;

/**
 * Of a lecture's passages the one with the most words; of those the title if it holds every word (it is
 * shown anyway, so else a place further in says more), then transcript before summary, then the first.
 * One number that holds it all, the best the least, spares keeping and sorting 100,000 hits.
 */
const best = sql`min(
  ((32 - terms)::bigint << 34)
  | ((not (passage = ${number(passages.title)} and words = (select bit_or(1 << n) from terms)))::int::bigint << 33)
  | ((passage < 0)::int::bigint << 32)
  | (passage + 16))`;
const passageOf = (packed: SQL) => sql`((${packed} & 4294967295) - 16)::int`;
const termsOf = (packed: SQL) => sql`(32 - (${packed} >> 34))::int`;

/**
 * The user's living lectures in which every word of `query` occurs: title, transcript, translation or
 * summary. Words in the title count most, then the number of passages in which words occur, then the
 * date. With each the sentence of the best passage that holds the most of the words.
 *
 * @throws AppError `validation_failed` for a cursor that is none.
 */
export async function searchLectures(
  db: Database,
  { userId, query, cursor }: { userId: string; query: string; cursor: string | null },
): Promise<SearchPage> {
  const after = cursor === null ? null : decodePageCursor(cursorPosition, cursor);
  const terms = parseTerms(query);
  if (terms.length === 0) return { results: [], nextCursor: null };
  await refreshAhead(db, userId);
  const { rows } = await db.execute<Row>(sql`
    with terms as materialized (${termTable(terms, userId)}),
    hits as (
      select passage.lecture_id, passage.passage, 1 << terms.n as words, 1 as terms
      from terms join search_passages passage
        on passage.words @@ terms.indexed and passage.user_id = ${userId}::uuid
    ), found as (
      select lecture_id, ${best} as best,
        1000 * coalesce(sum(terms) filter (where passage = ${number(passages.title)}), 0)
          + least(sum(terms), 999) as score
      from ${terms.length === 1 ? sql`hits` : hitsByPassage} as hits
      group by lecture_id
      having bit_or(words) = (select bit_or(1 << n) from terms)
    ), page as materialized (
      select lecture.id, lecture.title, lecture.folder_id, lecture.created_at, found.score::int,
        (extract(epoch from lecture.created_at) * 1000)::float8 as created_ms,
        ${passageOf(sql`found.best`)} as passage, ${termsOf(sql`found.best`)} as terms
      from found join lectures lecture on lecture.id = found.lecture_id
      where lecture.user_id = ${userId}::uuid and lecture.deleted_at is null
        and (${after === null} or (found.score, lecture.created_at, lecture.id) < (
          ${after?.[0] ?? null}::int, ${after ? new Date(after[1]).toISOString() : null}::timestamptz,
          ${after?.[2] ?? null}::uuid))
      order by found.score desc, lecture.created_at desc, lecture.id desc
      limit ${searchPageSize + 1}::int
    )
    select page.id, page.title, page.folder_id, page.created_ms, page.score, page.passage,
      sentence.position, sentence.start_ms, sentence.terms,
      left(sentence.first, ${number(hitMaxLength)}) as first,
      left(sentence.second, ${number(hitMaxLength)}) as second
    from page
    left join lateral (
      -- Nearly always a sentence with all the words of its passage ends the look: sorting would read on,
      -- and they come in order anyway. The other half is for words that stand apart, and for forms that begin differently.
      (${sentences} where ${wordsIn({ atGlance: true })} = page.terms limit 1)
      union all
      (select * from (${sentences}) as any_sentence where terms > 0
        order by terms desc, position limit 1)
      limit 1
    ) as sentence on true
    order by page.score desc, page.created_at desc, page.id desc`);
  const page = rows.slice(0, searchPageSize);
  const last = page.at(-1);
  return {
    results: page.filter(isHit).map((row) => ({
      lectureId: row.id,
      title: row.title,
      folderId: row.folder_id,
      createdAt: new Date(row.created_ms).toISOString(),
      hit: hitOf(row),
    })),
    nextCursor:
      rows.length > searchPageSize && last
        ? encodePageCursor([last.score, last.created_ms, last.id])
        : null,
  };
}

/** False where all pairs of a CJK run stand in the passage and the run itself does not. */
const isHit = ({ passage, terms }: Row) => passage === passages.title || (terms ?? 0) > 0;

function hitOf({ passage, position, start_ms, first, second }: Row): SearchHit {
  const text = first ?? "";
  if (passage === passages.title) return { kind: "title" };
  if (passage === passages.summary) return { kind: "summary", text };
  if (passage === passages.text) return { kind: "text", text };
  return {
    kind: "entry",
    position: position ?? 0,
    startMs: start_ms ?? 0,
    english: text,
    translated: second ?? "",
  };
}
