import type { Observable } from "#client/lib/observable.ts";
import { Signal, useField, useValue } from "#client/lib/signal.ts";
import { recordingSession } from "#client/state/recording.ts";
import { defaultSourceLanguage, type LanguagePair } from "#shared/languages.ts";

const noLanguages = new Signal<LanguagePair>({
  ...{ sourceLanguage: defaultSourceLanguage, targetLanguage: "none", isTwoWay: false },
});

/** The languages of the lecture that is recorded next. */
export function useSessionLanguages(): LanguagePair {
  const session = useValue(recordingSession);
  const languages: Observable<LanguagePair> = session?.view ?? noLanguages;
  return {
    sourceLanguage: useField(languages, "sourceLanguage"),
    targetLanguage: useField(languages, "targetLanguage"),
    isTwoWay: useField(languages, "isTwoWay"),
  };
}
