import { toNormalForm } from "#server/search/parse-query.ts";
import { normalize } from "#shared/normal-form.ts";
import type { CitedRow } from "#shared/question.ts";

/** A row that a question was compared with. */
export interface FoundRow extends CitedRow {
  endMs: number;
  /** Higher is better; comparable within one question. */
  score: number;
  /** False for the rows around a hit. */
  isHit: boolean;
}

export type CandidateRow = Omit<FoundRow, "score" | "isHit">;

/** A term of a question as it is looked for in rows. */
export interface RankTerm {
  kind: "word" | "cjk";
  /** In normal form. */
  text: string;
  weight: number;
  /** Of a word: what its forms begin with, in any language. */
  begins: readonly string[];
}

interface Question {
  terms: readonly RankTerm[];
  /** Normalized pairs of neighbouring words. */
  phrases: readonly string[];
}

const rowsMax = 60;
/** Rows before and after a hit. */
export const rowsAround = 2;
/** Shares of a term's weight: in a row one or two away, and in the title. */
const neighbourShares = [0.4, 0.2];
const titleShare = 0.2;
/** Factors of a number's weight, and of the mean weight for a phrase. */
const numberFactor = 1.5;
const phraseFactor = 0.5;
/** A row with less than this share of the best score is no hit. */
const leastShare = 0.1;

/** Endings of English words after their stem, with or without a doubled consonant before. */
const englishEnding =
  /^[a-z]?(?:e|es|ed|en|er|ers|ing|ings|s|ly|al|ally|ion|ions|ation|ations|ive|able|ible|ment|ments|ness|y|ies|ied|ity|ities|ance|ence|ic|ics|ical|ize|izes|ized|izing|ise|ises|ised|ising|or|ors|ist|ists|ism)?$/;
/** Letters that other languages add to a stem. */
const endingMaxLength = 4;

const marks = /[\u0300-\u036f]/g;
/** Without the marks of Latin letters, which stems lack. */
export const foldMarks = (text: string): string =>
  /[\u00c0-\u024f]/.test(text) ? normalize(text, "NFD").replace(marks, "").normalize("NFC") : text;

const isLetter = (unit: string | undefined) => unit !== undefined && /[\p{L}\p{N}]/u.test(unit);
const letters = /[\p{L}\p{N}]*/uy;

/** Whether `text` has a word that is a form of `term`. Words of other scripts than Latin may have a prefix. */
function hasWord(text: string, { text: word, begins }: RankTerm): boolean {
  for (const begin of begins) {
    const isLatin = /^[a-z\d]/.test(begin);
    for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
      if (!isLatin) return true;
      if (isLetter(text[at - 1])) continue;
      letters.lastIndex = at;
      const [found = ""] = letters.exec(text) ?? [];
      const ending = found.slice(begin.length);
      if (found === word || englishEnding.test(ending)) return true;
      if (!/\d/.test(begin) && begin.length > 3 && ending.length <= endingMaxLength) return true;
    }
  }
  return false;
}

const hasTerm = (text: string, term: RankTerm) =>
  term.kind === "cjk" ? text.includes(term.text) : hasWord(text, term);

const toComparable = (text: string) => foldMarks(toNormalForm(text));

interface ComparedRow {
  row: CandidateRow;
  /** Whether original or translation has the term, by its index. */
  has: boolean[];
  score: number;
}

const getWeight = ({ text, weight }: RankTerm) =>
  /\d/.test(text) ? numberFactor * weight : weight;

/** Compares the rows of one lecture, in order. */
function compareLecture(
  rows: readonly CandidateRow[],
  { terms, phrases }: Question,
): ComparedRow[] {
  const title = toComparable(rows[0]?.title ?? "");
  const titleHas = terms.map((term) => hasTerm(title, term));
  const meanWeight = terms.reduce((sum, term) => sum + term.weight, 0) / Math.max(terms.length, 1);
  const compared = rows.map((row) => {
    const text = `${toComparable(row.original)}\n${toComparable(row.translated)}`;
    const found = phrases.filter((phrase) => text.includes(phrase)).length;
    return {
      row,
      has: terms.map((term) => hasTerm(text, term)),
      score: phraseFactor * meanWeight * found,
    };
  });
  for (const [at, one] of compared.entries()) {
    if (!one.has.includes(true)) continue;
    for (const [n, term] of terms.entries()) {
      const isIn = (distance: number) =>
        [at - distance, at + distance].some(
          (other) =>
            compared[other]?.has[n] &&
            Math.abs((compared[other]?.row.position ?? 0) - one.row.position) === distance,
        );
      const near = neighbourShares.findIndex((_, step) => isIn(step + 1));
      const share = one.has[n]
        ? 1
        : Math.max(neighbourShares[near] ?? 0, titleHas[n] ? titleShare : 0);
      one.score += share * getWeight(term);
    }
  }
  return compared;
}

/**
 * The rows that fit the question best with the rows around them, at most 60: groups of neighbours, the best first, each
 * in order.
 *
 * @param rows in any order; the same row may be there more than once
 */
export function rankRows(rows: readonly CandidateRow[], question: Question): FoundRow[] {
  const lectures = Map.groupBy(rows, ({ lectureId }) => lectureId);
  const compared = new Map<string, ComparedRow>();
  for (const all of lectures.values()) {
    const distinct = [...new Map(all.map((row) => [row.position, row])).values()].sort(
      (a, b) => a.position - b.position,
    );
    for (const one of compareLecture(distinct, question)) compared.set(getKey(one.row), one);
  }
  const best = [...compared.values()]
    .filter(({ has }) => has.includes(true))
    .sort((a, b) => b.score - a.score || (getKey(a.row) < getKey(b.row) ? -1 : 1));
  if (best.length === 0) return listFirst(compared, question);
  const least = leastShare * (best[0]?.score ?? 0);
  return groupRows(
    best.filter(({ score }) => score >= least),
    compared,
  );
}

/** The first rows of lectures of which the title has one of the terms, or several. */
function listFirst(compared: ReadonlyMap<string, ComparedRow>, { terms }: Question): FoundRow[] {
  const getScore = ({ title }: CandidateRow) =>
    terms.reduce((sum, term) => sum + (hasTerm(toComparable(title), term) ? term.weight : 0), 0);
  return [...compared.values()]
    .map(({ row }) => ({ ...row, score: titleShare * getScore(row), isHit: false }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, rowsMax);
}

const getKey = ({ lectureId, position }: { lectureId: string; position: number }) =>
  `${lectureId} ${position}`;

/** Takes the hits with the rows around them, while there is room. */
function groupRows(
  hits: readonly ComparedRow[],
  compared: ReadonlyMap<string, ComparedRow>,
): FoundRow[] {
  const taken = new Map<string, FoundRow>();
  for (const { row, score } of hits) {
    const around = Array.from(
      { length: 2 * rowsAround + 1 },
      (_, n) => row.position + n - rowsAround,
    )
      .map((position) => compared.get(getKey({ lectureId: row.lectureId, position })))
      .filter((one) => one !== undefined);
    const added = around.filter((one) => !taken.has(getKey(one.row)));
    if (taken.size + added.length > rowsMax) break;
    for (const one of added)
      taken.set(getKey(one.row), { ...one.row, score: one.score, isHit: false });
    taken.set(getKey(row), { ...row, score, isHit: true });
  }
  // The best row of a group was taken first.
  const groups: FoundRow[][] = [];
  const done = new Set<string>();
  for (const row of taken.values()) {
    if (done.has(getKey(row))) continue;
    const group = [row];
    for (const step of [-1, 1])
      for (let at = row.position + step; ; at += step) {
        const next = taken.get(getKey({ lectureId: row.lectureId, position: at }));
        if (!next) break;
        group.push(next);
      }
    group.sort((a, b) => a.position - b.position);
    for (const one of group) done.add(getKey(one));
    groups.push(group);
  }
  return groups.flat();
}
