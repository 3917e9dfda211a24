import { useEffect, useState } from "react";
import type { PageProps } from "#client/reading/reading-state.ts";
import { usePair } from "#client/reading/use-languages.ts";
import {
  canBeTwoWay,
  isTranslationLanguage,
  type LanguagePair,
  type TranslationLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { type HearRequest, stopHearing } from "./hear-state.ts";
import { HearStrip } from "./hear-strip.tsx";
import { useHearing } from "./use-hearing.ts";

interface HearTranslationProps extends PageProps {
  request: HearRequest;
}

/** Speaks the translation of the shown lecture as long as it is on the page. */
export default function HearTranslation({ lecture, ...props }: HearTranslationProps) {
  const pair = usePair(lecture);
  const [chosen, setChosen] = useState<TranslationLanguage | null>(null);
  const languages = listHeardLanguages(pair);
  const language = languages.find((one) => one === chosen) ?? languages[0];
  useEffect(() => stopHearing, []);
  useEffect(() => {
    if (language === undefined) stopHearing();
  }, [language]);
  return language === undefined ? null : (
    <Heard
      key={language}
      {...props}
      lecture={lecture}
      language={language}
      languages={languages}
      onLanguage={setChosen}
    />
  );
}

/** Into which the lecture is translated; a two-way one into both of its languages. */
function listHeardLanguages(pair: LanguagePair): TranslationLanguage[] {
  const { targetLanguage, isTwoWay } = pair;
  if (!isTranslationLanguage(targetLanguage)) return [];
  return isTwoWay && canBeTwoWay(pair)
    ? [targetLanguage, toTranslationLanguage(pair.sourceLanguage)]
    : [targetLanguage];
}

interface HeardProps extends HearTranslationProps {
  language: TranslationLanguage;
  languages: readonly TranslationLanguage[];
  onLanguage: (language: TranslationLanguage) => void;
}

function Heard({ request, ...props }: HeardProps) {
  const hearing = useHearing(props, props.language, request);
  return hearing ? <HearStrip {...props} hearing={hearing} /> : null;
}
