import { findTerms, prepareTerms } from "./find-terms.ts";
import { type GlossaryTerm, getTermKey, type TermPair } from "./glossary.ts";
import {
  type SpokenLanguage,
  type TranslationLanguage,
  toTranslationLanguage,
} from "./languages.ts";
import { speechTermsMax, speechTermsMaxBytes, termMaxLength } from "./limits.ts";
import type { SpeechTerm } from "./relay.ts";

/**
 * Which of a lecture's terms a recogniser is told. Many hints make a recogniser worse (0 of 6 names right without hints,
 * 5 of 6 with ten, 1 of 6 with seventy), so only those are told that are likely to be said next.
 *
 * Source: https://github.com/zachlatta/freeflow/pull/325
 */

/** A row of a transcript. */
export interface SaidSentence {
  original: string;
  spokenIn: SpokenLanguage;
}

interface Situation {
  /** Nearest folder first, each folder's in their order, which is that of its slides. */
  terms: readonly GlossaryTerm[];
  /** What is spoken; empty: any language. */
  languages: readonly SpokenLanguage[];
  /** Into which language speech is translated; null: into none. */
  getTarget(spokenIn: SpokenLanguage): TranslationLanguage | null;
  /** What the lecture has said, in order; the last sentences are enough. */
  said: readonly SaidSentence[];
  /** The last choice; most of it stays. */
  previous: readonly SpeechTerm[];
  max?: number;
}

/** A term in a language that is spoken. */
interface Candidate extends SpeechTerm {
  key: string;
  /** Those of one folder and one file are neighbours in the slides. */
  group: string;
}

const sentencesMax = 100;
/** After how many sentences a term that was said counts half. */
const saidHalfLife = 5;
/** The same of those behind it in the slides, since the last term: the lecture goes on even while no term is heard. */
const nextHalfLife = 3;
/** How near in the slides' order a term must be to one that was said, and what it then counts, by its distance. */
const reach = 12;
const nextShare = 0.95;
const earlierShare = 0.4;
const distanceShare = 0.95;
/** What counts that a term was said at all, and its place in the order. */
const saidBefore = 0.1;
const orderShare = 0.05;
/** A term of the last choice counts more, and fewer changes than these are no reason for a new choice. */
const stayFactor = 1.1;
const changesMin = 3;
/** So many terms are indexed in some milliseconds. */
const indexedAtOnceMax = 200;

/**
 * At most `max` terms: those near in the slides to what was said last, then those said before, and in the beginning the
 * first of the nearest folder's newest file. In the order of `terms`; one set for one situation.
 */
export function chooseTerms({ max = speechTermsMax, ...situation }: Situation): SpeechTerm[] {
  const { candidates, pairs } = getCandidates(situation);
  const scores = getScores(candidates, pairs, situation.said);
  const previous = new Set(situation.previous.map(({ term }) => getTermKey(term)));
  const isKept = (at: number) => previous.has(candidates[at]?.key ?? "");
  const weigh = (at: number) => (scores[at] ?? 0) * (isKept(at) ? stayFactor : 1);
  const sorted = candidates.map((_, at) => at).sort((a, b) => weigh(b) - weigh(a) || a - b);
  const best = sorted.slice(0, max);
  const kept = sorted.filter(isKept).slice(0, max);
  const changes = best.filter((at) => !isKept(at)).length;
  const chosen = changes < changesMin && kept.length === best.length ? kept : best;
  const terms = chosen.sort((a, b) => a - b).flatMap((at) => candidates[at] ?? []);
  return limitBytes(
    terms.map(({ term, translation }) => ({ term, ...(translation && { translation }) })),
  );
}

/** Whether a recogniser that was told `a` knows `b`. */
export const isSameChoice = (a: readonly SpeechTerm[], b: readonly SpeechTerm[]): boolean =>
  a.length === b.length &&
  a.every(
    ({ term, translation }, at) => term === b[at]?.term && translation === b[at]?.translation,
  );

interface Candidates {
  /** The languages that are spoken, and into what each is translated. */
  name: string;
  candidates: readonly Candidate[];
  /** The same, in their order; the index of their terms is kept with this list. */
  pairs: readonly TermPair[];
}

const lastCandidates = new WeakMap<readonly GlossaryTerm[], Candidates>();

/** The candidates of a list of terms, which stay the same while the list and the languages do. */
function getCandidates(
  situation: Pick<Situation, "terms" | "languages" | "getTarget">,
): Candidates {
  const { terms, languages, getTarget } = situation;
  const spoken = languages.length > 0 ? languages : new Set(terms.map(({ language }) => language));
  const name = [languages.length, ...[...spoken].map((one) => `${one}>${getTarget(one)}`)].join();
  const last = lastCandidates.get(terms);
  if (last?.name === name) return last;
  const candidates = listCandidates(situation);
  const pairs = candidates.map(({ term }) => ({ source: term, target: "" }));
  const next = { name, candidates, pairs };
  // While somebody records, the page must not stand still.
  if (pairs.length > indexedAtOnceMax)
    for (const language of languages) void prepareTerms(pairs, language);
  lastCandidates.set(terms, next);
  return next;
}

function listCandidates({
  terms,
  languages,
  getTarget,
}: Pick<Situation, "terms" | "languages" | "getTarget">): Candidate[] {
  const candidates = new Map<string, Candidate>();
  const add = (
    term: string,
    translation: string | undefined,
    { folderId, origin }: GlossaryTerm,
  ) => {
    const key = getTermKey(term);
    if (key === "" || term.length > termMaxLength || candidates.has(key)) return;
    const group = `${folderId} ${origin.kind} ${origin.name}`;
    candidates.set(key, { term, key, group, ...(translation && { translation }) });
  };
  for (const one of terms) {
    const { language, term, translations } = one;
    const getTranslation = (spokenIn: SpokenLanguage) => {
      const target = getTarget(spokenIn);
      return target === null ? undefined : translations[target];
    };
    for (const spokenIn of languages.length === 0 ? [language] : languages) {
      if (spokenIn === language) add(term, getTranslation(spokenIn), one);
      else if (getTarget(spokenIn) === toTranslationLanguage(language))
        add(translations[toTranslationLanguage(spokenIn)] ?? "", term, one);
    }
  }
  return sortForStart([...candidates.values()], terms);
}

/** The newest file of the nearest folder first: today's slides. */
function sortForStart(candidates: Candidate[], terms: readonly GlossaryTerm[]): Candidate[] {
  const nearest = terms[0]?.folderId;
  const newest = terms.findLast(
    ({ folderId, origin }) => folderId === nearest && origin.kind === "file",
  );
  if (newest === undefined) return candidates;
  const group = `${newest.folderId} file ${newest.origin.name}`;
  const isNewest = (one: Candidate) => one.group === group;
  return [...candidates.filter(isNewest), ...candidates.filter((one) => !isNewest(one))];
}

function getScores(
  candidates: readonly Candidate[],
  pairs: readonly TermPair[],
  rows: readonly SaidSentence[],
): number[] {
  const scores = candidates.map((_, at) => orderShare * (1 - at / candidates.length));
  const raise = (at: number, group: string, score: number) => {
    if (candidates[at]?.group === group) scores[at] = Math.max(scores[at] ?? 0, score);
  };
  const ages = findSaid(pairs, rows.slice(-sentencesMax));
  const lastAge = Math.min(...ages.values());
  for (const [at, age] of ages) {
    const group = candidates[at]?.group ?? "";
    const said = 2 ** (-age / saidHalfLife);
    const next = nextShare * 2 ** ((lastAge - age) / nextHalfLife);
    raise(at, group, said + saidBefore);
    for (let distance = 1; distance <= reach; distance += 1) {
      raise(at + distance, group, next * distanceShare ** distance);
      raise(at - distance, group, earlierShare * said * distanceShare ** distance);
    }
  }
  return scores;
}

/** Each candidate that was said, by its index, and how many sentences ago. */
function findSaid(pairs: readonly TermPair[], said: readonly SaidSentence[]): Map<number, number> {
  const indexes = new Map(pairs.map((pair, at) => [pair, at]));
  const ages = new Map<number, number>();
  for (const [index, { original, spokenIn }] of said.entries())
    for (const pair of findTerms(original, pairs, spokenIn))
      ages.set(indexes.get(pair) ?? -1, said.length - 1 - index);
  return ages;
}

/** The first terms that fit into a frame of the relay beside the lecture's context. */
function limitBytes(terms: readonly SpeechTerm[]): SpeechTerm[] {
  let bytes = 0;
  return terms.filter((term) => {
    const added = new TextEncoder().encode(JSON.stringify(term)).length;
    if (bytes + added > speechTermsMaxBytes) return false;
    bytes += added;
    return true;
  });
}
