import { type SQL, sql } from "drizzle-orm";
import { type Database, toTimestamp } from "#server/database.ts";
import { selectTranslatedExcerpt } from "#server/lectures/queries.ts";
import {
  accountLecturesMax,
  hasCapacityFor,
  lectureBytesMax,
  rowOverheadBytes,
} from "#server/lectures/storage.ts";
import { AppError } from "#shared/errors.ts";
import { type TargetLanguage, toSpokenLanguage } from "#shared/languages.ts";
import { translationFailed, untranslatableFragment } from "#shared/words.ts";
import { selectSentenceHash } from "./sentence.ts";

/**
 * Copies a shared lecture into the library of the user `userId`: title, summary, speakers' names, the demo's mark and rows, with the
 * translation into `language` as far as it exists; never the owner's context, marks or notes. A repeated call changes
 * nothing. One transaction.
 *
 * @throws AppError `not_found` if no active share with this code may be copied, `conflict` if `id` is another
 * lecture's, `lecture_full`, `account_full`.
 */
export async function keepSharedLecture(
  db: Database,
  copy: { userId: string; id: string; codeHash: string; language: TargetLanguage; now: Date },
): Promise<void> {
  const { userId, id, codeHash, language, now } = copy;
  const storage = sql`from user_storage where user_id = ${userId}::uuid`;
  const [{ rows }] = await db.batch([
    db.execute<{
      found: boolean;
      too_long: boolean;
      has_space: boolean;
      taken_by: string | null;
    }>(sql`
      with shared as materialized (
        select lectures.* from shares
        join lectures on lectures.id = shares.lecture_id and lectures.user_id = shares.user_id
        where shares.code_hash = ${codeHash}::text and shares.ended_at is null and shares.may_copy
          and lectures.deleted_at is null
      ),
      entries as materialized (
        select entry.position, entry.original, entry.spoken_in, entry.speaker, entry.start_ms, entry.end_ms,
          wanted.language, ${selectTranslation(language)} as translated
        from shared join transcript_entries entry on entry.lecture_id = shared.id
        cross join lateral (select ${selectWantedLanguage(language)} as language) as wanted
      ),
      size as materialized (
        select coalesce(sum(octet_length(original) + octet_length(translated)
          + coalesce(octet_length(speaker), 0) + ${rowOverheadBytes}), 0)::bigint as bytes from entries
      ),
      -- A user without lectures has no row in user_storage.
      capacity as materialized (
        select size.bytes > ${lectureBytesMax}::bigint as too_long, not exists (select ${storage}) or (
          exists (select ${storage} and lectures < ${accountLecturesMax}::int)
          and ${hasCapacityFor(userId, sql`(size.bytes + shared.bytes - shared.entry_bytes)`)}
        ) as has_space
        from shared, size
      ),
      copy as (
        insert into lectures (id, user_id, title, status, source_language, target_language, is_two_way,
          original_text, translated_text, summary, speaker_names, has_demo_text, preview, used_time, entry_bytes,
          created_at, updated_at)
        select ${id}::uuid, ${userId}::uuid, title, 'completed', source_language, ${language}::target_language,
          is_two_way and target_language = ${language},
          original_text, translated_text, summary, speaker_names, has_demo_text, preview, used_time, size.bytes,
          ${toTimestamp(now)}, ${toTimestamp(now)}
        from shared, size, capacity where has_space and not too_long
        on conflict (id) do nothing
        returning id
      ),
      copied_entries as (
        -- Without a translation, the language is that of the one that is still missing.
        insert into transcript_entries (lecture_id, position, original, spoken_in, translated, translated_into, speaker,
          start_ms, end_ms)
        select copy.id, position, original, spoken_in, translated, language, speaker, start_ms, end_ms
        from copy, entries
      )
      select exists (select from shared) as found,
        coalesce((select too_long from capacity), false) as too_long,
        coalesce((select has_space from capacity), false) as has_space,
        -- As before this statement.
        (select user_id::text || coalesce(deleted_at::text, '') from lectures
          where id = ${id}::uuid) as taken_by`),
    db.execute(sql`
      update lectures set translated_preview = ${selectTranslatedExcerpt(language)}
      where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null`),
  ]);
  const [row] = rows;
  if (!row) throw new Error("The copy returned no row");
  if (!row.found) throw new AppError("not_found");
  if (row.taken_by === userId) return;
  if (row.taken_by !== null) throw new AppError("conflict");
  if (row.too_long) throw new AppError("lecture_full");
  if (!row.has_space) throw new AppError("account_full");
}

const toTranslationLanguage = (spoken: SQL): SQL =>
  sql`(case ${spoken} when 'zh' then 'zh-cn' else ${spoken} end)::target_language`;

/** SQL for `getTranslationLanguage` of `entry`, in the copy of the lecture `shared`. */
function selectWantedLanguage(language: TargetLanguage): SQL {
  if (language === "none") return sql`null::target_language`;
  const isSecond = sql`shared.is_two_way and shared.target_language = ${language}
    and entry.spoken_in = ${toSpokenLanguage(language)} and entry.spoken_in <> shared.source_language`;
  return sql`case
    when ${isSecond} and shared.source_language <> 'detect'
      then ${toTranslationLanguage(sql`shared.source_language`)}
    when ${toTranslationLanguage(sql`entry.spoken_in`)} <> ${language} then ${language}::target_language end`;
}

/** SQL for the translation of `entry` into `wanted.language`: the owner's, the readers', or ''. */
function selectTranslation(language: TargetLanguage): SQL {
  if (language === "none") return sql`''::text`;
  return sql`case
    when entry.translated not in ('', ${translationFailed})
      and coalesce(entry.translated_into, shared.target_language) = wanted.language then entry.translated
    else coalesce((
      select nullif(stored.translated, ${untranslatableFragment}) from reader_translations stored
      where stored.lecture_id = shared.id and stored.language = wanted.language
        and stored.start_ms = entry.start_ms and stored.original_hash = ${selectSentenceHash(sql`entry.original`)}
    ), '') end`;
}
