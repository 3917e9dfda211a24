import { type SQL, sql } from "drizzle-orm";
import { getSampleQuery, sampledOneIn, toSqlNumber } from "#server/search/lexemes.ts";
import { specialPassages } from "#server/search/refresh.ts";
import type { QuestionScope } from "#shared/question.ts";

/**
 * The passages that contain any of a question's terms, by the sum of the terms' inverse frequencies. The common table
 * expressions `scope`, `terms` (`createTermTable`), and those of `selectPlaces` follow each other in one statement.
 */

/** Passages that one term fetches. One that is in more passages only adds to the weight of those of other terms. */
const fetchMax = 1_000;
/** A term that is in more passages, by the sample, is not even looked for alone: the sample may be wrong by a third. */
const estimateMax = 1.5 * fetchMax;
/** Passages whose rows are read. */
const placesMax = 10;
/** The usual number of passages of a lecture: 400 rows. */
const passagesPerLecture = 12;
/** What a term in the lecture's title adds to each of its passages, as a share of the term's weight. */
const titleShare = 0.5;

interface Within {
  userId: string;
  scope: QuestionScope;
}

/** The ids of the lectures that are asked, without those in the trash. */
export function selectScope({ userId, scope: { lectureId, folderId } }: Within): SQL {
  const own = sql`select id from lectures where user_id = ${userId}::uuid and deleted_at is null`;
  if (lectureId !== null) return sql`${own} and id = ${lectureId}::uuid`;
  if (folderId === null) return own;
  return sql`
    with recursive tree as (
      select id from folders
      where id = ${folderId}::uuid and user_id = ${userId}::uuid and deleted_at is null
      union
      select child.id from tree cross join lateral (
        select id from folders
        where parent_folder_id = tree.id and user_id = ${userId}::uuid and deleted_at is null
        offset 0
      ) as child
    )
    ${own} and folder_id in (select id from tree)`;
}

const isEverything = ({ scope: { lectureId, folderId } }: Within) =>
  lectureId === null && folderId === null;

/** Whether the scope has a passage. Of all lectures only those in the trash are read, which are fewer. */
const isInScope = (within: Within): SQL =>
  isEverything(within)
    ? sql`lecture_id not in (select id from trash)`
    : sql`lecture_id = any (array(select id from scope))`;

/** At most `limit` passages of transcripts and titles that match `query`. Those of one lecture are read without the index. */
const selectHits = (within: Within, query: SQL, limit: number): SQL =>
  within.scope.lectureId !== null
    ? sql`(select lecture_id, passage from asked where words @@ ${query} limit ${toSqlNumber(limit)}) as passage`
    : sql`(
  select lecture_id, passage from search_passages
  where words @@ ${query} and user_id = ${within.userId}::uuid
    and passage >= ${toSqlNumber(specialPassages.title)} and ${isInScope(within)}
  limit ${toSqlNumber(limit)}
) as passage`;

/** The passages of the one lecture that is asked, with their words decompressed once. */
const selectAsked = ({ userId }: Within): SQL => sql`
  select lecture_id, passage, words || ''::tsvector as words from search_passages
  where lecture_id = (select id from scope) and user_id = ${userId}::uuid
    and passage >= ${toSqlNumber(specialPassages.title)}`;

/** A scope that is expected to have no more passages is read without a look at the sample. */
const smallScopeMax = 10 * fetchMax;

/**
 * How many passages of the scope have each term, by the sample; 0 for a small scope. A folder is expected to have its share
 * of them.
 */
const selectEstimates = (within: Within): SQL => {
  const { userId, scope } = within;
  if (scope.lectureId !== null) return sql`select n, indexed, 0::float8 as passages from terms`;
  // Without a condition on the user, the index alone counts. Passages of a user with the same tag make a term seem
  // more frequent.
  const estimate = sql`${toSqlNumber(sampledOneIn)}::float8 * (
    select count(*) from search_passages where words @@ (indexed && ${getSampleQuery(userId)})
  )`;
  if (isEverything(within)) return sql`select n, indexed, ${estimate} as passages from terms`;
  const all = sql`(select count(*) from lectures where user_id = ${userId}::uuid and deleted_at is null)`;
  return sql`
    select n, indexed, case when size.lectures * ${toSqlNumber(passagesPerLecture)} > ${toSqlNumber(smallScopeMax)}
      then ${estimate} * size.lectures / ${all} else 0 end as passages
    from terms cross join (select count(*) as lectures from scope) as size`;
};

/**
 * `weights`: each term that was found, with its weight. `place`: the best passages. If all terms are frequent, these
 * have all of them or, where these are few, two of the three rarest. Where passages with all of them are many, their
 * scores are equal, but for titles, and those of the sample are taken.
 */
export const selectPlaces = (within: Within): SQL => sql`
  trash as materialized (
    select id from lectures where user_id = ${within.userId}::uuid and deleted_at is not null and deletion_id is not null
  ), ${within.scope.lectureId === null ? sql`` : sql`asked as materialized (${selectAsked(within)}), `}estimate as materialized (${selectEstimates(within)}
  ), fetched as materialized (
    select n, lecture_id, passage
    from estimate cross join lateral ${selectHits(within, sql`indexed`, fetchMax + 1)}
    where estimate.passages <= ${toSqlNumber(estimateMax)}
  ), found as materialized (
    select n, indexed, passages, passages > ${toSqlNumber(fetchMax)} as is_frequent,
      row_number() over (order by passages, n) as rarity
    from (
      select estimate.n, indexed, greatest(coalesce(one.hits, 0), case when estimate.passages > ${toSqlNumber(estimateMax)}
        or one.hits > ${toSqlNumber(fetchMax)} then estimate.passages else 0 end) as passages
      from estimate left join (select n, count(*) as hits from fetched group by n) as one on one.n = estimate.n
    ) as counted
    where passages > 0
  ), conjunction as materialized (
    select string_agg('(' || indexed::text || ')', ' & ')::tsquery as all_terms from found having bool_and(is_frequent)
  ), sampled as materialized (
    select lecture_id, passage
    from conjunction cross join lateral ${selectHits(within, sql`(all_terms && ${getSampleQuery(within.userId)})`, placesMax)}
  ), together as materialized (
    select lecture_id, passage from sampled where (select count(*) from sampled) >= ${toSqlNumber(placesMax)}
    union all
    select lecture_id, passage from conjunction cross join lateral ${selectHits(within, sql`all_terms`, fetchMax)}
    where (select count(*) from sampled) < ${toSqlNumber(placesMax)}
  ), hit as materialized (
    select fetched.n, lecture_id, passage from fetched join found on found.n = fetched.n where not is_frequent
    union
    select found.n, lecture_id, passage
    from (select string_agg(indexed::text, ' | ')::tsquery as any_term from found where not is_frequent) as rare
    join found on is_frequent and any_term is not null
    cross join lateral ${selectHits(within, sql`(indexed && any_term)`, 10 * fetchMax)}
    union
    select n, lecture_id, passage from together cross join found
    union
    select unnest(array[pair.n, other_n]), lecture_id, passage
    from (
      select found.n, other.n as other_n, found.indexed && other.indexed as both_terms
      from found join found as other on found.rarity < other.rarity and other.rarity <= 3
      where (select bool_and(is_frequent) from found) and (select count(*) from together) < ${toSqlNumber(placesMax)}
    ) as pair
    cross join lateral ${selectHits(within, sql`both_terms`, fetchMax / 2)}
  ), whole as materialized (
    select greatest((select count(*) from scope) * ${toSqlNumber(passagesPerLecture)}, max(passages)) as passages
    from found
  ), weights as materialized (
    select found.n, ln(1 + whole.passages::float8 / found.passages) as weight from found cross join whole
  ), scored as materialized (
    select lecture_id, passage, sum(weight) as score from hit join weights on weights.n = hit.n group by 1, 2
  ), place as materialized (
    select scored.lecture_id, greatest(scored.passage, 0) as passage,
      max(coalesce(${toSqlNumber(titleShare)} * title.score, 0)
        + case when scored.passage >= 0 then scored.score else 0 end) as score
    from scored left join scored as title
      on title.lecture_id = scored.lecture_id and title.passage = ${toSqlNumber(specialPassages.title)}
    group by 1, 2
    order by score desc, 1, 2
    limit ${toSqlNumber(placesMax)}
  )`;
