import { type GlossaryTerm, type TermOrigin, termOrigins } from "#shared/glossary.ts";
import {
  getLanguageName,
  getTranslationTag,
  type SpokenLanguage,
  spokenLanguages,
  type TranslationLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import {
  termMaxLength,
  termNoteMaxLength,
  termOriginMaxLength,
  termTranslationMaxLength,
  termTranslationsMax,
} from "#shared/limits.ts";
import { normalize } from "#shared/normal-form.ts";
import { formatCsv, neutralizeFormula, parseTable, restoreFormula } from "./csv.ts";

/** Terms as CSV and as cells of a spreadsheet. */

/** A term of a table, of no folder yet. */
export type TableTerm = Pick<
  GlossaryTerm,
  "language" | "term" | "translations" | "note" | "origin"
>;

/** Why a row is no term. */
export type RowReason = "noTerm" | "term" | "translation" | "note" | "translations" | "language";

export interface RefusedRow {
  cells: readonly string[];
  /** `term`, `translation`, `note`: too long; `translations`: too many; `language`: of no known language. */
  reason: RowReason;
}

/**
 * CSV for a spreadsheet, with a byte order mark: language, term, a column for each language of translations, note, and
 * origin such as `file: slides.pptx`. Terms that are left out are not in it. `readTable` reads it.
 */
export function toCsv(terms: readonly GlossaryTerm[]): string {
  const shown = terms.filter(({ isLeftOut }) => !isLeftOut);
  const targets = translationLanguages.filter((target) =>
    shown.some(({ translations }) => translations[target]),
  );
  const rows = shown.map(({ language, term, translations, note, origin }) => [
    language,
    term,
    ...targets.map((target) => translations[target] ?? ""),
    note,
    origin.name ? `${origin.kind}: ${origin.name}` : origin.kind,
  ]);
  const head = ["language", "term", ...targets.map(getTranslationTag), "note", "origin"];
  return `\uFEFF${formatCsv([head, ...rows].map((row) => row.map(neutralizeFormula)))}`;
}

interface TableOptions {
  /** Of terms in a table that names none. */
  language: SpokenLanguage;
  /** Of translations in a table that names none. */
  target: TranslationLanguage;
  /** Of terms in a table that names none. */
  origin: TermOrigin;
}

/**
 * The terms of a table that was pasted or imported. Without a first row that names the columns these are term,
 * translation and note.
 */
export function readTable(
  text: string,
  options: TableOptions,
): { terms: TableTerm[]; refused: RefusedRow[] } {
  const rows = parseTable(text).map((row) => row.map((cell) => restoreFormula(cell).trim()));
  const head = readHead(rows, options);
  const { columns, language } = head ?? {
    columns: [{ kind: "term" }, { kind: "translation", target: options.target }],
    language: options.language,
  };
  const terms: TableTerm[] = [];
  const refused: RefusedRow[] = [];
  for (const cells of head ? rows.slice(1) : rows) {
    const read = readRow(cells, columns, { language, origin: options.origin });
    if (typeof read === "string") refused.push({ cells, reason: read });
    else terms.push(read);
  }
  return { terms, refused };
}

interface Head {
  columns: readonly Column[];
  /** Of the terms. */
  language: SpokenLanguage;
}

type Column =
  | { kind: "term" | "language" | "note" | "origin" }
  | { kind: "translation"; target: TranslationLanguage };

function readRow(
  cells: readonly string[],
  columns: readonly Column[],
  defaults: Pick<TableTerm, "language" | "origin">,
): TableTerm | RowReason {
  const term: TableTerm = { ...defaults, term: "", translations: {}, note: "" };
  for (const [index, cell] of cells.entries()) {
    const column = columns[index] ?? { kind: "note" };
    if (!cell) continue;
    if (column.kind === "term") term.term = toLine(cell);
    else if (column.kind === "translation") term.translations[column.target] = toLine(cell);
    else if (column.kind === "origin") term.origin = readOrigin(cell);
    else if (column.kind === "note") term.note += term.note ? `; ${cell}` : cell;
    else {
      const language = getLanguages().get(toName(cell));
      if (!language) return "language";
      term.language = toSpokenLanguage(language);
    }
  }
  const texts = Object.values(term.translations);
  if (!term.term) return "noTerm";
  if (term.term.length > termMaxLength) return "term";
  if (texts.some(({ length }) => length > termTranslationMaxLength)) return "translation";
  if (texts.length > termTranslationsMax) return "translations";
  return term.note.length > termNoteMaxLength ? "note" : term;
}

/** Without line breaks and tabs, which neither a term nor a translation may have. */
const toLine = (text: string): string =>
  text.replaceAll(/\s+/g, (blanks) => (/[\t\r\n]/.test(blanks) ? " " : blanks));

function readOrigin(cell: string): TermOrigin {
  const text = toLine(cell).slice(0, termOriginMaxLength).toWellFormed();
  const [kind, ...name] = text.split(": ");
  const known = termOrigins.find((one) => one === kind);
  return known ? { kind: known, name: name.join(": ") } : { kind: "table", name: text };
}

const columnNames: Record<"term" | "language" | "note" | "origin" | "translation", string[]> = {
  term: ["term", "terms", "word", "术语", "词语", "单词"],
  language: ["language", "语言"],
  translation: ["translation", "译文", "翻译", "译名"],
  note: ["note", "notes", "comment", "definition", "备注", "注释", "定义", "释义", "说明"],
  origin: ["origin", "source", "来源", "出处"],
};

const columnKinds = new Map(
  Object.entries(columnNames).flatMap(([kind, names]) => names.map((name) => [name, kind])),
);

/** The first row of a table, if it names columns: more than half of its cells, and two at least. */
function readHead([cells = [], ...rows]: readonly string[][], options: TableOptions): Head | null {
  const names = cells.map(toName);
  const kinds = names.map((name, index) =>
    index === 0 && isNumbering(name, rows) ? "note" : columnKinds.get(name),
  );
  const languages = names.map((name, index) =>
    kinds[index] ? undefined : findLanguage(name, options.target),
  );
  const known = names.filter((_, index) => kinds[index] ?? languages[index]).length;
  if (known < 2 || known * 2 <= names.filter(Boolean).length) return null;
  const termAt = [
    kinds.indexOf("term"),
    languages.findIndex((one) => one && toSpokenLanguage(one) === options.language),
    languages.findIndex(Boolean),
  ].find((index) => index >= 0);
  const columns = kinds.map((kind, index): Column => {
    const target = kind === "translation" ? options.target : languages[index];
    if (index === termAt) return { kind: "term" };
    if (target) return { kind: "translation", target };
    return { kind: kind === "language" || kind === "origin" ? kind : "note" };
  });
  const language = languages[termAt ?? -1];
  return { columns, language: language ? toSpokenLanguage(language) : options.language };
}

/** Whether the first column, called `name`, numbers the rows: "ID" and "No" are also codes of languages. */
const isNumbering = (name: string, rows: readonly string[][]): boolean =>
  (name === "id" || name === "no") && rows.every(([cell = ""]) => cell === "" || /\d/.test(cell));

const toName = (cell: string): string => normalize(cell, "NFKC").trim().toLowerCase();

/** A language by its code or its name. "Chinese" alone is in the script of `target`, or else simplified. */
const findLanguage = (name: string, target: TranslationLanguage) =>
  chineseNames.includes(name) && target === "zh" ? target : getLanguages().get(name);

const chineseNames = ["chinese", "中文", "汉语", "漢語", "zh"];
const simplifiedNames = ["chinese (simplified)", "chinese simplified"];
const traditionalNames = ["chinese (traditional)", "chinese traditional", "zh-tw"];

let knownLanguages: Map<string, TranslationLanguage> | null = null;

function getLanguages(): Map<string, TranslationLanguage> {
  knownLanguages ??= new Map([
    ...[...spokenLanguages.map(toTranslationLanguage), ...translationLanguages].flatMap(
      (language) => {
        const tag = getTranslationTag(language);
        const shown = ["en", "zh", tag].map((one) => toName(getLanguageName(tag, one)));
        return [language, toName(tag), ...shown].map((name) => [name, language] as const);
      },
    ),
    ...[...chineseNames, ...simplifiedNames].map((name) => [name, "zh-cn"] as const),
    ...traditionalNames.map((name) => [name, "zh"] as const),
  ]);
  return knownLanguages;
}
