import type { MarkedText } from "#shared/search.ts";
import { findTerms, type Term, toNormalForm } from "./parse-query.ts";

/** The parts of a query that were found, in normal form: whole words, and CJK runs. */
export interface Matches {
  words: ReadonlySet<string>;
  runs: readonly string[];
}

/** `headline` is a text with `<` and `>` around each word that matches `terms`. */
export const toMatches = (terms: readonly Term[], headline: string | null): Matches => ({
  words: new Set(
    Array.from((headline ?? "").matchAll(/<([^<>]*)>/g), ([, word = ""]) => toNormalForm(word)),
  ),
  runs: terms.filter(({ kind }) => kind === "cjk").map(({ text }) => text),
});

/**
 * Letters with their marks, which the normal form may combine; and runs of ASCII and Han, whose characters all have
 * a normal form of the same length.
 */
const clusters =
  /(?<plain>[ -~\u3400-\u9fff]+(?![\p{M}\uff9e\uff9f]))|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]*|[\p{M}\uff9e\uff9f]+/gsu;

/** The normal form of `text`, and the range in `text` for each of its UTF-16 units. */
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

/** The indexes of `needle` in `run`, overlapping ones included. */
function findAll(needle: string, run: string): number[] {
  const indexes: number[] = [];
  for (let i = run.indexOf(needle); i >= 0; i = run.indexOf(needle, i + 1)) indexes.push(i);
  return indexes;
}

/** Splits `text` into pieces; those at odd indexes are matches. */
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
