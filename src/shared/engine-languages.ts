import {
  type SourceLanguage,
  type SpokenLanguage,
  spokenLanguages,
  type TargetLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
  unmarkedLanguages,
} from "./languages.ts";

/** What recognises speech, as far as its languages depend on it: a service with its model, or an engine of the device. */
export const recognizers = ["soniox", "nova-3", "nova-2", "whisper", "english", "browser"] as const;
export type Recognizer = (typeof recognizers)[number];

export interface RecognizedLanguages {
  /** Those that can be chosen as the only one. */
  languages: readonly SpokenLanguage[];
  /**
   * Those that it tells apart within one stream, with the language of each word: what can be detected, or spoken by
   * turns with another of them. Empty: it cannot.
   */
  identified: readonly SpokenLanguage[];
  /** Those that it translates into each other in its stream. Empty: it does not translate. */
  translated: readonly SpokenLanguage[];
}

const without = (...left: SpokenLanguage[]) =>
  spokenLanguages.filter((language) => !left.includes(language));

const nova2 = [
  ...(["bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "hi", "hu"] as const),
  ...(["id", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt", "ro", "ru"] as const),
  ...(["sk", "sv", "th", "tr", "uk", "vi", "zh"] as const),
] as const;

const tables: Record<Recognizer, RecognizedLanguages> = {
  // https://soniox.com/docs/stt/concepts/supported-languages and …/language-identification (2026-11-25)
  soniox: {
    languages: spokenLanguages,
    identified: spokenLanguages,
    // https://soniox.com/docs/stt/rt/real-time-translation (2026-11-28): all. Without marks at the ends of sentences,
    // nobody knows to which one a translation belongs.
    translated: without(...unmarkedLanguages),
  },
  // Deepgram: https://developers.deepgram.com/docs/models-languages-overview, and what `language=multi` knows:
  // https://developers.deepgram.com/docs/nova-3-language-prompting (2026-10-23)
  "nova-3": {
    languages: without("az", "cy", "eu", "gl", "ml", "sq", "sw"),
    identified: without("az", "cy", "eu", "ml", "sq", "sw", "kk", "pa", "ur"),
    translated: [],
  },
  "nova-2": { languages: nova2, identified: ["en", "es"], translated: [] },
  // All models but those whose names end with `.en`: https://github.com/openai/whisper (2026-11-25). WhisperLiveKit
  // does not say through Deepgram's protocol which language it has heard, nor does the runtime in the browser.
  whisper: { languages: spokenLanguages, identified: [], translated: [] },
  // Models of one language, and those that are not known.
  english: { languages: ["en"], identified: [], translated: [] },
  // Chrome: https://www.google.com/intl/en/chrome/demos/speech.html; Arabic, Hebrew and Persian, which that list
  // leaves out: https://stackoverflow.com/q/14257598 (2026-11-25). Other browsers differ.
  browser: {
    languages: without("be", "bs", "cy", "et", "kk", "mk", "pa", "sq"),
    identified: [],
    translated: [],
  },
};

export const listRecognized = (recognizer: Recognizer): RecognizedLanguages => tables[recognizer];

/** Whether `recognizer` hears `language`, or finds out which one is spoken, or tells it from `second`. */
export function canRecognize(
  recognizer: Recognizer,
  language: SourceLanguage,
  second?: SpokenLanguage,
): boolean {
  const { languages, identified } = tables[recognizer];
  if (language === "detect") return identified.length > 0;
  if (second === undefined || second === language) return languages.includes(language);
  return identified.includes(language) && identified.includes(second);
}

/**
 * Whether `recognizer` translates speech in `language` into `target` in its stream. Chinese comes in one script: that in
 * which speech is written.
 */
export function canTranslateInStream(
  recognizer: Recognizer,
  language: SourceLanguage,
  target: TargetLanguage,
): boolean {
  if (target === "none" || toTranslationLanguage(toSpokenLanguage(target)) !== target) return false;
  const { translated } = tables[recognizer];
  const isHeard = language === "detect" || translated.includes(language);
  return (
    isHeard &&
    language !== toSpokenLanguage(target) &&
    translated.includes(toSpokenLanguage(target))
  );
}

/** Those whose tags in recognition differ from their codes; the others get the region with the most speakers. */
const browserTags: Partial<Record<SpokenLanguage, string>> = { no: "nb-NO", tl: "fil-PH" };

/** The tag with a region that the browser's recognition is given: `ja-JP`, `en-US`. */
export const toBrowserTag = (language: SpokenLanguage): string =>
  browserTags[language] ?? `${language}-${new Intl.Locale(language).maximize().region}`;
