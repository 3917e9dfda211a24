import { findCut } from "./join-pieces.ts";

/** Texts that stand in place of a result. They are stored or displayed as they are. */
export const translationFailed = "[Translation Failed]";
export const noTranslation = "[No translation]";
export const untranslatableFragment = "[Untranslatable fragment]";
export const summaryFailed = "[Summary Failed]";

/** Scripts of the spoken languages without spaces between words, for a character class. */
export const unspacedScripts = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}`;
const unspaced = new RegExp(`[${unspacedScripts}]`, "u");

/** Whether `text` has letters of a script without spaces between words. */
export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** Characters that are segmented at once: each segment costs as much as all of the text that is given. */
export const segmentedMax = 1_000;
const wordBorder = /[\s。，、！？；：,;!?]/u;

/** Where the part of `text` that begins at `from` ends: in its second half behind white space or punctuation, if it has any. */
function findPartEnd(text: string, from: number): number {
  const end = from + segmentedMax;
  if (end >= text.length) return text.length;
  for (let at = end; at > end - segmentedMax / 2; at -= 1)
    if (wordBorder.test(text[at - 1] ?? "")) return at;
  return from + findCut(text.slice(from), segmentedMax);
}

/** The words that `segmenter` finds in `text`, in order: a long one in parts, so that the time is linear. */
export function* listWords(
  text: string,
  segmenter: Intl.Segmenter,
): Iterable<{ segment: string; index: number; isWordLike: boolean }> {
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = findPartEnd(text, from);
    for (const { segment, index, isWordLike = false } of segmenter.segment(text.slice(from, end)))
      yield { segment, index: from + index, isWordLike };
  }
}

let words: Intl.Segmenter | undefined;

/** Where each word begins. In scripts without spaces between words, a dictionary knows them. */
export function listWordStarts(text: string): number[] {
  const starts: number[] = [];
  for (const { 0: run, index } of text.matchAll(/\S+/gu)) {
    if (!isUnspaced(run)) {
      starts.push(index);
      continue;
    }
    words ??= new Intl.Segmenter([], { granularity: "word" });
    for (const one of listWords(run, words)) if (one.isWordLike) starts.push(index + one.index);
  }
  return starts;
}

export const countWords = (text: string): number => listWordStarts(text).length;
