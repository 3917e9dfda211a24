import { listComparable } from "#shared/word-units.ts";
import { isUnspaced } from "#shared/words.ts";

/** Finds the sentence at which the speaker comes to each page of a file, by the words that both have. */

/** Sentences are joined to at most so many windows: the work is bounded by this times the number of pages. */
const windowsMax = 2_000;
/** A word of more pages tells nothing. */
const commonPart = 0.3;
const commonPages = 3;
/** Words of a page that count. */
const pageWordsMax = 400;
/** What another page costs, in units of a rare word: less forwards than backwards, and more if pages are left out. */
const nextCost = 1.2;
const skipCost = 2;
const backCost = 4;
/** Evidence that a page needs, in the same units: two rare words. */
const evidenceMin = 1.6;

/** Words, and pairs of letters in scripts without spaces. */
function listKeys(text: string): Set<string> {
  const units = listComparable(text);
  const keys = new Set<string>();
  for (const [at, unit] of units.entries()) {
    if (!isUnspaced(unit)) {
      if (unit.length > 2) keys.add(unit);
      continue;
    }
    const next = units[at + 1];
    if (next !== undefined && isUnspaced(next)) keys.add(unit + next);
  }
  return keys;
}

const isCommon = (count: number, pages: number) =>
  count > commonPages && count > commonPart * pages;

/** How much each page has of the words of each window: 1 for a word that only one page has. */
function weigh(pages: readonly string[], windows: readonly string[]): Float32Array[] {
  const places = new Map<string, number[]>();
  for (const [page, text] of pages.entries())
    for (const key of [...listKeys(text)].slice(0, pageWordsMax)) {
      const found = places.get(key) ?? [];
      places.set(key, found);
      found.push(page);
    }
  const keys = windows.map((text) => [...listKeys(text)].filter((key) => places.has(key)));
  const counts = new Map<string, number>();
  for (const key of keys.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keys.map((found) => {
    const weights = new Float32Array(pages.length);
    for (const key of found) {
      const on = places.get(key) ?? [];
      if (isCommon(on.length, pages.length)) continue;
      // Rare on the pages, and rare in what is said.
      const said = Math.log(1 + windows.length / (counts.get(key) ?? 1));
      const weight = said / Math.log(1 + windows.length) / on.length;
      for (const page of on) weights[page] = (weights[page] ?? 0) + weight;
    }
    return weights;
  });
}

/**
 * For each page in its order, the index of the sentence at which it is first spoken of. A page of which nothing was said
 * stands with the one before it, if a later one was spoken of; otherwise it has null. Speakers go forwards, leave out pages
 * and sometimes go back.
 */
export function alignPages(
  pages: readonly string[],
  sentences: readonly string[],
): (number | null)[] {
  if (pages.length === 0 || sentences.length === 0) return pages.map(() => null);
  const size = Math.ceil(sentences.length / windowsMax);
  const windows: string[] = [];
  for (let from = 0; from < sentences.length; from += size)
    windows.push(sentences.slice(from, from + size).join("\n"));
  const weights = weigh(pages, windows);
  return fill(findStarts(weights, pages.length, windows.length), size);
}

/** For each page the first window that has it on the best way through all pages; -1: none. */
function findStarts(weights: readonly Float32Array[], pages: number, windows: number): number[] {
  let best = new Float32Array(pages);
  const before: Int16Array[] = [];
  for (const weight of weights) {
    const next = new Float32Array(pages);
    const from = new Int16Array(pages);
    const after = listBestAfter(best);
    let leftBest = 0;
    for (let page = 0; page < pages; page += 1) {
      let score = best[page] ?? 0;
      from[page] = page;
      const take = (other: number, cost: number) => {
        const changed = (best[other] ?? 0) - cost;
        if (other < 0 || other >= pages || changed <= score) return;
        score = changed;
        from[page] = other;
      };
      take(page - 1, nextCost);
      if (page > 0) {
        take(leftBest, skipCost);
        if ((best[page] ?? 0) > (best[leftBest] ?? 0)) leftBest = page;
      }
      take(after[page] ?? -1, backCost);
      next[page] = score + (weight[page] ?? 0);
    }
    best = next;
    before.push(from);
  }
  const starts = new Array<number>(pages).fill(-1);
  const evidence = new Float32Array(pages);
  let page = best.indexOf(Math.max(...best));
  for (let window = windows - 1; window >= 0; window -= 1) {
    const weight = weights[window]?.[page] ?? 0;
    // It begins where it is first spoken of, not with the silence before.
    if (weight > 0) starts[page] = window;
    evidence[page] = (evidence[page] ?? 0) + weight;
    page = before[window]?.[page] ?? page;
  }
  return starts.map((start, at) => ((evidence[at] ?? 0) >= evidenceMin ? start : -1));
}

/** For each page the best one behind it; -1 for the last. */
function listBestAfter(best: Float32Array): Int16Array {
  const after = new Int16Array(best.length);
  let found = -1;
  for (let page = best.length - 1; page >= 0; page -= 1) {
    after[page] = found;
    if (found === -1 || (best[page] ?? 0) >= (best[found] ?? 0)) found = page;
  }
  return after;
}

function fill(starts: readonly number[], size: number): (number | null)[] {
  const last = starts.findLastIndex((start) => start !== -1);
  let place = 0;
  return starts.map((start, page) => {
    if (start !== -1) place = start * size;
    return page <= last ? place : null;
  });
}
