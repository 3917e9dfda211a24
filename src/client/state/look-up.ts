import { callServer } from "#client/lib/call-server.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import {
  isSameLanguage,
  type SpokenLanguage,
  type TranslationLanguage,
} from "#shared/languages.ts";
import { createSessionApi } from "./server-api.ts";
import { fetchSiteInfo } from "./site-info.ts";
import { listLanguageEngines, wrapLanguageCalls } from "./translators.ts";
import { trpc } from "./trpc.ts";

export interface LookUpInput {
  words: string;
  /** The text that has the words, in `language` as they are. */
  sentence: string;
  language: SpokenLanguage;
  translateInto: TranslationLanguage;
  explainIn: TranslationLanguage;
  wordContext: string;
}

export interface FoundMeaning {
  /** Null where no language model can be used. */
  meaning: string | null;
  /** Empty where nothing can translate the words. */
  translation: string;
}

/** Of a translator on this device. The site limits its model's time itself, from when the model begins. */
const timeoutMs = 20_000;

/**
 * What words of a row mean there, by the site's language model. Where that is not used, they are only translated, by
 * what translates rows.
 *
 * @throws ApiError
 */
export async function lookUp(input: LookUpInput, outer: AbortSignal): Promise<FoundMeaning> {
  const info = await fetchSiteInfo();
  if (info !== null && listLanguageEngines(info).includes("service"))
    return callServer(() => trpc.ai.lookUp.mutate(input, { signal: outer }));
  const signal = AbortSignal.any([outer, AbortSignal.timeout(timeoutMs)]);
  const { words: text, language: sourceLanguage, translateInto: targetLanguage } = input;
  const nothing = { meaning: null, translation: "" };
  if (isSameLanguage(sourceLanguage, targetLanguage)) return nothing;
  const { translate } = wrapLanguageCalls(createSessionApi());
  const request = { text, sourceLanguage, targetLanguage, wordContext: input.wordContext };
  try {
    return { meaning: null, translation: await translate({ ...request, context: "" }, signal) };
  } catch (error) {
    if (error instanceof NoTranslatorError) return nothing;
    throw error;
  }
}
