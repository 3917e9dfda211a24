import {
  findSampleLanguage,
  type SpokenLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { sampleOpening } from "#shared/sample-lecture.ts";
import { hasSpaces } from "./number-words.ts";
import { getSpokenLanguage } from "./pattern.ts";
import continuation from "./sample-lecture.json" with { type: "json" };

/** One word of the sample lecture with its punctuation and its speaker (0: the lecturer, 1: a student). */
export interface SampleWord {
  text: string;
  speaker: number;
  language: SpokenLanguage;
}

/**
 * The stand-in's transcript of any voice with these hints: the words of the sample lecture in order. Of what is not
 * translated into their languages, the English ones.
 */
export function listSampleWords(hints: readonly SpokenLanguage[]): SampleWord[] {
  const opening = sampleOpening.flatMap(({ speaker, original, translations }) => {
    const language = hints.length === 0 ? "en" : getSpokenLanguage(speaker, hints);
    const translated = findSampleLanguage(toTranslationLanguage(language));
    return translated === null
      ? toWords(original, "en", speaker)
      : toWords(translations[translated], language, speaker);
  });
  if (opening.some(({ language }) => language !== "en")) return opening;
  return [...opening, ...continuation.flatMap(({ speaker, text }) => toWords(text, "en", speaker))];
}

const toWords = (text: string, language: SpokenLanguage, speaker: number): SampleWord[] =>
  (hasSpaces(language) ? text.split(" ") : segmentWords(text, language)).map((word) => ({
    text: word,
    speaker,
    language,
  }));

/** Words without spaces between them, each with the punctuation behind it. */
function segmentWords(text: string, language: SpokenLanguage): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language, {
    granularity: "word",
  }).segment(text)) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words.push((words.pop() ?? "") + segment);
  }
  return words;
}

/** The sample in English. */
export const sampleWords: readonly SampleWord[] = listSampleWords([]);
