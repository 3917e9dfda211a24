import { type GlossaryTerm, listTermPairs, type TermPair } from "./glossary.ts";
import type { SpokenLanguage } from "./languages.ts";
import { termsPerTextMax } from "./limits.ts";
import { finish, finishInSlices, type SlicedWork, sliceSteps } from "./slices.ts";
import { type Ending, TermIndex } from "./term-index.ts";
import { readTextWords } from "./term-words.ts";
import { type TranslationPair, toPairKey } from "./translation-pairs.ts";

/** A term that ends at a word; further, shorter ones do not count. */
const matchesPerWordMax = 16;
/** Words of a span, see `findInText`. */
const spanMax = 500;
/** Paths of a state, see `State`: more than the words of a term, which each may begin another one. */
const weightMax = 256;

interface Match extends Ending {
  /** Indexes of words in the span. */
  from: number;
  to: number;
}

/**
 * The agreed pairs whose term occurs in `text`, in the order of the text: in any of its forms (see `listFormKeys`), with
 * or without capitals, hyphens and full width. A term inside a longer one does not count. The first `max` of them.
 *
 * The index of `pairs` is kept with the list: pass the same one for each sentence.
 *
 * @example findTerms("Two vectors are equal.", [{ source: "vector", target: "向量" }], "en") // that pair
 */
export function findTerms(
  text: string,
  pairs: readonly TermPair[],
  language: SpokenLanguage,
  max = termsPerTextMax,
): TermPair[] {
  return pairs.length === 0 ? [] : finish(findWithIndex(text, getIndex(pairs, language), max));
}

const indexes = new WeakMap<readonly TermPair[], Map<SpokenLanguage, TermIndex>>();

/** The index of `pairs`, which is built once for each list and language. */
function getIndex(pairs: readonly TermPair[], language: SpokenLanguage): TermIndex {
  const byLanguage = indexes.get(pairs) ?? new Map<SpokenLanguage, TermIndex>();
  indexes.set(pairs, byLanguage);
  const index = byLanguage.get(language) ?? new TermIndex(pairs, language);
  byLanguage.set(language, index);
  return index;
}

/** Builds the index of `pairs` in slices, before `findTerms` has to build it at once. */
export const prepareTerms = (pairs: readonly TermPair[], language: SpokenLanguage): Promise<void> =>
  finishInSlices(getIndex(pairs, language).build());

/** The same as `findTerms`, with an index that may not be built yet. */
export function* findWithIndex(
  text: string,
  index: TermIndex,
  max = termsPerTextMax,
): SlicedWork<TermPair[]> {
  yield* index.build();
  return yield* findInText(text, index, max);
}

/**
 * Reads a text span by span: no term of one reaches into the next. A span is some words long, unless a text is
 * made to have longer ones.
 */
function* findInText(text: string, index: TermIndex, max: number): SlicedWork<TermPair[]> {
  const found = new Set<TermPair>();
  /** Of the span: whether a term may begin with a word. */
  let canBegin: boolean[] = [];
  let matches: Match[] = [];
  let state = index.start;
  let paused = index.steps;
  const endSpan = () => {
    for (const { pair } of selectLongest(matches)) if (found.size < max) found.add(pair);
    canBegin = [];
    matches = [];
  };
  for (const word of readTextWords(text, index.language)) {
    state = index.advance(state, word);
    if (index.steps - paused >= sliceSteps) {
      yield;
      paused = index.steps;
    }
    if (state.depth < 2 || state.weight > weightMax || canBegin.length === spanMax) {
      endSpan();
      if (found.size >= max) break;
      index.limitCache();
      state = index.advance(index.start, word);
    }
    const to = canBegin.push(word.canBegin);
    if (!word.canEnd) continue;
    let ending = state.ending ? state : state.shorterEnding;
    for (let count = 0; ending?.ending && count < matchesPerWordMax; count += 1) {
      index.steps += 1;
      const from = to - ending.depth;
      if (canBegin[from]) matches.push({ ...ending.ending, from, to });
      ending = ending.shorterEnding;
    }
  }
  endSpan();
  return [...found];
}

/**
 * Of matches that overlap the longest, of equally long ones that with the very word; in the order of the text. `matches`
 * are in the order of their ends.
 */
function selectLongest(matches: readonly Match[]): readonly Match[] {
  if (matches.length < 2) return matches;
  const groups: Match[][] = [];
  for (const match of matches) {
    const rank = 2 * (match.to - match.from) + Number(match.isExact);
    const group = groups[rank];
    if (group) group.push(match);
    else groups[rank] = [match];
  }
  const covered = new Set<number>();
  const taken: Match[] = [];
  for (const group of groups.toReversed())
    for (const match of group ?? []) {
      // What covers a part of it is at least as long, and covers one of its ends.
      if (covered.has(match.from) || covered.has(match.to - 1)) continue;
      for (let at = match.from; at < match.to; at += 1) covered.add(at);
      taken.push(match);
    }
  return taken.sort((a, b) => a.from - b.from);
}

/** Finds a glossary's agreed translations, for any languages. */
export class TermFinder {
  readonly #pairs = new Map<string, readonly TermPair[]>();

  constructor(private readonly terms: readonly GlossaryTerm[]) {}

  /** Those whose term occurs in `text`: see `findTerms`. */
  find({ text, ...pair }: TranslationPair & { text: string }, max?: number): TermPair[] {
    return findTerms(text, this.#getPairs(pair), pair.sourceLanguage, max);
  }

  /** The same in slices, between which the page stays responsive. */
  async findInSlices(
    { text, ...pair }: TranslationPair & { text: string },
    max?: number,
  ): Promise<TermPair[]> {
    const pairs = this.#getPairs(pair);
    if (pairs.length === 0) return [];
    return finishInSlices(findWithIndex(text, getIndex(pairs, pair.sourceLanguage), max));
  }

  #getPairs(pair: TranslationPair): readonly TermPair[] {
    const key = toPairKey(pair);
    const pairs =
      this.#pairs.get(key) ?? listTermPairs(this.terms, pair.sourceLanguage, pair.targetLanguage);
    this.#pairs.set(key, pairs);
    return pairs;
  }
}

const finders = new WeakMap<readonly GlossaryTerm[], TermFinder>();

/** The finder of a list of terms, one as long as the list is in use. */
export function getTermFinder(terms: readonly GlossaryTerm[]): TermFinder {
  const finder = finders.get(terms) ?? new TermFinder(terms);
  finders.set(terms, finder);
  return finder;
}
