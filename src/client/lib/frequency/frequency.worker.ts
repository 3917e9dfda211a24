import type { SpokenLanguage } from "#shared/languages.ts";
import commonWords from "./common-words.json";
import { proposeByFrequency } from "./propose-by-frequency.ts";

export interface FrequencyRequest {
  pages: readonly { text: string }[];
  language: SpokenLanguage;
}

const listCommonWords = (language: SpokenLanguage): string =>
  new Map<string, string>(Object.entries(commonWords)).get(language) ?? "";

self.addEventListener("message", ({ data }: MessageEvent<FrequencyRequest>) => {
  const words = new Set(listCommonWords(data.language).split(" "));
  self.postMessage(proposeByFrequency(data.pages, data.language, words));
});
