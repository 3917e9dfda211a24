import { sql } from "drizzle-orm";
import { findLectureTerms } from "#server/ai/agreed-terms.ts";
import type { Database } from "#server/database.ts";
import { type LectureKey, selectListTitle } from "#server/lectures/queries.ts";
import {
  defaultSourceLanguage,
  isTranslationLanguage,
  type LanguagePair,
  type TargetLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { pairTexts } from "#shared/pair-texts.ts";
import type { CitedRow } from "#shared/question.ts";
import { noTranslation, translationFailed } from "#shared/words.ts";

/** A row with its whole texts. */
export interface SourceRow extends CitedRow {
  endMs: number;
}

export interface LectureRows extends Pick<LanguagePair, "sourceLanguage" | "isTwoWay"> {
  rows: SourceRow[];
  /** No row was left out. */
  isWhole: boolean;
}

interface LectureText extends Pick<LanguagePair, "sourceLanguage" | "isTwoWay"> {
  title: string;
  targetLanguage: TargetLanguage;
  /** Rows with words. */
  count: number;
  /** Of a lecture without rows. */
  originalText: string;
  translatedText: string;
}

/**
 * Reads the rows of a lecture that have words, in order, up to `maxLength` characters of their originals. A text without
 * rows is paired as the page shows it. Null for another user's or a deleted lecture.
 */
export async function readLectureRows(
  db: Database,
  { userId, id }: LectureKey,
  maxLength: number,
): Promise<LectureRows | null> {
  const [{ rows: found }, { rows }] = await db.batch([
    db.execute<Record<string, unknown> & LectureText>(sql`
      select ${selectListTitle} as title, source_language as "sourceLanguage", is_two_way as "isTwoWay",
        target_language as "targetLanguage",
        left(original_text, ${maxLength}::int + 1) as "originalText",
        left(translated_text, ${maxLength}::int) as "translatedText", (
          select count(*)::int from transcript_entries where lecture_id = lectures.id and btrim(original) <> ''
        ) as count
      from lectures where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null`),
    db.execute<Record<string, unknown> & SourceRow>(sql`
      with lecture as (
        select id, ${selectListTitle} as title, nullif(target_language, 'none')::text as target from lectures
        where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null
      ), sentence as (
        select entry.*, sum(char_length(original)) over (order by start_ms, position) as length
        from transcript_entries entry
        where lecture_id = (select id from lecture) and btrim(original) <> ''
      )
      select lecture.id as "lectureId", title, position, start_ms as "startMs", end_ms as "endMs", original,
        spoken_in as "spokenIn",
        case when translated = ${translationFailed} then '' else translated end as translated,
        case when translated not in ('', ${translationFailed}) then coalesce(translated_into::text, target) end
          as "translatedInto"
      from sentence, lecture
      where length <= ${maxLength}::bigint
      order by start_ms, position`),
  ]);
  const [lecture] = found;
  if (!lecture) return null;
  const { sourceLanguage, isTwoWay, count, originalText } = lecture;
  const languages = { sourceLanguage, isTwoWay };
  if (count > 0) return { ...languages, rows, isWhole: rows.length === count };
  return { ...languages, rows: toRows(id, lecture), isWhole: originalText.length <= maxLength };
}

function toRows(
  lectureId: string,
  { title, sourceLanguage, targetLanguage, originalText, translatedText }: LectureText,
): SourceRow[] {
  const spokenIn = sourceLanguage === "detect" ? defaultSourceLanguage : sourceLanguage;
  return pairTexts(originalText, translatedText).flatMap(({ original, translated }, position) => {
    if (original === "") return [];
    const isTranslated = translated !== noTranslation && isTranslationLanguage(targetLanguage);
    return {
      lectureId,
      title,
      position,
      startMs: 0,
      endMs: 0,
      original,
      spokenIn,
      translated: isTranslated ? translated : "",
      translatedInto: isTranslated ? targetLanguage : null,
    };
  });
}

/** The agreed translations into `language` of the terms in the rows of a lecture. */
export function findRowTerms(
  db: Database,
  { userId, id }: LectureKey,
  { rows, ...pair }: LectureRows,
  language: TranslationLanguage,
) {
  const text = rows.map(({ original }) => original).join("\n");
  const spokenIn = rows[0]?.spokenIn ?? defaultSourceLanguage;
  return findLectureTerms(db, { userId, lectureId: id }, { ...pair, text, spokenIn }, [language]);
}
