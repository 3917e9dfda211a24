import { type GlossaryTerm, listTermPairs, type TermPair } from "./glossary.ts";
import type { SpokenLanguage } from "./languages.ts";
import { termsPerTextMax } from "./limits.ts";
import { listFormKeys } from "./term-forms.ts";
import { type TranslationPair, toPairKey } from "./translation-pairs.ts";
import { unspacedScripts } from "./words.ts";

/** A word, or a letter of a script without spaces between words. */
interface Token {
  /** As it is written, in compatible width. */
  text: string;
  keys: readonly string[];
  from: number;
  /** What stands between it and the token before. */
  gap: string;
  /** That is only blanks, hyphens and dots within words. */
  isJoined: boolean;
  isLetter: boolean;
}

interface TermEntry {
  pair: TermPair;
  tokens: readonly Token[];
  keys: readonly ReadonlySet<string>[];
}

interface Match {
  entry: TermEntry;
  /** Indexes of tokens. */
  from: number;
  to: number;
  isExact: boolean;
}

/** The entries by each key of their first token. */
type TermIndex = ReadonlyMap<string, readonly TermEntry[]>;

const token = new RegExp(
  String.raw`[${unspacedScripts}][\p{M}\u0e33ーｰ]*|(?:(?![${unspacedScripts}])[\p{L}\p{M}\p{N}])+[+#]*`,
  "gu",
);
const joint = /^[\s\u00ad‐‑–\-'’·・]*$/u;
const unspaced = new RegExp(`^[${unspacedScripts}]`, "u");
/** Behind a word: the cell's. */
const possessive = /(?<=\p{L})['’]s(?![\p{L}\p{N}])/gu;

function listTokens(text: string, language: SpokenLanguage, where: "term" | "text"): Token[] {
  let written = text.normalize("NFKC");
  if (language === "en") written = written.replace(possessive, "  ");
  let end = 0;
  const known = new Map<string, readonly string[]>();
  const listKeys = (word: string) => {
    const keys = known.get(word) ?? listFormKeys(word, language, where);
    known.set(word, keys);
    return keys;
  };
  return Array.from(written.matchAll(token), ({ 0: match, index }) => {
    const isLetter = unspaced.test(match);
    const gap = written.slice(end, index);
    end = index + match.length;
    const keys = isLetter ? [`=${match}`] : listKeys(match);
    return { text: match, keys, from: index, gap, isJoined: joint.test(gap), isLetter };
  });
}

const indexes = new WeakMap<readonly TermPair[], Map<SpokenLanguage, TermIndex>>();

/** The index of `pairs`, which is built once for each list and language. */
function getIndex(pairs: readonly TermPair[], language: SpokenLanguage): TermIndex {
  const byLanguage = indexes.get(pairs) ?? new Map<SpokenLanguage, TermIndex>();
  indexes.set(pairs, byLanguage);
  const known = byLanguage.get(language);
  if (known) return known;
  const index = new Map<string, TermEntry[]>();
  for (const pair of pairs) {
    const tokens = listTokens(pair.source, language, "term");
    const [first] = tokens;
    if (!first) continue;
    const entry = { pair, tokens, keys: tokens.map(({ keys }) => new Set(keys)) };
    for (const key of first.keys) {
      const entries = index.get(key);
      if (entries) entries.push(entry);
      else index.set(key, [entry]);
    }
  }
  byLanguage.set(language, index);
  return index;
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
  if (pairs.length === 0) return [];
  const matches = selectLongest(listMatches(text, getIndex(pairs, language), language));
  const found = new Set(matches.map(({ entry }) => entry.pair));
  return [...found].slice(0, max);
}

function listMatches(text: string, index: TermIndex, language: SpokenLanguage): Match[] {
  const tokens = listTokens(text, language, "text");
  const matches: Match[] = [];
  for (const [from, first] of tokens.entries()) {
    const entries = new Set(first.keys.flatMap((key) => index.get(key) ?? []));
    for (const entry of entries) {
      const to = from + entry.tokens.length;
      if (isMatch(tokens, from, entry) && isWholeTerm(tokens, from, to))
        matches.push({ entry, from, to, isExact: isSameText(tokens, from, entry) });
    }
  }
  return matches;
}

function isMatch(tokens: readonly Token[], from: number, entry: TermEntry): boolean {
  return entry.keys.every((keys, at) => {
    const [one, term] = [tokens[from + at], entry.tokens[at]];
    if (one === undefined || (at > 0 && !one.isJoined && one.gap !== term?.gap)) return false;
    return one.keys.some((key) => keys.has(key)) && isPlausible(one, term);
  });
}

/** English words that abbreviations are often confused with: it and IT, who and WHO. */
const commonWords = new Set(
  "a i am an and are as at be by can do for go had has he if in is it its me my no not of on or she so the to up us was we who aid aids all act add age arm cat sad map pet rat".split(
    " ",
  ),
);

/** An abbreviation or a symbol is not a common word, nor another symbol. */
function isPlausible(one: Token, term: Token | undefined): boolean {
  if (term === undefined || one.text === term.text) return true;
  if (/^\p{L}$/u.test(term.text) && !term.isLetter) return false;
  return !(/^\p{Lu}{2,}$/u.test(term.text) && commonWords.has(one.text.toLowerCase()));
}

const isSameText = (tokens: readonly Token[], from: number, entry: TermEntry): boolean =>
  entry.tokens.every(
    ({ text }, at) => tokens[from + at]?.text.toLowerCase() === text.toLowerCase(),
  );

const katakana = /[\p{sc=Kana}ー]/u;
/** The two letters before a Chinese or Japanese term, and its first: they make another one of it, 亚磷酸盐 or 过氧化物. */
const otherBefore =
  /(?:[亚亞亜非偏伪偽副].|次[氯磷溴碘亜亚亞]|(?<![通经經超透不])[过過][氧酸硫])$/u;
/** Behind one: 磷酸盐, 线性化. */
const otherBehind =
  /^(?:[盐鹽塩酯酶酵醇酮醛烷烯炔苷酸胺]|[质質](?![量])|化(?![学學合])|[学學](?![会會习習到])|[论論](?![文述点點])|家(?!庭)|根(?![据據本]))/u;

/** In scripts without spaces between words: the letters before and behind do not make another term of it. */
function isWholeTerm(tokens: readonly Token[], from: number, to: number): boolean {
  const [before, first] = [tokens[from - 1], tokens[from]];
  const [last, behind] = [tokens[to - 1], tokens[to]];
  const join = (start: number, end: number) =>
    tokens
      .slice(start, end)
      .map(({ text }) => text)
      .join("");
  if (first?.isLetter && first.isJoined && before?.isLetter) {
    if (katakana.test(before.text) && katakana.test(first.text)) return false;
    if (otherBefore.test(join(Math.max(0, from - 2), from + 1))) return false;
  }
  if (!(last?.isLetter && behind?.isJoined && behind.isLetter)) return true;
  if (katakana.test(last.text) && katakana.test(behind.text)) return false;
  return !otherBehind.test(join(to, to + 2));
}

/** Of matches that overlap the longest, of equally long ones that with the very word; in the order of the text. */
function selectLongest(matches: readonly Match[]): Match[] {
  const sorted = [...matches].sort(
    (a, b) => b.to - b.from - (a.to - a.from) || Number(b.isExact) - Number(a.isExact),
  );
  const covered = new Set<number>();
  const taken = sorted.filter(({ from, to }) => {
    const places = Array.from({ length: to - from }, (_, at) => from + at);
    if (places.some((place) => covered.has(place))) return false;
    for (const place of places) covered.add(place);
    return true;
  });
  return taken.sort((a, b) => a.from - b.from);
}

/** Finds a glossary's agreed translations, for any languages. */
export class TermFinder {
  readonly #pairs = new Map<string, readonly TermPair[]>();

  constructor(private readonly terms: readonly GlossaryTerm[]) {}

  /** Those whose term occurs in `text`: see `findTerms`. */
  find({ text, ...pair }: TranslationPair & { text: string }, max?: number): TermPair[] {
    const key = toPairKey(pair);
    const pairs =
      this.#pairs.get(key) ?? listTermPairs(this.terms, pair.sourceLanguage, pair.targetLanguage);
    this.#pairs.set(key, pairs);
    return findTerms(text, pairs, pair.sourceLanguage, max);
  }
}
