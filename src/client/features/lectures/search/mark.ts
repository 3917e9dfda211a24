import {
  normalForm,
  parseTerms,
  prefixMinLength,
  type Term,
  termsIn,
} from "../../../../shared/search-terms.ts";
import { stem } from "./stem.ts";

/** A piece of a text; `hit` where a word of the query stands in it. */
export interface Piece {
  text: string;
  hit: boolean;
}

/** Words that Postgres's `english` configuration leaves out. */
const stopWords = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her " +
    "hers herself it its itself they them their theirs themselves what which who whom this that these " +
    "those am is are was were be been being have has had having do does did doing a an the and but if or " +
    "because as until while of at by for with about against between into through during before after " +
    "above below to from up down in out on off over under again further then once here there when where " +
    "why how all any both each few more most other some such no nor not only own same so than too very s t " +
    "can will just don should now"
  ).split(" "),
);

/** How a word of a text is indexed; words with digits are left as they are. */
const lexemeOf = (word: string) => (/\p{N}/u.test(word) ? word : stem(word));

/** Where in a text the words of a query are looked for. */
export type Finder = (text: string) => Span[];

/** A word that was found: UTF-16 units of the text, and which word of the query it is. */
interface Span {
  from: number;
  to: number;
  term: number;
}

/** Letters with their marks, so that what is composed in the normal form comes from one place. */
const clusters =
  /[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]*|[\p{M}\uff9e\uff9f]+/gsu;

/** The normal form of `text`, and for each of its units where in `text` it comes from. */
function normalised(text: string): { normal: string; starts: number[]; ends: number[] } {
  let normal = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    const form = normalForm(cluster);
    for (let unit = 0; unit < form.length; unit += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
    normal += form;
  }
  return { normal, starts, ends };
}

/** Every place of `needle` in `run`, also where they overlap. */
function placesOf(needle: string, run: string): number[] {
  const places: number[] = [];
  for (let at = run.indexOf(needle); at >= 0; at = run.indexOf(needle, at + 1)) places.push(at);
  return places;
}

type Wanted = Term & { stem: string };

function isFound(wanted: Wanted, lexeme: string): boolean {
  if (wanted.kind === "cjk") return false;
  if (wanted.stem === lexeme) return true;
  return Array.from(wanted.text).length >= prefixMinLength && lexeme.startsWith(wanted.text);
}

/**
 * Finds the words of `query` as the server does: English by stems and by beginnings of three letters and
 * more, Chinese, Japanese and Korean as they stand. A query of stop words alone finds nothing.
 */
export function finderOf(query: string): Finder {
  const wanted = parseTerms(query)
    .filter(({ text }) => !stopWords.has(text))
    .map((term): Wanted => ({ ...term, stem: term.kind === "word" ? stem(term.text) : "" }));
  if (wanted.length === 0) return () => [];

  return (text) => {
    const { normal, starts, ends } = normalised(text);
    const spans: Span[] = [];
    const add = (at: number, length: number, term: number) =>
      spans.push({
        from: starts[at] ?? 0,
        to: ends[at + length - 1] ?? text.length,
        term,
      });
    for (const { kind, text: part, index } of termsIn(normal)) {
      if (kind === "cjk") {
        for (const [term, { kind: of, text: needle }] of wanted.entries())
          if (of === "cjk")
            for (const at of placesOf(needle, part)) add(index + at, needle.length, term);
      } else if (!stopWords.has(part)) {
        const lexeme = lexemeOf(part);
        for (const [term, one] of wanted.entries())
          if (isFound(one, lexeme)) add(index, part.length, term);
      }
    }
    return spans.sort((a, b) => a.from - b.from || a.to - b.to);
  };
}

/** `text` cut where `find` finds something; the pieces together are the text. */
export function pieces(text: string, find: Finder): Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  const add = (to: number, hit: boolean) => {
    const last = cut.at(-1);
    const piece = text.slice(at, to);
    at = Math.max(at, to);
    if (piece === "") return;
    if (last?.hit === hit) last.text += piece;
    else cut.push({ text: piece, hit });
  };
  for (const { from, to } of find(text)) {
    if (from > at) add(from, false);
    if (to > at) add(to, true);
  }
  add(text.length, false);
  return cut;
}

/** The index of the text in which most words of the query stand, the first of several; -1 for none. */
export function bestOf(texts: readonly string[], find: Finder): number {
  let best = -1;
  let most = 0;
  for (const [index, text] of texts.entries()) {
    const words = new Set(find(text).map(({ term }) => term)).size;
    if (words > most) [best, most] = [index, words];
  }
  return best;
}
