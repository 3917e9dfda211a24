import { ArrowRightLeft } from "lucide-react";
import { lazy } from "react";
import { useT } from "#client/features/recording/dialog-messages/index.ts";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { languageMessages, useT as useLanguagesT } from "#client/i18n/languages/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { storeLanguages } from "#client/state/preferences.ts";
import { IconButton } from "#client/ui/button.tsx";
import { LanguageSelect } from "#client/ui/language-select.tsx";
import { LazySelect } from "#client/ui/select.tsx";
import {
  canBeTwoWay,
  getLanguageName,
  getTranslationTag,
  type LanguagePair,
  type TargetLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";

const loadSourceList = async () => {
  const list = import("./source-list.tsx");
  await Promise.all([list, languageMessages.load(), engineMessages.load()]);
  return list;
};
const SourceList = lazy(loadSourceList);

const partClass =
  "flex h-full min-w-0 items-center gap-1.5 px-2.5 text-ink text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3 aria-disabled:text-ink-2 aria-disabled:hover:bg-transparent max-sm:flex-1 max-sm:justify-between";

/** What is spoken, and what it is translated into. What is spoken changes only while nothing is recorded. */
export function LanguagePairControl({ document }: { document: LectureDocument }) {
  const t = useT();
  const l = useLanguagesT();
  const nameTarget = useTargetName();
  const shownIn = useLanguage();
  const { sourceLanguage, targetLanguage, isTwoWay, status, busy } = useValue(document.view);
  const pair: LanguagePair = { sourceLanguage, targetLanguage, isTwoWay };
  const isLocked = status === "recording" || busy === "starting";
  const lockedReason = isLocked ? l("language.locked") : undefined;
  const swapped = isLocked ? null : swapLanguages(pair);
  const spoken = sourceLanguage === "detect" ? null : toTranslationLanguage(sourceLanguage);

  const sourceText =
    sourceLanguage === "detect" ? l("language.detect") : getLanguageName(sourceLanguage, shownIn);

  function change(next: Partial<LanguagePair>) {
    // It would be the language of the lecture that is being left.
    if (busy === "loading") return;
    const isStillTwoWay = isTwoWay && canBeTwoWay({ ...pair, ...next });
    const languages = { ...(isStillTwoWay !== isTwoWay && { isTwoWay: isStillTwoWay }), ...next };
    storeLanguages({ ...pair, ...languages });
    document.setLanguages(languages);
  }

  return (
    <fieldset className="touch-target flex h-9 min-w-0 shrink-0 items-center overflow-clip rounded-m border border-rule-control bg-sheet">
      <legend className="sr-only">{l("language.pair")}</legend>
      <LazySelect
        key={`source ${isLocked}`}
        label={l("language.source")}
        text={sourceText}
        lockedReason={lockedReason}
        className={partClass}
        load={loadSourceList}
      >
        <SourceList pair={pair} text={sourceText} onChange={change} className={partClass} />
      </LazySelect>
      <IconButton
        icon={ArrowRightLeft}
        iconClass="size-3.5"
        label={l("language.swap")}
        {...(isTwoWay && { title: l("language.twoWay") })}
        disabled={swapped === null}
        onClick={() => swapped && change(swapped)}
        className={`h-full w-8 rounded-none ${isTwoWay ? "bg-paper-3 text-ink" : ""}`}
      />
      <LanguageSelect<TargetLanguage>
        key={`target ${isLocked && isTwoWay}`}
        label={t("record.targetLanguage")}
        text={nameTarget(targetLanguage === spoken ? "none" : targetLanguage)}
        value={targetLanguage}
        languages={translationLanguages}
        toTag={getTranslationTag}
        first={[{ value: "none", label: nameTarget("none") }]}
        spoken={spoken}
        // Both languages are heard then.
        lockedReason={isTwoWay ? lockedReason : undefined}
        onChange={(next) => change({ targetLanguage: next })}
        className={partClass}
      />
    </fieldset>
  );
}

/** The same pair in the other direction; null where it has none. Of Chinese, the script is then the simplified one. */
export const swapLanguages = (pair: LanguagePair): LanguagePair | null =>
  canBeTwoWay(pair)
    ? {
        sourceLanguage: toSpokenLanguage(pair.targetLanguage),
        targetLanguage: toTranslationLanguage(pair.sourceLanguage),
        isTwoWay: pair.isTwoWay,
      }
    : null;
