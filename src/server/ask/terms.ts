import { findSummaryTerms } from "#server/ai/agreed-terms.ts";
import type { Database } from "#server/database.ts";
import { readLectureGlossary } from "#server/glossary/queries.ts";
import type { TermPair } from "#shared/glossary.ts";
import {
  defaultSourceLanguage,
  type LanguagePair,
  type TranslationLanguage,
} from "#shared/languages.ts";
import type { SourceRow } from "./lecture-rows.ts";

/** The agreed translations into the answer's language of the terms in a lecture's rows. */
export async function findAgreedTerms(
  db: Database,
  {
    userId,
    lectureId,
    answerIn,
    rows,
    ...pair
  }: Pick<LanguagePair, "sourceLanguage" | "isTwoWay"> & {
    userId: string;
    lectureId: string;
    answerIn: TranslationLanguage;
    rows: readonly SourceRow[];
  },
): Promise<TermPair[]> {
  const glossary = await readLectureGlossary(db, { userId, lectureId });
  if (glossary.terms.length === 0) return [];
  const text = rows.map(({ original }) => original).join("\n");
  const spokenIn = rows[0]?.spokenIn ?? defaultSourceLanguage;
  return findSummaryTerms(glossary, { ...pair, text, spokenIn }, [answerIn]);
}
