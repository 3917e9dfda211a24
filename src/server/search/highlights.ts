import type { MarkedText } from "#shared/search.ts";
import { findTerms, type Term, toNormalForm } from "./parse-query.ts";

/** What of a query stands in a text, in normal form: whole words, and CJK runs. */
export interface Matches {
  words: ReadonlySet<string>;
  runs: readonly string[];
}

/** `headline` is a text in which Postgres put `<` and `>` around each word that `terms` match, and no others. */
export const toMatches = (terms: readonly Term[], headline: string | null): Matches => ({
  words: new Set(
    Array.from((headline ?? "").matchAll(/<([^<>]*)>/g), ([, word = ""]) => toNormalForm(word)),
  ),
  runs: terms.filter(({ kind }) => kind === "cjk").map(({ text }) => text),
});

/**
 * Letters with their marks, so that what is composed in the normal form comes from one place; runs of ASCII
 * and Han, of which each character has a normal form of the same length, at once.
 */
const clusters =
  /(?<plain>[ -~\u3400-\u9fff]+(?![\p{M}\uff9e\uff9f]))|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]*|[\p{M}\uff9e\uff9f]+/gsu;

/** The normal form of `text`, and for each of its UTF-16 units where in `text` it comes from. */
function normalizeWithOffsets(text: string): { normal: string; starts: number[]; ends: number[] } {
  let normal = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index, groups } of text.matchAll(clusters)) {
    const form = groups?.plain?.toLowerCase() ?? toNormalForm(cluster);
    for (let unit = 0; unit < form.length; unit += 1) {
      starts.push(groups?.plain ? index + unit : index);
      ends.push(groups?.plain ? index + unit + 1 : index + cluster.length);
    }
    normal += form;
  }
  return { normal, starts, ends };
}

/** Every place of `needle` in `run`, also where they overlap. */
function findAll(needle: string, run: string): number[] {
  const places: number[] = [];
  for (let at = run.indexOf(needle); at >= 0; at = run.indexOf(needle, at + 1)) places.push(at);
  return places;
}

/** `text` with what `matches` says marked in it; the pieces together are the text. */
export function markMatches(text: string, { words, runs }: Matches): MarkedText {
  const { normal, starts, ends } = normalizeWithOffsets(text);
  const spans: [from: number, to: number][] = [];
  const add = (at: number, length: number) =>
    spans.push([starts[at] ?? 0, ends[at + length - 1] ?? text.length]);
  for (const { kind, text: part, index } of findTerms(normal)) {
    if (kind === "word" && words.has(part)) add(index, part.length);
    if (kind === "cjk")
      for (const run of runs) for (const at of findAll(run, part)) add(index + at, run.length);
  }
  const pieces: MarkedText = [];
  let [begin, end] = [0, 0];
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    if (from > end || pieces.length === 0) {
      if (pieces.length > 0) pieces.push(text.slice(begin, end));
      pieces.push(text.slice(end, from));
      begin = from;
    }
    end = Math.max(end, to);
  }
  if (pieces.length > 0) pieces.push(text.slice(begin, end));
  return [...pieces, text.slice(end)];
}
