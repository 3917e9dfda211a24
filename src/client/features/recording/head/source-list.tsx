import { useT } from "#client/features/recording/engine-messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT as useLanguagesT } from "#client/i18n/languages/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { canHear } from "#client/state/engine-rules.ts";
import { selectSpeechEngine, speechChoice } from "#client/state/engines.ts";
import { findEngineThatHears } from "#client/state/heard-languages.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import LanguageList from "#client/ui/language-list.tsx";
import type { SearchOption } from "#client/ui/search-select.tsx";
import {
  canBeTwoWay,
  getLanguageName,
  getTranslationTag,
  type LanguagePair,
  type SourceLanguage,
  spokenLanguages,
} from "#shared/languages.ts";

interface SourceListProps {
  pair: LanguagePair;
  text: string;
  onChange: (change: Partial<LanguagePair>) => void;
  className: string;
}

export default withData(SourceList);

/** The option for both languages; the other options are source languages. */
const twoWay = "twoWay";
type Spoken = SourceLanguage | typeof twoWay;
const toTag = (language: Spoken): string => language;

/** What can be spoken: a language, whichever the engine finds, or both languages of the pair. */
function SourceList({ pair, text, onChange, className }: SourceListProps) {
  const t = useT();
  const l = useLanguagesT();
  const shownIn = useLanguage();
  const { data: info } = useSiteInfo();
  const choice = useValue(speechChoice);
  const { sourceLanguage, isTwoWay } = pair;

  /** What an option for `spoken` says of the engine in use. */
  function describe(spoken: LanguagePair) {
    if (!info) return null;
    const engine = selectSpeechEngine(info, choice, spoken);
    if (canHear(engine, spoken, info)) {
      // Another one than for most languages, which the person has not chosen.
      const isOther = engine !== selectSpeechEngine(info, choice) && engine !== "demo";
      return isOther ? { note: t(`engine.heardBy.${engine}`), isDisabled: false } : null;
    }
    const other = findEngineThatHears(spoken, info);
    const note = t(other === null ? "engine.heardByNone" : `engine.heardBy.${other}`);
    return { note, isDisabled: true };
  }

  const detected: LanguagePair = { ...pair, sourceLanguage: "detect", isTwoWay: false };
  const both = { ...pair, isTwoWay: true };
  const second: (SearchOption & { value: Spoken })[] = [];
  if (sourceLanguage === "detect" || !describe(detected)?.isDisabled)
    second.push({ value: "detect", label: l("language.detect"), ...describe(detected) });
  if (canBeTwoWay(both) && (isTwoWay || !describe(both)?.isDisabled)) {
    const names = [both.sourceLanguage, getTranslationTag(both.targetLanguage)].map((tag) =>
      getLanguageName(tag, shownIn),
    );
    second.push({
      value: twoWay,
      label: new Intl.ListFormat(shownIn).format(names),
      note: t("engine.twoWayNote"),
      ...describe(both),
    });
  }
  return (
    <LanguageList<Spoken>
      label={l("language.source")}
      text={text}
      value={isTwoWay ? twoWay : sourceLanguage}
      languages={spokenLanguages}
      toTag={toTag}
      second={second}
      describe={(language) =>
        language === twoWay
          ? null
          : describe({ ...pair, sourceLanguage: language, isTwoWay: false })
      }
      onChange={(next) => {
        if (next === twoWay) onChange({ isTwoWay: true });
        else onChange({ sourceLanguage: next, isTwoWay: false });
      }}
      className={className}
    />
  );
}
