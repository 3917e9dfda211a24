import { type SQL, sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { Database } from "#server/database.ts";
import {
  type CursorInput,
  cursorTimestamp,
  decodePageCursor,
  encodePageCursor,
} from "#server/page-cursor.ts";
import type { Clock } from "#server/ports.ts";
import { uuid } from "#shared/lecture.ts";
import { searchPageSize } from "#shared/limits.ts";
import type { SearchHit, SearchPage } from "#shared/search.ts";
import { selectBestSentence } from "./best-sentence.ts";
import { type Matches, markMatches, toMatches } from "./highlights.ts";
import { normalizeText, separateWords } from "./lexemes.ts";
import { parseTerms, type Term } from "./parse-query.ts";
import { passageText, refreshSearchIndex, specialPassages } from "./refresh.ts";
import { createTermTable } from "./term-table.ts";

/**
 * Changed passages that a search indexes first, so that its user's newest words are found at once: at most
 * 16,000 rows, as after an import of several long lectures, and no further round after a second. What is
 * beyond that the cron indexes.
 */
const refreshLimits = { passages: 64, rounds: 8, ms: 1_000 };
/** Passages with one word that are looked at: of a library of 10,000 lectures all. */
const maxHits = 150_000;
const maxHitLength = 500;
/**
 * Lectures that one statement reads: of the first as many as a page shows, and whether there are more.
 * Further ones are for lectures in which the pairs of a CJK run stand apart; after a second the rest is
 * left to the next page.
 */
const candidateLimits = { rounds: [searchPageSize + 1, 100, 400], ms: 1_000 };

const toSqlNumber = (value: number) => sql.raw(String(value));

type Row = {
  id: string;
  title: string;
  folder_id: string | null;
  created_ms: number;
  score: number;
  /** Null where the words do not stand in the lecture as its passages' pairs let expect. */
  passage: number | null;
  position: number | null;
  start_ms: number | null;
  /** Words of the query in the sentence. */
  terms: number | null;
  first: string | null;
  second: string | null;
  /** Title and sentence in normal form, `<` and `>` around the words that were found; null without words. */
  headline: string | null;
};

const cursorPosition = z.tuple([z.int32(), cursorTimestamp, uuid]);

async function refreshBeforeSearch(db: Database, userId: string, clock: Clock): Promise<void> {
  const end = clock.now().getTime() + refreshLimits.ms;
  for (let round = 0; round < refreshLimits.rounds && clock.now().getTime() < end; round += 1)
    if (
      (await refreshSearchIndex(db, { userId, limit: refreshLimits.passages })) <
      refreshLimits.passages
    )
      return;
}

/** The passages of the user's in which `terms` occur: a row for each of the words; of `within` alone, if given. */
const joinHits = (userId: string, within: SQL = sql`true`) => sql`terms cross join lateral (
    select lecture_id, passage from search_passages
    where words @@ terms.indexed and user_id = ${userId}::uuid and ${within}
    limit ${toSqlNumber(maxHits)}
  ) as passage`;

/** Pairs beside each other may be in a passage in which a longer run is not; shorter ones are indexed as they are. */
const maxIndexedRunLength = 2;

/**
 * Of each lecture on the page the passage with the most words; of those the title if it holds every word
 * (it is shown anyway, so else a place further in says more), then transcript before summary, then the
 * first. The index is asked once more for that: counting by passages, before one knows of which lectures,
 * would keep 100,000 rows. Longer CJK runs are looked for in the text of each passage that has their pairs,
 * and a lecture without one of them has no place. The text is brought to its normal form, which takes
 * longer than looking, only where the run does not stand in it as it is.
 */
const selectPlaces = (userId: string) => sql`
  select distinct on (lecture_id) lecture_id, passage, terms
  from (
    select picked.lecture_id, picked.passage, count(*)::int as terms,
      bit_or(bit_or(1 << picked.n)) over (partition by picked.lecture_id) as found
    from (
      select terms.n, terms.needle, passage.lecture_id, passage.passage
      from ${joinHits(userId, sql`lecture_id = any (array(select id from page))`)}
    ) as picked
    where coalesce(char_length(picked.needle), 0) <= ${toSqlNumber(maxIndexedRunLength)}
      or case when strpos(${passageText}, picked.needle) > 0 then true
        else strpos(${normalizeText(passageText)}, picked.needle) > 0 end
    group by picked.lecture_id, picked.passage
  ) as counted
  where found = (select bit_or(1 << n) from terms)
  order by lecture_id, terms desc,
    passage <> ${toSqlNumber(specialPassages.title)} or terms < (select count(*) from terms), passage < 0, passage`;

/** Above every passage of a transcript, and so that a sum with one is still an integer. */
const rankOffset = toSqlNumber(2 ** 30);
/** The same for one word, without asking again: its passage is the least in this order. */
const rank = sql`case when passage.passage < ${toSqlNumber(specialPassages.title)} then passage.passage + ${rankOffset}
  else passage.passage end`;
const selectPlacesOfOneTerm = sql`
  select id as lecture_id, 1 as terms,
    case when least_rank >= ${rankOffset} / 2 then least_rank - ${rankOffset} else least_rank end as passage
  from page`;

/** The words that were found in a title and a sentence, between characters that the text itself has lost. */
const headline = sql`ts_headline('english',
  ${separateWords(
    normalizeText(sql`concat_ws(' ', lecture.title,
    left(sentence.first, ${toSqlNumber(maxHitLength)}), left(sentence.second, ${toSqlNumber(maxHitLength)}))`),
  )},
  (select string_agg(words::text, ' | ')::tsquery from terms),
  'HighlightAll = true, StartSel = <, StopSel = >')`;

interface SearchInput {
  userId: string;
  terms: readonly Term[];
  /** Without it: in all lectures. */
  lectureId: string | undefined;
}
type Position = z.infer<typeof cursorPosition>;

/** At most `limit` lectures behind `after` in whose passages all words occur, in order. */
async function readCandidates(
  db: Database,
  { userId, terms, lectureId }: SearchInput,
  { after, limit }: { after: Position | null; limit: number },
): Promise<Row[]> {
  const isOne =
    terms.length === 1 &&
    terms.every(
      ({ kind, text }) => kind === "word" || Array.from(text).length <= maxIndexedRunLength,
    );
  const { rows } = await db.execute<Row>(sql`
    with terms as materialized (${createTermTable(terms, userId)}),
    found as (
      select passage.lecture_id,
        1000 * count(*) filter (where passage.passage = ${toSqlNumber(specialPassages.title)})
          + least(count(*), 999) as score,
        ${isOne ? sql`min(${rank})` : sql`null::int`} as least_rank
      from ${joinHits(userId, lectureId === undefined ? undefined : sql`lecture_id = ${lectureId}::uuid`)}
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
      limit ${limit}::int
    ), place as materialized (${isOne ? selectPlacesOfOneTerm : selectPlaces(userId)})
    select page.id, lecture.title, lecture.folder_id, page.score, place.passage,
      (extract(epoch from page.created_at) * 1000)::float8 as created_ms,
      sentence.position, sentence.start_ms, sentence.terms,
      left(sentence.first, ${toSqlNumber(maxHitLength)}) as first,
      left(sentence.second, ${toSqlNumber(maxHitLength)}) as second, ${headline} as headline
    from page
    left join place on place.lecture_id = page.id
    join lectures lecture on lecture.id = page.id
    left join lateral (
      ${selectBestSentence}
    ) as sentence on true
    order by page.score desc, page.created_at desc, page.id desc`);
  return rows;
}

/**
 * The user's living lectures in which every word of `query` occurs: title, transcript, translation or
 * summary. Words in the title count most, then the number of passages in which words occur, then the
 * date. With each the sentence of the best passage that holds the most of the words.
 *
 * @throws AppError `validation_failed` for a cursor that is none.
 */
export async function searchLectures(
  db: Database,
  input: {
    userId: string;
    query: string;
    lectureId?: string | undefined;
    cursor?: CursorInput;
    clock: Clock;
  },
): Promise<SearchPage> {
  const { userId, query, lectureId, cursor, clock } = input;
  let after = decodePageCursor(cursorPosition, cursor);
  const terms = parseTerms(query);
  if (terms.length === 0) return { results: [], nextCursor: null };
  await refreshBeforeSearch(db, userId, clock);
  const end = clock.now().getTime() + candidateLimits.ms;
  const found: Row[] = [];
  let hasMore = true;
  for (const limit of candidateLimits.rounds) {
    const rows = await readCandidates(db, { userId, terms, lectureId }, { after, limit });
    found.push(...rows.filter(isHit));
    const last = rows.at(-1);
    if (last) after = toPosition(last);
    hasMore = rows.length === limit;
    if (!hasMore || found.length > searchPageSize || clock.now().getTime() >= end) break;
  }
  const page = found.slice(0, searchPageSize);
  const last = page.at(-1);
  if (last && found.length > searchPageSize) after = toPosition(last);
  else if (!hasMore) after = null;
  return {
    results: page.map((row) => toResult(row, toMatches(terms, row.headline))),
    nextCursor: after && encodePageCursor(after),
  };
}

/** False where all pairs of a CJK run stand in the lecture and the run itself does not. */
const isHit = ({ passage, terms }: Row) =>
  passage !== null && (passage === specialPassages.title || (terms ?? 0) > 0);

const toPosition = ({ score, created_ms, id }: Row): Position => [score, created_ms, id];

function toResult(row: Row, matches: Matches): SearchPage["results"][number] {
  return {
    lectureId: row.id,
    title: markMatches(row.title, matches),
    folderId: row.folder_id,
    createdAt: new Date(row.created_ms).toISOString(),
    hit: toHit(row, matches),
  };
}

function toHit({ passage, position, start_ms, first, second }: Row, matches: Matches): SearchHit {
  const text = markMatches(first ?? "", matches);
  if (passage === specialPassages.title) return { kind: "title" };
  if (passage === specialPassages.summary) return { kind: "summary", text };
  if (passage === specialPassages.text) return { kind: "text", text };
  return {
    kind: "entry",
    position: position ?? 0,
    startMs: start_ms ?? 0,
    english: text,
    translated: markMatches(second ?? "", matches),
  };
}
