import { useState } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/hooks.ts";
import { storeLanguages } from "#client/state/preferences.ts";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { LanguageSelect } from "#client/ui/language-select.tsx";
import { Labelled } from "#client/ui/segments.tsx";
import { selectClass } from "#client/ui/select-props.ts";
import {
  getTranslationLanguage,
  getTranslationTag,
  isSameLanguage,
  type SourceLanguage,
  type TranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import { useT } from "./dialog-messages/index.ts";
import type { LectureFormProps } from "./reading-state.ts";

const getUsualTarget = (sourceLanguage: SourceLanguage): TranslationLanguage =>
  sourceLanguage === "zh" ? "en" : "zh-cn";

export function RetranslateForm({ lecture, onClose }: LectureFormProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const blocks = useValue(lecture.transcript.blocks);
  const { sourceLanguage, targetLanguage } = lecture.view.get();
  const targets = translationLanguages.filter(
    (one) => sourceLanguage === "detect" || !isSameLanguage(sourceLanguage, one),
  );
  const [language, setLanguage] = useState<TranslationLanguage>(
    () => targets.find((one) => one === targetLanguage) ?? getUsualTarget(sourceLanguage),
  );
  const languages = { ...lecture.view.get(), targetLanguage: language };
  const count = blocks
    .flatMap(({ rows }) => rows)
    .filter(({ spokenIn }) => getTranslationLanguage(languages, spokenIn) !== null).length;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
        storeLanguages({ targetLanguage: language });
        lecture.retranslate(language);
      }}
      className="flex flex-col gap-4"
    >
      <Labelled label={t("retranslate.language")}>
        <LanguageSelect<TranslationLanguage>
          label={t("retranslate.language")}
          text={nameTarget(language)}
          value={language}
          languages={targets}
          toTag={getTranslationTag}
          onChange={setLanguage}
          className={`${selectClass} w-full justify-between`}
        />
      </Labelled>
      <p className="text-ink-2">
        {t("retranslate.text", { count, language: nameTarget(language) })}
      </p>
      <p className="text-ink-3 text-sm">{t("retranslate.kept")}</p>
      <SubmitButtons label={t("retranslate.confirm")} disabled={count === 0} onCancel={onClose} />
    </form>
  );
}
