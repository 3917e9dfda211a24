import type { FilePage, FileText } from "#client/features/glossary/files/file-text.ts";
import { getTermKey } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { proposalTextMaxLength } from "#shared/limits.ts";
import { findSentences } from "#shared/sentences.ts";
import { createTermFinder } from "#shared/term-occurrence.ts";
import { unspacedScripts } from "#shared/words.ts";

/** A part of a file that the model gets in one call. */
export interface Piece {
  text: string;
  /** Those that it has text of, whole or in part. */
  pages: readonly FilePage[];
}

const separator = "\n\n";

/** Consecutive pieces of at most `maxLength` characters, divided between pages, or between a page's lines or words. */
export function splitPieces(
  pages: readonly FilePage[],
  maxLength: number = proposalTextMaxLength,
): Piece[] {
  const pieces: { text: string; pages: FilePage[] }[] = [];
  for (const page of pages)
    for (const part of splitPage(page.text, maxLength)) {
      const last = pieces.at(-1);
      if (last && last.text.length + separator.length + part.length <= maxLength) {
        last.text += separator + part;
        if (last.pages.at(-1) !== page) last.pages.push(page);
      } else pieces.push({ text: part, pages: [page] });
    }
  return pieces;
}

function splitPage(text: string, maxLength: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > maxLength) {
    const beginning = rest.slice(0, maxLength);
    const line = beginning.lastIndexOf("\n");
    const space = Math.max(beginning.lastIndexOf(" "), beginning.lastIndexOf("。") + 1);
    const end = line > maxLength / 2 ? line : space > maxLength / 2 ? space : maxLength;
    parts.push(rest.slice(0, end).toWellFormed().trim());
    rest = rest.slice(end).trim();
  }
  return [...parts, rest].filter((part) => part !== "");
}

/** Where a term is said first. */
export interface TermPlace {
  page: number;
  /** In the page's text; only to compare places. */
  index: number;
  sentence: string;
}

/** The end of a line that may divide a term of a script without spaces between words. */
const bareLineEnd = new RegExp(`(?<=[${unspacedScripts}])\\n(?=[${unspacedScripts}])`, "gu");

/** Characters of a sentence that are shown, around the term. */
const shownLength = 180;

/** Sentences of a page that are looked at one by one; what follows counts as one. More are on no page. */
const sentencesMax = 20_000;

/** How a file is written. */
type Writing = Pick<FileText, "isWrapped"> & { language: SpokenLanguage };

interface IndexedPage {
  number: number;
  key: string;
  has(term: string): boolean;
  /** The text of the sentence that has `term`, which the page has. */
  findSentence(term: string): string;
}

/**
 * A function that finds a term in some pages of a file; null where it does not occur. A page is indexed once, also when
 * many pieces of the file have a part of it.
 *
 * @param writing `isWrapped`: lines end anywhere in a sentence, as in a PDF file
 */
export function createPlaceFinder(
  writing: Writing,
): (term: string, pages: readonly FilePage[]) => TermPlace | null {
  const asWritten = createFinder(writing, (text) => text);
  if (!writing.isWrapped) return asWritten;
  const joined = createFinder(writing, (text) => text.replaceAll(bareLineEnd, ""));
  return (term, pages) => asWritten(term, pages) ?? joined(term, pages);
}

function createFinder(
  writing: Writing,
  edit: (text: string) => string,
): (term: string, pages: readonly FilePage[]) => TermPlace | null {
  const indexed = new Map<FilePage, IndexedPage>();
  const getIndexed = (page: FilePage): IndexedPage => {
    const known = indexed.get(page) ?? indexPage(page.number, edit(page.text), writing);
    indexed.set(page, known);
    return known;
  };
  return (term, pages) => {
    for (const page of pages) {
      const { number, key, has, findSentence } = getIndexed(page);
      if (!has(term)) continue;
      const index = key.indexOf(getTermKey(term));
      return { page: number, index, sentence: cutAround(findSentence(term), term) };
    }
    return null;
  };
}

function indexPage(number: number, text: string, writing: Writing): IndexedPage {
  let sentences: { text: string; has(term: string): boolean }[] | undefined;
  return {
    number,
    key: getTermKey(text),
    has: createTermFinder(text),
    findSentence(term) {
      sentences ??= listSentences(text, writing).map((sentence) => ({
        text: sentence,
        has: createTermFinder(sentence),
      }));
      return sentences.find(({ has }) => has(term))?.text ?? text.replaceAll("\n", " ");
    },
  };
}

function listSentences(text: string, { isWrapped, language }: Writing): string[] {
  const lines = isWrapped ? [text.replaceAll("\n", " ")] : text.split("\n");
  const sentences = lines.flatMap((line) =>
    findSentences(line, language).map(({ from, to }) => line.slice(from, to)),
  );
  const rest = sentences.splice(sentencesMax);
  return rest.length > 0 ? [...sentences, rest.join(" ")] : sentences;
}

/** The part of a long sentence around `term`. */
export function cutAround(sentence: string, term: string): string {
  if (sentence.length <= shownLength) return sentence;
  const at = Math.max(0, sentence.toLowerCase().indexOf(term.toLowerCase()));
  const from = Math.max(0, Math.min(at - shownLength / 3, sentence.length - shownLength));
  const start = from === 0 ? 0 : sentence.indexOf(" ", from) + 1 || Math.ceil(from);
  const space = sentence.lastIndexOf(" ", from + shownLength);
  const to = from + shownLength >= sentence.length ? sentence.length : space;
  const end = to > at + term.length ? to : Math.max(at + term.length, start + shownLength);
  const part = sentence.slice(Math.min(start, at), end).toWellFormed().trim();
  return `${Math.min(start, at) > 0 ? "…" : ""}${part}${end < sentence.length ? "…" : ""}`;
}
