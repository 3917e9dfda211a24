import { getTermKey } from "#shared/glossary.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { termMaxLength } from "#shared/limits.ts";
import { createTermFinder } from "#shared/term-occurrence.ts";
import { isUnspaced, listWords as listSegments } from "#shared/words.ts";

/** Terms that are proposed of one text at most: more than a person would read through. */
const proposedMax = 100;
/** Words of a term. */
const wordsMax = 3;
/** A last word that is common, such as that of "immune system", counts where the words are repeated as often. */
const oftenCount = 3;

interface Word {
  text: string;
  key: string;
  isCommon: boolean;
  /** Written with a capital letter where no sentence begins. */
  isName: boolean;
  /** Only white space lies between it and the word before; in scripts without spaces nothing. */
  isJoined: boolean;
}

interface Candidate {
  key: string;
  text: string;
  words: number;
  count: number;
  hasCommon: boolean;
  isName: boolean;
}

/**
 * The terms that a text probably has, without a model: words and groups of up to three words that are repeated or
 * written as names, without those that `commonWords` of the language has. In the order of the text.
 */
export function proposeByFrequency(
  pages: readonly { text: string }[],
  language: SpokenLanguage,
  commonWords: ReadonlySet<string>,
): string[] {
  const candidates = new Map<string, Candidate>();
  for (const { text } of pages)
    for (const line of listWords(text, language, commonWords)) countCandidates(line, candidates);
  joinPlurals(candidates, language);
  const ranked = [...candidates.values()]
    .filter(isTerm)
    .sort((a, b) => score(b) - score(a) || (a.text < b.text ? -1 : 1));
  const found: Candidate[] = [];
  for (const candidate of ranked) {
    if (found.length === proposedMax) break;
    if (!found.some((longer) => isOnlyPart(candidate, longer))) found.push(candidate);
  }
  const all = pages.map(({ text }) => text).join("\n");
  const whole = getTermKey(all);
  const occurs = createTermFinder(all);
  return found
    .filter(({ text }) => occurs(text))
    .map(({ key, text }) => ({ text, at: whole.indexOf(key) }))
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text);
}

/** The words of each line. */
function* listWords(
  text: string,
  language: SpokenLanguage,
  commonWords: ReadonlySet<string>,
): Iterable<Word[]> {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" });
  // In German every noun has a capital letter.
  const hasNames = language !== "de";
  for (const line of text.split("\n")) {
    const words: Word[] = [];
    let end = 0;
    let isBeginning = true;
    for (const { segment, index, isWordLike } of joinHyphens(listSegments(line, segmenter), line)) {
      if (!isWordLike) {
        if (/[.!?:;…。！？：；•–—|]/u.test(segment)) isBeginning = true;
        continue;
      }
      const key = getTermKey(segment);
      const between = line.slice(end, index);
      words.push({
        text: segment,
        key,
        isCommon: commonWords.has(key) || !(isUnspaced(segment) || isWord(segment)),
        isName:
          /^\p{Lu}.*\p{Lu}/u.test(segment) ||
          (hasNames && !isBeginning && /^\p{Lu}/u.test(segment)),
        isJoined: index > 0 && (isUnspaced(segment) ? between === "" : between === " "),
      });
      end = index + segment.length;
      isBeginning = false;
    }
    yield words;
  }
}

interface Segment {
  segment: string;
  index: number;
  isWordLike: boolean;
}

/** Words with a hyphen or an apostrophe in them are one. */
function joinHyphens(segments: Iterable<Segment>, line: string): Segment[] {
  const joined: Segment[] = [];
  for (const { segment, index, isWordLike } of segments) {
    const before = joined.at(-1);
    const isBehindHyphen =
      isWordLike && before?.segment === "-" && (joined.at(-2)?.isWordLike ?? false);
    const first = isBehindHyphen ? joined.at(-2) : undefined;
    if (first && first.index + first.segment.length + 1 === index) {
      joined.splice(-2, 2, { ...first, segment: line.slice(first.index, index + segment.length) });
    } else joined.push({ segment, index, isWordLike });
  }
  return joined;
}

/** Four letters in an alphabet, two where a letter is a syllable or a word, and abbreviations of two capital letters. */
const isWord = (text: string): boolean =>
  !/^[\d.,-]/.test(text) &&
  (/^(?:\p{L}[\p{M}'’-]*){4}/u.test(text) ||
    /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hangul}\p{M}ー]{2}/u.test(text) ||
    /^\p{Lu}[\p{Lu}\d-]+s?$/u.test(text)) &&
  !/^\p{sc=Hira}+$/u.test(text);

function countCandidates(words: readonly Word[], candidates: Map<string, Candidate>): void {
  for (const [from, first] of words.entries()) {
    if (first.isCommon) continue;
    let text = "";
    for (let length = 1; length <= wordsMax; length += 1) {
      const word = words[from + length - 1];
      if (!word || (length > 1 && !word.isJoined)) break;
      text += length === 1 || isUnspaced(word.text) ? word.text : ` ${word.text}`;
      // Nobody says it. Kept, it would be searched once for each shorter one.
      if (text.length > termMaxLength) break;
      const group = words.slice(from, from + length);
      const key = getTermKey(text);
      const before = candidates.get(key);
      candidates.set(key, {
        key,
        text: before?.text ?? text,
        words: length,
        count: (before?.count ?? 0) + 1,
        hasCommon: group.some((one) => one.isCommon),
        isName: (before?.isName ?? true) && group.every((one) => one.isName),
      });
      if (word.isCommon && word.key.length < 5) break;
    }
  }
}

const isTerm = ({ text, count, hasCommon, isName }: Candidate): boolean =>
  (isName || count >= (hasCommon ? oftenCount : 2)) && (text.includes(" ") || isWord(text));

const score = ({ text, words, count, isName }: Candidate): number =>
  count * (1 + words / 2) * Math.min(2, text.length / 8) * (isName ? 2 : 1);

/** In English, a plural and its singular are one term. */
function joinPlurals(candidates: Map<string, Candidate>, language: SpokenLanguage): void {
  if (language !== "en") return;
  for (const [key, plural] of candidates) {
    const singular = key.endsWith("s") ? candidates.get(key.slice(0, -1)) : undefined;
    if (!singular) continue;
    singular.count += plural.count;
    candidates.delete(key);
  }
}

/** Whether a word is said only in the longer term, or as rarely outside it. */
const isOnlyPart = (part: Candidate, { key, count, words }: Candidate): boolean =>
  words > part.words && part.count <= count + 1 && key.includes(part.key);
