/** The language of what the pages show as samples, whatever the interface's. */
export const sampleLanguage = "zh-Hans";
