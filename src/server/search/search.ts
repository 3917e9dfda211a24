import { sql } from "drizzle-orm";
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

/** Changed passages that a search indexes first: its user's newest words are found at once. */
const refreshMax = 64;
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

/** The sentences of the passage `best` in order, with what they have of the words. */
const sentences = sql`
  select text.position, text.start_ms, text.first, text.second,
    ${wordsIn({ atGlance: false })} as terms
  from (
    (select position, start_ms, english as first, translated as second
    from transcript_entries
    where lecture_id = page.id and best.passage >= 0
      and position >= best.passage * ${number(passageRows)}
      and position < (best.passage + 1) * ${number(passageRows)}
    order by position)
    union all
    select (row_number() over ())::int, null, line, ''
    from lectures, regexp_split_to_table(
      case best.passage when ${number(passages.summary)} then summary
        when ${number(passages.text)} then original_text || E'\n' || translated_text end,
      E'\\n+|(?<=[.!?])[[:space:]]+|(?<=[。！？])'
    ) as line
    where id = page.id and best.passage < ${number(passages.title)}
  ) as text
  cross join lateral (
    select ${normalText(sql`text.first || ' ' || text.second`)} as whole offset 0
  ) as plain`;

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
  await refreshSearch(db, { userId, limit: refreshMax });
  const { rows } = await db.execute<Row>(sql`
    with terms as materialized (${termTable(terms, userId)}),
    hits as materialized (
      select passage.lecture_id, passage.passage, terms.n
      from terms join search_passages passage
        on passage.words @@ terms.indexed and passage.user_id = ${userId}::uuid
    ), found as (
      select lecture_id, 1000 * count(*) filter (where passage = ${number(passages.title)})
        + least(count(*), 999) as score
      from hits group by lecture_id
      having bit_or(1 << n) = (select bit_or(1 << n) from terms)
    ), page as materialized (
      select lecture.id, lecture.title, lecture.folder_id, lecture.created_at, found.score::int,
        (extract(epoch from lecture.created_at) * 1000)::float8 as created_ms
      from found join lectures lecture on lecture.id = found.lecture_id
      where lecture.user_id = ${userId}::uuid and lecture.deleted_at is null
        and (${after === null} or (found.score, lecture.created_at, lecture.id) < (
          ${after?.[0] ?? null}::int, ${after ? new Date(after[1]).toISOString() : null}::timestamptz,
          ${after?.[2] ?? null}::uuid))
      order by found.score desc, lecture.created_at desc, lecture.id desc
      limit ${searchPageSize + 1}::int
    ), best as (
      select distinct on (hits.lecture_id) hits.lecture_id, hits.passage, count(*) as terms
      from hits join page on page.id = hits.lecture_id
      group by hits.lecture_id, hits.passage
      -- The title is shown anyway: a place further in says more, unless the title holds every word.
      order by hits.lecture_id, count(*) desc,
        (hits.passage = ${number(passages.title)} and count(*) = (select count(*) from terms)) desc,
        hits.passage < 0, hits.passage
    )
    select page.id, page.title, page.folder_id, page.created_ms, page.score, best.passage,
      sentence.position, sentence.start_ms, sentence.terms,
      left(sentence.first, ${number(hitMaxLength)}) as first,
      left(sentence.second, ${number(hitMaxLength)}) as second
    from page join best on best.lecture_id = page.id
    left join lateral (
      -- Nearly always a sentence with all the words of its passage ends the look: sorting would read on,
      -- and they come in order anyway. The other half is for words that stand apart, and for forms that begin differently.
      (${sentences} where ${wordsIn({ atGlance: true })} = best.terms limit 1)
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
