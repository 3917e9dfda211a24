import * as z from "zod/mini";
import type { Database } from "#server/database.ts";
import { readLectureGlossary } from "#server/glossary/queries.ts";
import { TermFinder } from "#shared/find-terms.ts";
import { listTermLanguages, resolveTerms, type TermPair } from "#shared/glossary.ts";
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
  lecture: { userId: string; lectureId: string },
  { text, spokenIn, ...pair }: SpokenText,
  languages: readonly TranslationLanguage[],
): Promise<TermPair[]> {
  const finder = new TermFinder(resolveTerms(await readLectureGlossary(db, lecture)));
  const targetLanguage = languages.at(-1) ?? "none";
  const spoken = new Set([spokenIn, ...listTermLanguages({ ...pair, targetLanguage })]);
  return languages.flatMap((language) =>
    [...spoken].flatMap((sourceLanguage) =>
      isSameLanguage(sourceLanguage, language)
        ? []
        : finder.find({ text, sourceLanguage, targetLanguage: language }, termsPerPartMax),
    ),
  );
}
