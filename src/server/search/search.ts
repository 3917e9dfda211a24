import { type SQL, sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { Database } from "#server/database.ts";
import { selectListTitle } from "#server/lectures/queries.ts";
import {
  type CursorInput,
  cursorTimestamp,
  decodePageCursor,
  encodePageCursor,
} from "#server/page-cursor.ts";
import type { Clock } from "#server/ports.ts";
import { isSpokenLanguage, isTranslationLanguage } from "#shared/languages.ts";
import { uuid } from "#shared/lecture.ts";
import { searchPageSize } from "#shared/limits.ts";
import type { SearchHit, SearchPage } from "#shared/search.ts";
import { selectBestSentence } from "./best-sentence.ts";
import { type Matches, markMatches, toMatches } from "./highlights.ts";
import { createTermTable } from "./index-query.ts";
import { normalizeText, separateWords, toSqlNumber } from "./lexemes.ts";
import { parseTerms, removeParticles, type Term } from "./parse-query.ts";
import { passageText, refreshBeforeSearch, specialPassages } from "./refresh.ts";
import { findForms } from "./word-forms.ts";

/** Most passages that are read for one term: all of a library of 10,000 lectures. */
const maxHits = 150_000;
const maxHitLength = 500;
/**
 * Lectures that each statement reads: the first one a page, and one more to know whether there are more. Later ones
 * replace lectures that contain the pairs of a CJK run but not the run. After a second, the rest is left to the next
 * page.
 */
const candidateLimits = { rounds: [searchPageSize + 1, 100, 400], ms: 1_000 };

type Row = {
  id: string;
  title: string;
  folder_id: string | null;
  created_ms: number;
  has_demo_text: boolean;
  score: number;
  /** Null if the lecture contains the pairs of a CJK run, but not the run. */
  passage: number | null;
  position: number | null;
  start_ms: number | null;
  /** Number of the query's terms in the sentence. */
  terms: number | null;
  first: string | null;
  second: string | null;
  /** Of a row. */
  first_language: string | null;
  second_language: string | null;
  /** Normalized title and sentence with `<` and `>` around matched words; null without words. */
  headline: string | null;
};

const cursorPosition = z.tuple([z.int32(), cursorTimestamp, uuid]);

/** The user's passages that contain `terms`, one row per term; `within` restricts the passages. */
const joinHits = (userId: string, within: SQL = sql`true`) => sql`terms cross join lateral (
    select lecture_id, passage from search_passages
    where words @@ terms.indexed and user_id = ${userId}::uuid and ${within}
    limit ${toSqlNumber(maxHits)}
  ) as passage`;

/** A passage with all pairs of a longer run may not contain the run; runs up to this length are indexed. */
const maxIndexedRunLength = 2;

/**
 * Selects for each lecture on the page the passage with the most terms. Among equals:
 * 1. the title, if it contains all terms; otherwise it comes last, because it is displayed anyway;
 * 2. the transcript, then slides, notes, the lecture's text without rows, and the summary;
 * 3. the first passage.
 *
 * The index is read a second time, because counting by passage before the page's lectures are known would keep
 * 100,000 rows in memory. A CJK run of more than two characters is looked for in the text of the passages that
 * contain its pairs; a lecture without it has no row. The text is normalized, which is slow, only if the stored
 * text does not contain the run.
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
  ) as matching_passage
  where found = (select bit_or(1 << n) from terms)
  order by lecture_id, terms desc,
    passage <> ${toSqlNumber(specialPassages.title)} or terms < (select count(*) from terms), passage < 0, passage`;

/** Higher than every passage of a transcript; a sum with one is still a 32-bit integer. */
const rankOffset = toSqlNumber(2 ** 30);
/** For one term, the minimum of this order is the passage, so the index is read only once. */
const rank = sql`case when passage.passage < ${toSqlNumber(specialPassages.title)} then passage.passage + ${rankOffset}
  else passage.passage end`;
const selectPlacesOfOneTerm = sql`
  select id as lecture_id, 1 as terms,
    case when least_rank >= ${rankOffset} / 2 then least_rank - ${rankOffset} else least_rank end as passage
  from page`;

/** The row of a note, see `readMarkedSentences`; of a slide, whose row may be gone. */
const noteRow = sql`coalesce(case when sentence.position is null then (
  select entry.position from transcript_entries entry
  where entry.lecture_id = page.id and entry.start_ms <= sentence.start_ms
  order by entry.start_ms desc, entry.position desc limit 1
) else (
  select entry.position from transcript_entries entry
  where entry.lecture_id = page.id and entry.position <= sentence.position
  order by entry.position desc limit 1
) end, (
  select entry.position from transcript_entries entry where entry.lecture_id = page.id
  order by entry.start_ms, entry.position limit 1
), sentence.position, 0)`;

/** The words of a column of `sentence` that match in its language, marked; '' without any. */
function selectForms(language: string, text: string): SQL {
  const column = (name: string) => sql.raw(`sentence.${name}`);
  const forms = sql`array(select unnest(forms) from terms)`;
  const begin = sql`left(${column(text)}, ${toSqlNumber(maxHitLength)})`;
  return sql`coalesce(' ' || ${findForms(column(language), begin, forms)}, '')`;
}

/** Marks the matched words in title and sentence with characters that are removed from the text. */
const headline = sql`ts_headline('english',
  ${separateWords(
    normalizeText(sql`concat_ws(' ', ${selectListTitle},
    left(sentence.first, ${toSqlNumber(maxHitLength)}), left(sentence.second, ${toSqlNumber(maxHitLength)}))`),
  )},
  (select string_agg(words::text, ' | ')::tsquery from terms),
  'HighlightAll = true, StartSel = <, StopSel = >')
  || ${selectForms("first_language", "first")} || ${selectForms("second_language", "second_text")}`;

interface SearchInput {
  userId: string;
  terms: readonly Term[];
  /** Undefined: all lectures. */
  lectureId: string | undefined;
}
type Position = z.infer<typeof cursorPosition>;

/** Reads at most `limit` lectures after `after` whose passages contain all terms, in order. */
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
      -- Only columns of an index; the others are read only for lectures on the page.
      select lecture.id, lecture.created_at, found.score::int, found.least_rank
      from found join lectures lecture on lecture.id = found.lecture_id
      where lecture.user_id = ${userId}::uuid and lecture.deleted_at is null
        and (${after === null} or (found.score, lecture.created_at, lecture.id) < (
          ${after?.[0] ?? null}::int, ${after ? new Date(after[1]).toISOString() : null}::timestamptz,
          ${after?.[2] ?? null}::uuid))
      order by found.score desc, lecture.created_at desc, lecture.id desc
      limit ${limit}::int
    ), place as materialized (${isOne ? selectPlacesOfOneTerm : selectPlaces(userId)})
    select page.id, ${selectListTitle} as title, lecture.folder_id, lecture.has_demo_text, page.score, place.passage,
      (extract(epoch from page.created_at) * 1000)::float8 as created_ms,
      case when place.passage > ${toSqlNumber(specialPassages.notes)} then sentence.position
        else ${noteRow} end as position,
      sentence.start_ms, sentence.terms,
      left(sentence.first, ${toSqlNumber(maxHitLength)}) as first,
      left(sentence.second, ${toSqlNumber(maxHitLength)}) as second,
      sentence.first_language, sentence.second_language, ${headline} as headline
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
 * Searches the user's lectures for those that contain every term of `query` in title, transcript, translation,
 * summary, notes or slides. Without a result, Japanese and Korean words are searched without their particles. Sorted by
 * terms in the title, then by the number of matching passages, then by date. Each result has the sentence of the best
 * passage that contains the most terms.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
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
  const after = decodePageCursor(cursorPosition, cursor);
  const terms = parseTerms(query);
  if (terms.length === 0) return { results: [], nextCursor: null };
  await refreshBeforeSearch(db, userId, clock);
  const page = await readPage(db, { userId, terms, lectureId }, after, clock);
  if (page.results.length > 0 || page.nextCursor !== null) return page;
  const shorter = removeParticles(terms);
  return shorter ? readPage(db, { userId, terms: shorter, lectureId }, after, clock) : page;
}

async function readPage(
  db: Database,
  input: SearchInput,
  from: Position | null,
  clock: Clock,
): Promise<SearchPage> {
  let after = from;
  const end = clock.now().getTime() + candidateLimits.ms;
  const found: Row[] = [];
  let hasMore = true;
  for (const limit of candidateLimits.rounds) {
    const rows = await readCandidates(db, input, { after, limit });
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
    results: page.map((row) => toResult(row, toMatches(input.terms, row.headline))),
    nextCursor: after && encodePageCursor(after),
  };
}

/** False if the lecture contains all pairs of a CJK run, but not the run. */
const isHit = ({ passage, terms }: Row) =>
  passage !== null && (passage === specialPassages.title || (terms ?? 0) > 0);

const toPosition = ({ score, created_ms, id }: Row): Position => [score, created_ms, id];

function toResult(row: Row, matches: Matches): SearchPage["results"][number] {
  return {
    lectureId: row.id,
    title: markMatches(row.title, matches),
    folderId: row.folder_id,
    createdAt: new Date(row.created_ms).toISOString(),
    hasDemoText: row.has_demo_text,
    hit: toHit(row, matches),
  };
}

function toHit(row: Row, matches: Matches): SearchHit {
  const { passage, position, start_ms, first, second, first_language, second_language } = row;
  const text = markMatches(first ?? "", matches);
  if (passage === specialPassages.title) return { kind: "title" };
  if (passage === specialPassages.summary) return { kind: "summary", text };
  if (passage === specialPassages.text) return { kind: "text", text };
  const place = { position: position ?? 0, startMs: start_ms ?? 0 };
  if (passage === specialPassages.slides) return { kind: "slide", ...place, text };
  if (passage === specialPassages.notes) return { kind: "note", ...place, text };
  return {
    kind: "entry",
    ...place,
    original: text,
    translated: markMatches(second ?? "", matches),
    ...(isSpokenLanguage(first_language) && { spokenIn: first_language }),
    ...(second && isTranslationLanguage(second_language) && { translatedInto: second_language }),
  };
}
