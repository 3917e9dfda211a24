import type { LanguagePair, SpokenLanguage, TranslationLanguage } from "./languages.ts";
import { toSpokenLanguage, toTranslationLanguage } from "./languages.ts";
import { normalize } from "./normal-form.ts";

/** Where a term comes from: written by a person, a pasted or imported table, a file, or a lecture's sentence. */
export const termOrigins = ["person", "table", "file", "lecture"] as const;

export interface TermOrigin {
  kind: (typeof termOrigins)[number];
  /** Of the file or the lecture; empty without one. */
  name: string;
}

export type TermTranslations = Partial<Record<TranslationLanguage, string>>;

/** A term of a folder's glossary. `folderId` null: of the whole library. */
export interface GlossaryTerm {
  id: string;
  folderId: string | null;
  /** Of `term`. */
  language: SpokenLanguage;
  term: string;
  translations: TermTranslations;
  note: string;
  origin: TermOrigin;
  /** Order within the folder. */
  position: number;
  /** The folder does not inherit the term that folders above it have. */
  isLeftOut: boolean;
}

/** Terms of a folder and of all folders above it. */
export interface Glossary {
  /** The folder first, then those above it, nearest first, and null for the whole library. */
  folderIds: (string | null)[];
  /** Of these folders, in no order. */
  terms: GlossaryTerm[];
}

/** A term and its agreed translation. */
export interface TermPair {
  source: string;
  target: string;
}

/** What makes two spellings one term: neither case nor width nor blanks. */
export const getTermKey = (term: string): string =>
  normalize(term, "NFKC").trim().replaceAll(/\s+/gu, " ").toLowerCase();

/**
 * The terms that apply in the glossary's folder: of terms with one spelling in one language the nearest folder's, without
 * those that it leaves out. The nearest folder's come first, each folder's in their order.
 */
export function resolveTerms({ folderIds, terms }: Glossary): GlossaryTerm[] {
  const distances = new Map(folderIds.map((folderId, distance) => [folderId, distance]));
  const getDistance = ({ folderId }: GlossaryTerm) => distances.get(folderId) ?? -1;
  const sorted = terms
    .filter((term) => getDistance(term) >= 0)
    .sort((a, b) => getDistance(a) - getDistance(b) || a.position - b.position);
  const nearest = new Map<string, GlossaryTerm>();
  for (const term of sorted) {
    const key = `${term.language} ${getTermKey(term.term)}`;
    if (!nearest.has(key)) nearest.set(key, term);
  }
  return [...nearest.values()].filter(({ isLeftOut }) => !isLeftOut);
}

/**
 * The terms' agreed translations of speech in `spokenIn` into `target`. A term in the target's language with a
 * translation into what is spoken serves the other way round, for lectures in which both are spoken.
 */
export function listTermPairs(
  terms: readonly Pick<GlossaryTerm, "language" | "term" | "translations">[],
  spokenIn: SpokenLanguage,
  target: TranslationLanguage,
): TermPair[] {
  const pairs = new Map<string, TermPair>();
  const add = (source: string | undefined, translation: string | undefined) => {
    if (!source || !translation) return;
    const key = getTermKey(source);
    if (!pairs.has(key)) pairs.set(key, { source, target: translation });
  };
  for (const { language, term, translations } of terms)
    if (language === spokenIn) add(term, translations[target]);
  for (const { language, term, translations } of terms)
    if (language === toSpokenLanguage(target))
      add(translations[toTranslationLanguage(spokenIn)], term);
  return [...pairs.values()];
}

/** A change of a folder's glossary. Missing fields stay as they are; a new term needs `language` and `term`. */
export type TermChange =
  | { id: string; isDeleted: true }
  | ({ id: string; isDeleted?: never } & Partial<
      Pick<GlossaryTerm, "language" | "term" | "note" | "origin" | "position" | "isLeftOut">
    > & {
        /** Null deletes a translation; languages that are missing stay as they are. */
        translations?: Partial<Record<TranslationLanguage, string | null>>;
      });

/** The languages in which a lecture's terms may be spoken. */
export const listTermLanguages = (pair: LanguagePair): SpokenLanguage[] => {
  const { sourceLanguage, targetLanguage, isTwoWay } = pair;
  const first = sourceLanguage === "detect" ? [] : [sourceLanguage];
  const second = isTwoWay && targetLanguage !== "none" ? [toSpokenLanguage(targetLanguage)] : [];
  return [...first, ...second];
};
