import type { SpokenLanguage } from "#shared/languages.ts";
import { readCommonWords } from "./common-words.ts";
import { proposeByFrequency } from "./propose-by-frequency.ts";

export interface FrequencyRequest {
  pages: readonly { text: string }[];
  language: SpokenLanguage;
}

self.addEventListener("message", ({ data }: MessageEvent<FrequencyRequest>) => {
  self.postMessage(proposeByFrequency(data.pages, data.language, readCommonWords(data.language)));
});
