import { changeGlossary, fetchGlossary, invertChanges } from "#client/state/library/glossary.ts";
import type { LookUpInput } from "#client/state/look-up.ts";
import { type GlossaryTerm, getTermKey, type TermChange } from "#shared/glossary.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { termOriginMaxLength, translateTextMaxLength } from "#shared/limits.ts";
import type { SelectedWords } from "./selected-words.ts";

/** What the card of a term begins with. */
export interface TermDraft {
  language: SpokenLanguage;
  /** The language of `translation`; null: the lecture is not translated. */
  into: TranslationLanguage | null;
  term: string;
  translation: string;
  /** The texts of the row that the words come from. */
  row: { original: string; translated: string };
  /** Of the lecture's glossary: it is changed instead. */
  existing: GlossaryTerm | null;
}

type Words = Pick<SelectedWords, "words" | "row" | "text">;

/** The language into which the row's original is translated, also where its translation is missing. */
const getRowTarget = ({ row }: Words, pair: LanguagePair): TranslationLanguage | null =>
  row.translatedInto ?? getTranslationLanguage(pair, row.spokenIn);

/** What is asked to look words up. Words that are too far from the row's beginning stand in its last part. */
export function createLookUp(
  selected: Words,
  pair: LanguagePair,
  wordContext: string,
): LookUpInput {
  const { words, row, text } = selected;
  const spokenText = toTranslationLanguage(row.spokenIn);
  const target = getRowTarget(selected, pair);
  const isOriginal = text === "original";
  return {
    words,
    sentence: cutAround(isOriginal ? row.original : row.translated, words),
    language: isOriginal || target === null ? row.spokenIn : toSpokenLanguage(target),
    translateInto: (isOriginal ? target : null) ?? spokenText,
    explainIn: target ?? spokenText,
    wordContext,
  };
}

function cutAround(sentence: string, words: string): string {
  if (sentence.length <= translateTextMaxLength) return sentence;
  const at = Math.max(0, sentence.indexOf(words) - translateTextMaxLength / 2);
  return sentence.slice(at, at + translateTextMaxLength);
}

/** The term of `terms` that the words are, or whose translation they are; null without one. */
export function findTerm(
  terms: readonly GlossaryTerm[],
  selected: Words,
  pair: LanguagePair,
): GlossaryTerm | null {
  const { row, text } = selected;
  const target = getRowTarget(selected, pair);
  const key = getTermKey(selected.words);
  const getText = ({ term, translations }: GlossaryTerm) =>
    text === "original" ? term : target && translations[target];
  return (
    terms.find(
      (term) => term.language === row.spokenIn && getTermKey(getText(term) ?? "") === key,
    ) ?? null
  );
}

/** The card's beginning for selected words: of a term that is in the glossary, what is there. */
export function createDraft(
  terms: readonly GlossaryTerm[],
  selected: Words,
  pair: LanguagePair,
  translation = "",
): TermDraft {
  const { words, row, text } = selected;
  const into = getRowTarget(selected, pair);
  const existing = findTerm(terms, selected, pair);
  const isOriginal = text === "original";
  return {
    language: row.spokenIn,
    into,
    term: existing?.term ?? (isOriginal ? words : translation),
    translation:
      (existing && into ? existing.translations[into] : null) ?? (isOriginal ? translation : words),
    row: { original: row.original, translated: row.translation === "done" ? row.translated : "" },
    existing,
  };
}

interface TermFields {
  term: string;
  translation: string;
  note: string;
}

/**
 * Stores a term in the glossary of a folder, or changes the one that it has. Resolves to the function that undoes it.
 *
 * @throws ApiError
 */
export async function saveTerm(
  { language, into, existing }: Pick<TermDraft, "language" | "into" | "existing">,
  { term, translation, note }: TermFields,
  { folderId, lectureTitle }: { folderId: string | null; lectureTitle: string },
): Promise<() => Promise<void>> {
  const home = existing ? existing.folderId : folderId;
  const glossary = await fetchGlossary(home);
  const own = glossary.terms.filter((one) => one.folderId === home);
  const key = getTermKey(term);
  const before = existing
    ? (own.find(({ id }) => id === existing.id) ?? existing)
    : own.find((one) => one.language === language && getTermKey(one.term) === key);
  const translations = into === null ? {} : { [into]: translation || null };
  const id = before?.id ?? crypto.randomUUID();
  const change: TermChange = before
    ? { id, term, translations, note: note || (existing ? "" : before.note), isLeftOut: false }
    : {
        id,
        language,
        term,
        note,
        isLeftOut: false,
        translations: into && translation ? { [into]: translation } : {},
        origin: { kind: "lecture", name: lectureTitle.slice(0, termOriginMaxLength) },
        position: Math.max(-1, ...own.map(({ position }) => position)) + 1,
      };
  const undo = invertChanges(glossary, [change]);
  await changeGlossary(home, [change]);
  return () => changeGlossary(home, undo);
}
