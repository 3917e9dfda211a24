import { sql } from "drizzle-orm";
import * as z from "zod/mini";
import { uuid } from "../../shared/lecture.ts";
import { searchPageSize } from "../../shared/limits.ts";
import type { SearchHit, SearchPage } from "../../shared/search.ts";
import { parseTerms } from "../../shared/search-terms.ts";
import type { Database } from "../database.ts";
import { decodePageCursor, encodePageCursor } from "../page-cursor.ts";
import { passages, refreshSearch } from "./refresh.ts";
import { sentenceOfPlace } from "./sentence.ts";
import { termTable } from "./terms.ts";

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

async function refreshAhead(db: Database, userId: string): Promise<void> {
  for (let round = 0; round < refreshed.rounds; round += 1)
    if ((await refreshSearch(db, { userId, limit: refreshed.passages })) < refreshed.passages)
      return;
}

/** The passages of the user's in which `terms` occur: a row for each of the words. */
const hits = (userId: string) => sql`terms join search_passages passage
  on passage.words @@ terms.indexed and passage.user_id = ${userId}::uuid`;

/**
 * Of each lecture on the page the passage with the most words; of those the title if it holds every word
 * (it is shown anyway, so else a place further in says more), then transcript before summary, then the
 * first. The index is asked once more for that: counting by passages, before one knows of which lectures,
 * would keep 100,000 rows.
 */
const placesOfSeveral = (userId: string) => sql`
  select distinct on (lecture_id) lecture_id, passage, terms
  from (
    select passage.lecture_id, passage.passage, count(*)::int as terms
    from ${hits(userId)} and passage.lecture_id = any (array(select id from page))
    group by passage.lecture_id, passage.passage
  ) as counted
  order by lecture_id, terms desc,
    passage <> ${number(passages.title)} or terms < (select count(*) from terms), passage < 0, passage`;

/** Above every passage of a transcript, and so that a sum with one is still an integer. */
const behind = number(2 ** 30);
/** The same for one word, without asking again: its passage is the least in this order. */
const rank = sql`case when passage.passage < ${number(passages.title)} then passage.passage + ${behind}
  else passage.passage end`;
const placesOfOne = sql`
  select id as lecture_id, 1 as terms,
    case when least_rank >= ${behind} / 2 then least_rank - ${behind} else least_rank end as passage
  from page`;

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
  const isOne = terms.length === 1;
  await refreshAhead(db, userId);
  const { rows } = await db.execute<Row>(sql`
    with terms as materialized (${termTable(terms, userId)}),
    found as (
      select passage.lecture_id,
        1000 * count(*) filter (where passage.passage = ${number(passages.title)})
          + least(count(*), 999) as score,
        ${isOne ? sql`min(${rank})` : sql`null::int`} as least_rank
      from ${hits(userId)}
      group by passage.lecture_id
      having bit_or(1 << terms.n) = (select bit_or(1 << n) from terms)
    ), page as materialized (
      -- What an index holds, no more: the rest is read of those on the page alone.
      select lecture.id, lecture.created_at, found.score::int, found.least_rank
      from found join lectures lecture on lecture.id = found.lecture_id
      where lecture.user_id = ${userId}::uuid and lecture.deleted_at is null
        and (${after === null} or (found.score, lecture.created_at, lecture.id) < (
          ${after?.[0] ?? null}::int, ${after ? new Date(after[1]).toISOString() : null}::timestamptz,
          ${after?.[2] ?? null}::uuid))
      order by found.score desc, lecture.created_at desc, lecture.id desc
      limit ${searchPageSize + 1}::int
    ), place as materialized (${isOne ? placesOfOne : placesOfSeveral(userId)})
    select page.id, lecture.title, lecture.folder_id, page.score, place.passage,
      (extract(epoch from page.created_at) * 1000)::float8 as created_ms,
      sentence.position, sentence.start_ms, sentence.terms,
      left(sentence.first, ${number(hitMaxLength)}) as first,
      left(sentence.second, ${number(hitMaxLength)}) as second
    from page
    join place on place.lecture_id = page.id
    join lectures lecture on lecture.id = page.id
    left join lateral (
      ${sentenceOfPlace}
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
