import * as z from "zod/mini";
import type { Database } from "#server/database.ts";
import { findAgreedTerms, readLectureTerms } from "#server/glossary/find-agreed-terms.ts";
import type { LectureOfUser } from "#server/glossary/queries.ts";
import { listTermLanguages, type TermPair } from "#shared/glossary.ts";
import {
  isSameLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { termsPerPartMax, termTranslationMaxLength } from "#shared/limits.ts";

/** Either side may be a term or a translation: in a lecture in two languages both are spoken. */
const termText = z.string().check(z.trim(), z.minLength(1), z.maxLength(termTranslationMaxLength));

export const termPair = z.object({ source: termText, target: termText });

/** Of a call: agreed pairs that occur in its text. */
export const createTermsInput = (max: number) =>
  z.optional(z.readonly(z.array(termPair).check(z.maxLength(max))));

interface SpokenText extends Pick<LanguagePair, "sourceLanguage" | "isTwoWay"> {
  text: string;
  /** What was spoken most. */
  spokenIn: SpokenLanguage;
}

/** The agreed translations of terms in the text of a user's lecture into `languages`. The first 60 for each language. */
export async function findLectureTerms(
  db: Database,
  lecture: LectureOfUser,
  { text, spokenIn, ...pair }: SpokenText,
  languages: readonly TranslationLanguage[],
): Promise<TermPair[]> {
  const terms = await readLectureTerms(db, lecture);
  if (terms === null) return [];
  const found: TermPair[] = [];
  const spoken = new Set([
    spokenIn,
    ...listTermLanguages({ ...pair, targetLanguage: languages.at(-1) ?? "none" }),
  ]);
  for (const targetLanguage of languages)
    for (const sourceLanguage of spoken) {
      if (isSameLanguage(sourceLanguage, targetLanguage)) continue;
      const input = { text, sourceLanguage, targetLanguage };
      found.push(...(await findAgreedTerms(db, terms, input, termsPerPartMax)));
    }
  return found;
}
