import type { TargetLanguage } from "./languages.ts";

/** Languages that the sample lecture is translated into. A module of its own, because its text is loaded later. */
const sampleLanguages = ["es", "zh", "zh-cn", "fr", "de", "ru", "hi", "ja", "ko", "ar"] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** The language in which the sample is shown beside its English; null: it is not translated into `target`. */
export const findSampleLanguage = (target: TargetLanguage): SampleLanguage | null =>
  sampleLanguages.find((language) => language === target) ?? null;
