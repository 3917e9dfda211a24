import { type SQL, sql } from "drizzle-orm";
import { lectures } from "#drizzle/schema.ts";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { hasCapacityFor, rowOverheadBytes } from "#server/lectures/storage.ts";
import { AppError } from "#shared/errors.ts";
import {
  type Glossary,
  type GlossaryTerm,
  getTermKey,
  listTermPairs,
  type TermChange,
  type TermPair,
} from "#shared/glossary.ts";
import { type SpokenLanguage, toSpokenLanguage, toTranslationLanguage } from "#shared/languages.ts";
import { folderTermsMax, glossaryTermsMax } from "#shared/limits.ts";
import type { TranslationPair } from "#shared/translation-pairs.ts";

interface FolderKey {
  userId: string;
  /** Null: the whole library. */
  folderId: string | null;
}

/** SQL for the folder and those above it, nearest first, of which none is in the trash: `id`, `distance`. */
const selectChain = (userId: string, folderId: SQL): SQL => sql`
  with recursive chain as (
    select id, parent_folder_id, 0 as distance from folders
    where id = ${folderId} and user_id = ${userId}::uuid and deleted_at is null
    union
    select folders.id, folders.parent_folder_id, chain.distance + 1
    from folders join chain on folders.id = chain.parent_folder_id
    where folders.user_id = ${userId}::uuid and folders.deleted_at is null
  )`;

/**
 * The terms of a folder and of all folders above it. One round trip.
 *
 * @throws AppError `not_found` if the user has no such folder
 */
export async function readGlossary(
  db: Database,
  { userId, folderId }: FolderKey,
): Promise<Glossary> {
  const { rows } = await db.execute<{ folder_ids: string[]; terms: GlossaryTerm[] }>(sql`
    ${selectChain(userId, sql`${folderId}::uuid`)}
    select
      coalesce((select jsonb_agg(id order by distance) from chain), '[]'::jsonb) as folder_ids,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', id, 'folderId', folder_id, 'language', language, 'term', term,
          'translations', translations, 'note', note, 'position', position, 'isLeftOut', is_left_out,
          'origin', jsonb_build_object('kind', origin_kind, 'name', origin_name)
        ))
        from glossary_terms
        where user_id = ${userId}::uuid
          and (folder_id is null or folder_id in (select id from chain))
      ), '[]'::jsonb) as terms`);
  const [row] = rows;
  const folderIds = [...(row?.folder_ids ?? []), null];
  if (folderId !== null && folderIds.length === 1) throw new AppError("not_found");
  return { folderIds, terms: row?.terms ?? [] };
}

export interface LectureOfUser {
  userId: string;
  lectureId: string;
}

/** SQL for the folders whose terms apply to a lecture of the user: only the whole library's for one that is not there. */
const selectLectureChain = ({ userId, lectureId }: LectureOfUser): SQL =>
  selectChain(
    userId,
    sql`(select ${lectures.folderId} from ${lectures}
      where ${lectures.id} = ${lectureId}::uuid and ${lectures.userId} = ${userId}::uuid)`,
  );

/**
 * A name for the terms that apply to a lecture, by its folder, as they are now: a hash of them. Null if there are none.
 * The database reads the terms for it, and sends none.
 */
export async function readTermsVersion(
  db: Database,
  lecture: LectureOfUser,
): Promise<string | null> {
  const { rows } = await db.execute<{ count: number; folders: string; sum: string }>(sql`
    ${selectLectureChain(lecture)}
    select count(*)::int as count,
      coalesce((select string_agg(id::text, ' ' order by distance) from chain), '') as folders,
      coalesce(sum(hashtextextended(
        concat_ws(' ', id, folder_id, language, position, is_left_out, translations, term), 0
      )), 0)::text as sum
    from glossary_terms
    where user_id = ${lecture.userId}::uuid
      and (folder_id is null or folder_id in (select id from chain))`);
  const [row] = rows;
  return row && row.count > 0 ? `${row.count} ${row.sum} ${row.folders}` : null;
}

/**
 * The agreed translations of `pair` that apply to a lecture, by its folder, without what else a glossary has. The rule is
 * that of `resolveTerms` and `listTermPairs`.
 */
export async function readTermPairs(
  db: Database,
  lecture: LectureOfUser,
  { sourceLanguage, targetLanguage }: TranslationPair,
): Promise<TermPair[]> {
  const spokenText = toTranslationLanguage(sourceLanguage);
  const distance = sql`coalesce(chain.distance, 2147483647)`;
  const { rows } = await db.execute<{
    language: SpokenLanguage;
    term: string;
    translation: string;
  }>(sql`
    ${selectLectureChain(lecture)}, resolved as (
      select distinct on (term.language, term.key)
        term.language, term.term, term.is_left_out, term.position, term.id, ${distance} as distance,
        term.translations ->> case
          when term.language = ${sourceLanguage}::text then ${targetLanguage}::text
          else ${spokenText}::text
        end as translation
      from glossary_terms as term left join chain on chain.id = term.folder_id
      where term.user_id = ${lecture.userId}::uuid
        and (term.folder_id is null or chain.id is not null)
        and term.language in (${sourceLanguage}::text, ${toSpokenLanguage(targetLanguage)}::text)
      order by term.language, term.key, ${distance}, term.position, term.id
    )
    select language, term, translation from resolved
    where not is_left_out and translation is not null
    order by distance, position, id`);
  const terms = rows.map(({ language, term, translation }) => {
    const into = language === sourceLanguage ? targetLanguage : spokenText;
    return { language, term, translations: { [into]: translation } };
  });
  return listTermPairs(terms, sourceLanguage, targetLanguage);
}

/**
 * Changes a folder's glossary. A new term that the folder has already, in the same language, is merged into that one.
 * Of two calls that change one field the last wins.
 *
 * @throws AppError `not_found` if the user has no such folder, `conflict` if a term gets the name of another one, which
 *   one that the same call deletes still has, or if a new term gets that of one that the same call changes,
 *   `glossary_full`, `account_full`
 */
export async function changeGlossary(
  db: Database,
  input: FolderKey & { changes: readonly TermChange[]; now: Date },
): Promise<void> {
  const { userId, folderId } = input;
  const now = toTimestamp(input.now);
  const written = mergeNewTerms(input.changes.filter((change) => !change.isDeleted));
  const deletedIds = input.changes.filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
  const incoming = JSON.stringify(written.map(toIncoming));
  const growth = new TextEncoder().encode(incoming).length + written.length * rowOverheadBytes;
  const isOwn = sql`term.user_id = ${userId}::uuid and term.folder_id is not distinct from ${folderId}::uuid`;
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{
      folder_exists: boolean;
      is_clash: boolean;
      has_room: boolean;
      has_capacity: boolean;
    }>(sql`
      with incoming as materialized (
        select * from jsonb_to_recordset(${incoming}::jsonb) as incoming (
          id uuid, language text, term text, key text, translations jsonb, note text,
          "originKind" term_origin, "originName" text, position int, "isLeftOut" boolean
        )
      ), deleted_ids as materialized (
        select value::uuid as id from jsonb_array_elements_text(${JSON.stringify(deletedIds)}::jsonb)
      ), kept as materialized (
        select term.* from glossary_terms as term
        where ${isOwn}
      ), changed as materialized (
        select kept.id,
          coalesce(incoming.language, kept.language) as language, coalesce(incoming.key, kept.key) as key
        from kept left join incoming on incoming.id = kept.id
      ), added as materialized (
        select * from incoming
        where term is not null and language is not null and id not in (select id from kept)
      ), checks as (
        select
          ${folderId}::uuid is null or exists (
            select from folders where id = ${folderId}::uuid
              and user_id = ${userId}::uuid and deleted_at is null
          ) as folder_exists,
          exists (select from changed group by language, key having count(*) > 1)
            or exists (
              select from changed join added using (language, key) join incoming on incoming.id = changed.id
            )
            or exists (
              select from glossary_terms as other join added on added.id = other.id
                or (other.id in (select id from deleted_ids)
                  and other.language = added.language and other.key = added.key)
              where other.user_id = ${userId}::uuid
            ) as is_clash,
          (select count(*) from added where not exists (
            select from changed where changed.language = added.language and changed.key = added.key
          )) as added_count,
          (select count(*) from kept) as kept_count,
          (select count(*) from glossary_terms as term where user_id = ${userId}::uuid) as total
      ), verdict as (
        select folder_exists, is_clash,
          added_count = 0 or (kept_count + added_count <= ${folderTermsMax}::int
            and total + added_count <= ${glossaryTermsMax}::int) as has_room,
          not exists (select from incoming)
            or ${hasCapacityFor(userId, sql`${growth}::bigint`)} as has_capacity
        from checks
      ), accepted as (
        select from verdict where folder_exists and not is_clash and has_room and has_capacity
      ), deletion as (
        delete from glossary_terms as term using accepted
        where ${isOwn} and term.id in (select id from deleted_ids)
      ), update as (
        update glossary_terms as term set
          language = coalesce(incoming.language, term.language),
          term = coalesce(incoming.term, term.term), key = coalesce(incoming.key, term.key),
          translations = jsonb_strip_nulls(term.translations || coalesce(incoming.translations, '{}'::jsonb)),
          note = coalesce(incoming.note, term.note),
          origin_kind = coalesce(incoming."originKind", term.origin_kind),
          origin_name = coalesce(incoming."originName", term.origin_name),
          position = coalesce(incoming.position, term.position),
          is_left_out = coalesce(incoming."isLeftOut", term.is_left_out),
          updated_at = ${now}
        from accepted, incoming
        where ${isOwn} and term.id = incoming.id
        returning 1
      ),
      -- Read before the first term is inserted: it may have the name that another one has given up.
      update_count as materialized (select count(*) from update), insertion as (
        insert into glossary_terms as term (id, user_id, folder_id, language, term, key, translations,
          note, origin_kind, origin_name, position, is_left_out, created_at, updated_at)
        select added.id, ${userId}::uuid, ${folderId}::uuid, added.language, added.term, added.key,
          jsonb_strip_nulls(coalesce(added.translations, '{}'::jsonb)), coalesce(added.note, ''),
          coalesce(added."originKind", 'person'), coalesce(added."originName", ''),
          coalesce(added.position, 0), coalesce(added."isLeftOut", false), ${now}, ${now}
        from accepted, update_count, added
        on conflict on constraint glossary_terms_folder_language_key do update set
          translations = jsonb_strip_nulls(term.translations || excluded.translations),
          note = case when excluded.note = '' then term.note else excluded.note end,
          is_left_out = excluded.is_left_out, updated_at = excluded.updated_at
      )
      select folder_exists, is_clash, has_room, has_capacity from verdict`),
  ]);
  const [row] = rows;
  if (!row?.folder_exists) throw new AppError("not_found");
  if (row.is_clash) throw new AppError("conflict");
  if (!row.has_room) throw new AppError("glossary_full");
  if (!row.has_capacity) throw new AppError("account_full");
}

type WrittenTerm = Exclude<TermChange, { isDeleted: true }>;

/** One statement cannot insert a term twice: of two with one spelling, the first gets the second's fields. */
function mergeNewTerms(changes: readonly WrittenTerm[]): WrittenTerm[] {
  const merged = new Map<string, WrittenTerm>();
  for (const change of changes) {
    const { id, language, term } = change;
    const key =
      term === undefined || language === undefined ? id : `${language} ${getTermKey(term)}`;
    const first = merged.get(key);
    const translations = { ...first?.translations, ...change.translations };
    merged.set(key, first ? { ...first, ...change, id: first.id, translations } : change);
  }
  return [...merged.values()];
}

const toIncoming = ({ origin, ...change }: WrittenTerm) => ({
  ...change,
  ...(change.term !== undefined && { key: getTermKey(change.term) }),
  ...(origin && { originKind: origin.kind, originName: origin.name }),
});
