import type { TermPair } from "./glossary.ts";
import type { SpokenLanguage } from "./languages.ts";
import { termTranslationMaxLength } from "./limits.ts";
import { type SlicedWork, sliceSteps } from "./slices.ts";
import { listTermKeys, listTextKeys, readWords, type Word } from "./term-words.ts";

/**
 * Finds the terms of a list in texts: a tree of the terms' words, and on it the automaton of Aho and Corasick, whose
 * states are made when a text first needs them. A word of a text may be a form of several words, so that a state stands
 * for several nodes of the tree.
 *
 * Everything is bounded, so that a word of a text costs a bounded number of steps, whatever the terms are. No glossary
 * that somebody uses comes near to the bounds.
 */

/** Nodes of the tree and keys of its words; terms behind them are not found. About 100 bytes each. */
export const indexSizeMax = 200_000;
/** States and words of texts that are kept. */
const cacheMax = 16_384;
/** Words of terms that one word of a text is taken for. */
const formsMax = 8;
/** Nodes to which the last words may lead. */
const pathsMax = 8;
/** Terms that differ in what stands between two words alone: "TCP/IP" and "TCP, IP". */
const gapsMax = 8;
/** Longer words are in no term. */
const wordMaxLength = termTranslationMaxLength;
const wordsPerTermMax = termTranslationMaxLength;
/** More than there are gaps: a factor. */
const gapFactor = 2 ** 20;
/** More than there are words: a factor. */
const wordFactor = 2 ** 24;
/** Of finding out the forms of a word, about. */
const formSteps = 40;

/** A word of texts. Words with the same forms are one. */
interface KnownWord {
  id: number;
  forms: readonly Form[];
}

/** A word of terms that a word of a text may be. */
interface Form {
  word: number;
  /** It is the very word, but for capitals. */
  isExact: boolean;
  rank: number;
}

/** A node of the tree to which the last words lead. */
interface Path {
  node: number;
  isExact: boolean;
  /** Of the first word's form. */
  rank: number;
}

export interface Ending {
  pair: TermPair;
  isExact: boolean;
}

export interface State {
  id: number;
  /** Words that have been read of terms. */
  depth: number;
  /** Paths of this state and of all `shorter` ones: what a next word may cost. */
  weight: number;
  paths: readonly Path[];
  /** The term that is those words; of several the one with the very words, then that of the best form. */
  ending: Ending | null;
  /** Where fewer of the last words lead; null at the start. */
  shorter: State | null;
  /** The nearest of `shorter` at which a term ends. */
  shorterEnding: State | null;
  next: Map<number, State>;
}

const createStart = (): State => ({
  id: 0,
  depth: 0,
  weight: 0,
  paths: [{ node: 0, isExact: true, rank: 0 }],
  ending: null,
  shorter: null,
  shorterEnding: null,
  next: new Map(),
});

export class TermIndex {
  start = createStart();
  /** Until now: looked-up entries of maps and the like. */
  steps = 0;
  /** Nodes, and keys of words. */
  size = 0;
  #added = 0;
  // The words of the terms, by number.
  readonly #lowers: string[] = [];
  /** By their keys, and by how they are written. */
  readonly #wordNumbers = new Map<string, number>();
  readonly #wordsByKey = new Map<string, number[]>();
  readonly #gapNumbers = new Map<string, number>();
  // The tree. Children of one node with one word differ in the gap before it, and are a list.
  readonly #firstChildren = new Map<number, number>();
  readonly #siblings = [0];
  readonly #gaps = [0];
  /** Indexes of pairs; -1 without one. */
  readonly #pairs = [-1];
  // What texts have needed so far.
  #known = new Map<string, KnownWord | null>();
  #knownByForms = new Map<string, KnownWord>();
  #states = new Map<string, State>();
  #cached = 0;
  #lastId = 0;

  constructor(
    readonly pairs: readonly TermPair[],
    readonly language: SpokenLanguage,
  ) {}

  /** Adds the pairs. Several callers may do so in turns; each continues where another one has paused. */
  *build(): SlicedWork<void> {
    let paused = this.steps;
    for (; this.#added < this.pairs.length && this.size < indexSizeMax; this.#added += 1) {
      if (this.steps - paused >= sliceSteps) {
        yield;
        paused = this.steps;
        if (this.#added >= this.pairs.length) return;
      }
      this.#add(this.#added);
    }
  }

  #add(index: number): void {
    const words: Word[] = [];
    for (const word of readWords(this.pairs[index]?.source ?? "", this.language)) {
      if (words.push(word) > wordsPerTermMax) return;
    }
    if (words.length === 0) return;
    let node = 0;
    for (const [at, word] of words.entries()) {
      const gap = at === 0 || word.isJoined ? 0 : this.#addGap(word.gap);
      node = this.#addChild(node, this.#addWord(word), gap);
      if (node === 0) return;
    }
    if (this.#pairs[node] === -1) this.#pairs[node] = index;
  }

  #addGap(gap: string): number {
    const number = this.#gapNumbers.get(gap) ?? this.#gapNumbers.size + 1;
    this.#gapNumbers.set(gap, number);
    return number;
  }

  #addWord(word: Word): number {
    this.steps += 1;
    const asWritten = ` ${word.text}`;
    const known = this.#wordNumbers.get(asWritten);
    if (known !== undefined) return known;
    const number = this.#addForms(word);
    this.#wordNumbers.set(asWritten, number);
    return number;
  }

  #addForms(word: Word): number {
    this.steps += formSteps;
    const keys = listTermKeys(word, this.language);
    const name = keys.join("\n");
    const known = this.#wordNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.#lowers.push(word.text.toLowerCase()) - 1;
    this.#wordNumbers.set(name, number);
    for (const key of new Set(keys)) {
      this.size += 1;
      const words = this.#wordsByKey.get(key);
      if (!words) this.#wordsByKey.set(key, [number]);
      else if (words.length < formsMax) words.push(number);
    }
    return number;
  }

  /** 0 if there is no room. */
  #addChild(node: number, word: number, gap: number): number {
    const key = node * wordFactor + word;
    const first = this.#firstChildren.get(key) ?? 0;
    let last = 0;
    let count = 0;
    for (let child = first; child !== 0; child = this.#siblings[child] ?? 0) {
      this.steps += 1;
      if (this.#gaps[child] === gap) return child;
      last = child;
      count += 1;
    }
    if (count === gapsMax) return 0;
    this.size += 1;
    const added = this.#siblings.push(0) - 1;
    this.#gaps.push(gap);
    this.#pairs.push(-1);
    if (last === 0) this.#firstChildren.set(key, added);
    else this.#siblings[last] = added;
    return added;
  }

  /** The state after `word` of a text. */
  advance(state: State, word: Word): State {
    this.steps += 1;
    const known = this.#getKnown(word);
    const gap = word.isJoined ? 0 : this.#gapNumbers.get(word.gap);
    if (known === null) return this.start;
    return this.#advance(gap === undefined ? this.start : state, known, gap ?? 0);
  }

  #advance(state: State, word: KnownWord, gap: number): State {
    this.steps += 1;
    const key = word.id * gapFactor + (state.shorter ? gap : 0);
    const known = state.next.get(key);
    if (known) return known;
    const shorter = state.shorter ? this.#advance(state.shorter, word, gap) : this.start;
    const paths = this.#follow(state, word, gap);
    const next = paths.length === 0 ? shorter : this.#getState(paths, state.depth + 1, shorter);
    state.next.set(key, next);
    this.#cached += 1;
    return next;
  }

  #follow(state: State, word: KnownWord, gap: number): Path[] {
    const paths: Path[] = [];
    for (const { node, isExact, rank } of state.paths)
      for (const form of word.forms) {
        this.steps += 1;
        let child = this.#firstChildren.get(node * wordFactor + form.word) ?? 0;
        for (; child !== 0; child = this.#siblings[child] ?? 0) {
          this.steps += 1;
          if (gap !== 0 && state.shorter && this.#gaps[child] !== gap) continue;
          if (paths.length === pathsMax) return paths;
          paths.push({
            node: child,
            isExact: isExact && form.isExact,
            rank: state.shorter ? rank : form.rank,
          });
        }
      }
    return paths;
  }

  #getState(paths: readonly Path[], depth: number, shorter: State): State {
    this.steps += paths.length;
    const parts = paths.map(({ node, isExact, rank }) => `${node} ${Number(isExact)} ${rank}`);
    const name = `${shorter.id} ${parts.join()}`;
    const known = this.#states.get(name);
    if (known) return known;
    this.#lastId += 1;
    const state: State = {
      id: this.#lastId,
      depth,
      weight: shorter.weight + paths.length,
      paths,
      ending: this.#findEnding(paths),
      shorter,
      shorterEnding: shorter.ending ? shorter : shorter.shorterEnding,
      next: new Map(),
    };
    this.#states.set(name, state);
    this.#cached += 1;
    return state;
  }

  #findEnding(paths: readonly Path[]): Ending | null {
    const getIndex = ({ node }: Path) => this.#pairs[node] ?? -1;
    const [best] = paths
      .filter((path) => getIndex(path) >= 0)
      .sort(
        (a, b) =>
          Number(b.isExact) - Number(a.isExact) || a.rank - b.rank || getIndex(a) - getIndex(b),
      );
    const pair = best && this.pairs[getIndex(best)];
    return pair ? { pair, isExact: best.isExact } : null;
  }

  #getKnown(word: Word): KnownWord | null {
    if (word.text.length > wordMaxLength) return null;
    const before = this.#known.get(word.text);
    if (before !== undefined) return before;
    this.steps += formSteps;
    const forms = this.#listForms(word);
    const name = forms.map((form) => `${form.word} ${form.rank} ${Number(form.isExact)}`).join();
    let known = forms.length === 0 ? null : this.#knownByForms.get(name);
    if (known === undefined) {
      this.#lastId += 1;
      known = { id: this.#lastId, forms };
      this.#knownByForms.set(name, known);
      this.#cached += 1;
    }
    this.#known.set(word.text, known);
    this.#cached += 1;
    return known;
  }

  #listForms(word: Word): Form[] {
    const lower = word.text.toLowerCase();
    const forms = new Map<number, Form>();
    for (const { key, rank } of listTextKeys(word, this.language)) {
      this.steps += 1;
      for (const number of this.#wordsByKey.get(key) ?? []) {
        this.steps += 1;
        if (forms.size === formsMax) return [...forms.values()];
        if (!forms.has(number))
          forms.set(number, { word: number, rank, isExact: this.#lowers[number] === lower });
      }
    }
    return [...forms.values()];
  }

  /** Forgets what texts have needed if it is too much. States that are in use stay valid. */
  limitCache(): void {
    if (this.#cached < cacheMax) return;
    this.start = createStart();
    this.#known = new Map();
    this.#knownByForms = new Map();
    this.#states = new Map();
    this.#cached = 0;
  }
}
