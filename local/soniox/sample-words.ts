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
  /** The sentence in all its languages, and how much of it has been said with this word, 0 to 1. */
  sentence?: { texts: Readonly<Record<string, string>>; share: number };
}

/**
 * The stand-in's transcript of any voice with these hints: the words of the sample lecture in order. Of what is not
 * translated into their languages, the English ones.
 */
export function listSampleWords(hints: readonly SpokenLanguage[]): SampleWord[] {
  const opening = sampleOpening.flatMap(({ speaker, original, translations }) => {
    const texts = { ...translations, en: original };
    const language = hints.length === 0 ? "en" : getSpokenLanguage(speaker, hints);
    const translated = findSampleLanguage(toTranslationLanguage(language));
    return translated === null
      ? toWords(original, "en", speaker, texts)
      : toWords(translations[translated], language, speaker, texts);
  });
  if (opening.some(({ language }) => language !== "en")) return opening;
  return [...opening, ...continuation.flatMap(({ speaker, text }) => toWords(text, "en", speaker))];
}

const toWords = (
  text: string,
  language: SpokenLanguage,
  speaker: number,
  texts?: Readonly<Record<string, string>>,
): SampleWord[] =>
  (hasSpaces(language) ? text.split(" ") : segmentWords(text, language)).map(
    (word, index, { length }) => ({
      text: word,
      speaker,
      language,
      ...(texts && { sentence: { texts, share: (index + 1) / length } }),
    }),
  );

/** Words without spaces between them, each with the punctuation behind it. */
export function segmentWords(text: string, language: SpokenLanguage): string[] {
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
