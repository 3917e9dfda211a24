import type { GlossaryTerm, TermOrigin } from "#shared/glossary.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import { termMaxLength, termNoteMaxLength, termTranslationMaxLength } from "#shared/limits.ts";
import type { Translate } from "./messages/index.ts";
import type { TermEdit } from "./table-changes.ts";

/** The columns that a person writes into. */
export const columns = ["term", "translation", "note"] as const;
export type Column = (typeof columns)[number];

export const columnMaxLengths: Record<Column, number> = {
  term: termMaxLength,
  translation: termTranslationMaxLength,
  note: termNoteMaxLength,
};

/** The languages that the table shows. */
export interface TableLanguages {
  /** Of terms. */
  language: SpokenLanguage;
  /** Of translations. */
  target: TranslationLanguage;
}

export const getCellText = (
  term: GlossaryTerm,
  column: Column,
  target: TranslationLanguage,
): string => (column === "translation" ? (term.translations[target] ?? "") : term[column]);

/** The edit that puts `text` into a cell. */
export function createEdit(
  column: Column,
  text: string,
  target: TranslationLanguage,
): Omit<TermEdit, "id"> {
  if (column === "translation") return { translations: { [target]: text || null } };
  return column === "term" ? { term: text } : { note: text };
}

const kindKeys = {
  person: "glossary.typed",
  table: "glossary.pasted",
  file: "glossary.fromFile",
  lecture: "glossary.fromLecture",
} as const;

export const getOriginText = (t: Translate, { kind, name }: TermOrigin): string =>
  name || t(kindKeys[kind]);
