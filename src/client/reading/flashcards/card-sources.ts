import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { getTermFinder } from "#shared/find-terms.ts";
import type { GlossaryTerm, TermPair } from "#shared/glossary.ts";
import {
  getTranslationLanguage,
  type LanguagePair,
  type SpokenLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import type { Mark } from "#shared/lecture.ts";
import { flashcardTextMaxLength, noteMaxLength } from "#shared/limits.ts";
import { groupMarksByRow } from "#shared/row-groups.ts";

/** What a card is made of: a marked row, or a term with the row where it is said first. */
export interface CardSource {
  /** `m` or `t`, and a number; of this dialog only. */
  id: string;
  row: TranscriptRow;
  /** The rows before and after it; empty without one. */
  before: string;
  after: string;
  /** Of the marks; may be empty. */
  note: string;
  term: (TermPair & { language: SpokenLanguage; into: TranslationLanguage }) | null;
}

interface Lecture {
  rows: readonly TranscriptRow[];
  marks: readonly Mark[];
  /** The terms that apply to it. */
  terms: readonly GlossaryTerm[];
  languages: LanguagePair;
}

/** The marked rows and the terms that are said, in the order of the rows. */
export function listCardSources({ rows, marks, terms, languages }: Lecture): CardSource[] {
  const marked = groupMarksByRow(marks, rows);
  const finder = getTermFinder(terms);
  const found = new Set<TermPair>();
  const sources: CardSource[] = [];
  for (const [at, row] of rows.entries()) {
    const around = {
      row,
      before: rows[at - 1]?.original ?? "",
      after: rows[at + 1]?.original ?? "",
    };
    const own = marked.get(at);
    if (own) {
      const notes = own.map(({ note }) => note).filter((note) => note !== "");
      const note = notes.join("\n").slice(0, noteMaxLength);
      sources.push({ ...around, id: `m${sources.length}`, note, term: null });
    }
    if (terms.length === 0) continue;
    const { original: text, spokenIn: language } = row;
    const into = row.translatedInto ?? getTranslationLanguage(languages, language);
    if (into === null) continue;
    for (const pair of finder.find({ text, sourceLanguage: language, targetLanguage: into })) {
      if (found.has(pair)) continue;
      found.add(pair);
      const term = { ...pair, language, into };
      sources.push({ ...around, id: `t${sources.length}`, note: "", term });
    }
  }
  return sources.filter(({ row }) => row.original.trim() !== "");
}

const cut = (text: string) => text.slice(0, flashcardTextMaxLength).toWellFormed();

/** What the model is given of a source. */
export const toItem = ({ id, row, before, after, note, term }: CardSource) => ({
  id,
  sentence: cut(row.original),
  note,
  before: cut(before),
  after: cut(after),
  translated: row.translation === "done" ? cut(row.translated) : "",
  term: term && { source: term.source, target: term.target },
});
