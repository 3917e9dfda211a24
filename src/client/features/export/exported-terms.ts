import { oneLine } from "#client/lib/text.ts";
import { findTerms } from "#shared/find-terms.ts";
import { type GlossaryTerm, getTermKey, listTermPairs, type TermPair } from "#shared/glossary.ts";
import {
  getTextLanguage,
  getTranslationLanguage,
  getTranslationTag,
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
} from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { TextLanguage } from "./text-direction.ts";

/** A term of a lecture's glossary that occurs in the lecture. */
export interface ExportedTerm {
  term: string;
  termLanguage: TextLanguage;
  translation: string;
  language: TextLanguage;
  /** On one line; may be empty. */
  note: string;
}

type Row = Pick<Lecture["entries"][number], "original" | "spokenIn" | "translatedInto">;

/** The terms that are said in the rows, with their agreed translations, in the order in which they are said first. */
export function listExportedTerms(
  terms: readonly GlossaryTerm[],
  lecture: Pick<Lecture, "sourceLanguage" | "targetLanguage" | "isTwoWay">,
  rows: readonly Row[],
): ExportedTerm[] {
  if (terms.length === 0) return [];
  const pairsByLanguages = new Map<string, TermPair[]>();
  const entries = new Map<string, GlossaryTerm>();
  for (const one of terms) {
    const key = toEntryKey(one.language, one.term);
    if (!entries.has(key)) entries.set(key, one);
  }
  const found = new Map<TermPair, ExportedTerm>();
  for (const { original, spokenIn, translatedInto } of rows) {
    const into = translatedInto ?? getTranslationLanguage(lecture, spokenIn);
    if (into === null) continue;
    const key = `${spokenIn} ${into}`;
    const pairs = pairsByLanguages.get(key) ?? listTermPairs(terms, spokenIn, into);
    pairsByLanguages.set(key, pairs);
    for (const pair of findTerms(original, pairs, spokenIn))
      if (!found.has(pair)) found.set(pair, toExportedTerm(pair, entries, { spokenIn, into }));
  }
  return [...found.values()];
}

const toEntryKey = (language: SpokenLanguage, term: string) => `${language} ${getTermKey(term)}`;

function toExportedTerm(
  { source, target }: TermPair,
  entries: ReadonlyMap<string, GlossaryTerm>,
  { spokenIn, into }: { spokenIn: SpokenLanguage; into: TranslationLanguage },
): ExportedTerm {
  // A pair may have come from a term in the target's language.
  const entry =
    entries.get(toEntryKey(spokenIn, source)) ??
    entries.get(toEntryKey(toSpokenLanguage(into), target));
  return {
    term: source,
    termLanguage: getTextLanguage(spokenIn),
    translation: target,
    language: getTextLanguage(getTranslationTag(into)),
    note: oneLine(entry?.note ?? ""),
  };
}
