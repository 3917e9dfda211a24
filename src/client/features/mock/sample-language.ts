/** The language of the sample texts, independent of the interface's. */
export const sampleLanguage = "zh-Hans";
