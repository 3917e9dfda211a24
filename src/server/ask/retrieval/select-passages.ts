import { type SQL, sql } from "drizzle-orm";
import { toSqlNumber } from "#server/search/lexemes.ts";
import { specialPassages } from "#server/search/refresh.ts";
import type { QuestionScope } from "#shared/question.ts";

/**
 * The passages that contain any of a question's terms, by the sum of the terms' inverse frequencies. The common table
 * expressions `scope`, `terms` (`createTermTable`), and those of `selectPlaces` follow each other in one statement.
 */

/** Passages that one term fetches. One that is in more passages only adds to the weight of those of other terms. */
const fetchMax = 1_000;
/** Passages whose rows are read. */
const placesMax = 20;
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
      select folders.id from folders join tree on folders.parent_folder_id = tree.id
      where folders.user_id = ${userId}::uuid and folders.deleted_at is null
    )
    ${own} and folder_id in (select id from tree)`;
}

/** Whether the scope has a passage. Of all lectures only those in the trash are read, which are fewer. */
const isInScope = ({ userId, scope: { lectureId, folderId } }: Within): SQL =>
  lectureId === null && folderId === null
    ? sql`lecture_id not in (
        select id from lectures where user_id = ${userId}::uuid and deleted_at is not null
      )`
    : sql`lecture_id = any (array(select id from scope))`;

/** At most `limit` passages of transcripts and titles that match `query`. */
const selectHits = (within: Within, query: SQL, limit: number): SQL => sql`(
  select lecture_id, passage from search_passages
  where words @@ ${query} and user_id = ${within.userId}::uuid
    and passage >= ${toSqlNumber(specialPassages.title)} and ${isInScope(within)}
  limit ${toSqlNumber(limit)}
) as passage`;

/**
 * `weights`: each term that was found, with its weight. `place`: the best passages. If all terms are frequent, these
 * have all of them or, where these are few, two that are near each other in the question.
 */
export const selectPlaces = (within: Within): SQL => sql`
  fetched as materialized (
    select n, lecture_id, passage
    from terms cross join lateral ${selectHits(within, sql`indexed`, fetchMax + 1)}
  ), found as materialized (
    select terms.n, terms.indexed, count(*) as passages, count(*) > ${toSqlNumber(fetchMax)} as is_frequent
    from terms join fetched on fetched.n = terms.n group by terms.n, terms.indexed
  ), together as materialized (
    select lecture_id, passage
    from (select string_agg('(' || indexed::text || ')', ' & ')::tsquery as all_terms from found having bool_and(is_frequent)) as one
    cross join lateral ${selectHits(within, sql`all_terms`, fetchMax)}
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
      from found join found as other on other.n - found.n between 1 and 2
      where (select bool_and(is_frequent) from found) and (select count(*) from together) < ${toSqlNumber(placesMax)}
    ) as pair
    cross join lateral ${selectHits(within, sql`both_terms`, fetchMax)}
  ), whole as materialized (
    select greatest((select count(*) from scope) * ${toSqlNumber(passagesPerLecture)}, max(passages)) as passages,
      (select count(*) from (select distinct lecture_id, passage from hit) as one) as hits
    from found
  ), weights as materialized (
    -- How frequent a frequent term is follows from its share of the other terms' passages.
    select found.n, ln(1 + whole.passages::float8 / case when is_frequent
      then greatest(found.passages, whole.passages * count(hit.n) / greatest(whole.hits, 1)) else found.passages end) as weight
    from found cross join whole left join hit on hit.n = found.n
    group by found.n, found.passages, is_frequent, whole.passages, whole.hits
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
