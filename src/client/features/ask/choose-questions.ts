import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { findWithIndex } from "#shared/find-terms.ts";
import { type GlossaryTerm, getTermKey } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { Mark } from "#shared/lecture.ts";
import { finishInSlices } from "#shared/slices.ts";
import { TermIndex } from "#shared/term-index.ts";

/** A first question of a lecture, before it is put into words. */
export type FirstQuestion =
  /** What is it? */
  | { kind: "term"; term: string }
  /** What does this sentence mean? It is spoken at `ms` of the lecture's clock. */
  | { kind: "mark"; ms: number; sentence: string }
  /** What is said of it? */
  | { kind: "words"; words: string };

const questionsMax = 4;
const termsMax = 2;
/** Characters of a marked sentence. A longer one is no question that a person reads. */
const sentenceMaxLength = 90;

type SpokenRow = Pick<TranscriptRow, "ordinal" | "original" | "startMs" | "endMs">;

/**
 * Questions that `rows` can answer, without a model: on terms of the glossary that occur in them, on a marked sentence,
 * and on frequent words. At most four.
 *
 * @param frequent the words that `rows` repeat, without those that every text has
 * @param language what is spoken most
 */
export async function chooseQuestions(
  rows: readonly SpokenRow[],
  terms: readonly Pick<GlossaryTerm, "term">[],
  marks: readonly Pick<Mark, "atMs" | "position">[],
  frequent: readonly string[],
  language: SpokenLanguage,
): Promise<FirstQuestion[]> {
  if (rows.length === 0) return [];
  const text = rows.map(({ original }) => original).join("\n");
  const pairs = terms.map(({ term }) => ({ source: term, target: "" }));
  const said = new Set(
    await finishInSlices(findWithIndex(text, new TermIndex(pairs, language), Infinity)),
  );
  const found = pairs
    .filter((pair) => said.has(pair))
    .slice(0, termsMax)
    .map(({ source: term }) => ({ term }));
  const marked = marks
    .map(({ atMs, position }) =>
      position === null
        ? rows.findLast(({ startMs, endMs }) => startMs <= atMs && atMs <= endMs)
        : rows.find(({ ordinal }) => ordinal === position),
    )
    .find((row) => row !== undefined && row.original.length <= sentenceMaxLength);
  const chosen: FirstQuestion[] = [
    ...found.map(({ term }): FirstQuestion => ({ kind: "term", term })),
    ...(marked
      ? [{ kind: "mark" as const, ms: marked.startMs, sentence: marked.original.trim() }]
      : []),
  ];
  const known = found.map(({ term }) => getTermKey(term));
  const others = frequent
    .filter((words) => !endsInShortWord.test(words))
    .filter((words) => !known.some((term) => term.includes(getTermKey(words))))
    .map((words) => ({ words, count: text.split(words).length }))
    .sort((a, b) => b.count - a.count)
    .map(({ words }) => words)
    .filter((words, at, all) => !all.slice(0, at).some((better) => isSame(words, better)))
    .map((words): FirstQuestion => ({ kind: "words", words }));
  return [...chosen, ...others].slice(0, questionsMax);
}

/** Such as "angle of". */
const endsInShortWord = /\s\p{Ll}{1,2}$/u;

/** One of them has the other. */
const isSame = (one: string, other: string): boolean => {
  const [a, b] = [getTermKey(one), getTermKey(other)];
  return a.includes(b) || b.includes(a);
};
