import { useState } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { storeLanguages } from "#client/state/preferences.ts";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { LanguageSelect } from "#client/ui/language-select.tsx";
import { selectClass } from "#client/ui/select-props.ts";
import {
  getTranslationTag,
  type TranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import { useT } from "./dialog-messages/index.ts";
import { useOnLoading } from "./reading-state.ts";

interface RetranslateFormProps {
  lecture: LectureDocument;
  onClose: () => void;
}

export function RetranslateForm({ lecture, onClose }: RetranslateFormProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const blocks = useValue(lecture.transcript.blocks);
  const [language, setLanguage] = useState<TranslationLanguage>(() => {
    const { targetLanguage } = lecture.view.get();
    return targetLanguage === "none" ? "zh-cn" : targetLanguage;
  });
  // Its question is about this lecture, not about the one that is being opened.
  useOnLoading(lecture, onClose);
  const last = blocks.at(-1);
  const count = last ? last.from + last.rows.length : 0;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onClose();
        storeLanguages({ targetLanguage: language });
        lecture.retranslate(language);
      }}
      className="grid gap-4"
    >
      <div className="grid gap-1.5">
        <span className="font-medium text-ink-2 text-sm">{t("retranslate.language")}</span>
        <LanguageSelect<TranslationLanguage>
          label={t("retranslate.language")}
          text={nameTarget(language)}
          value={language}
          languages={translationLanguages}
          toTag={getTranslationTag}
          onChange={setLanguage}
          className={`${selectClass} w-full justify-between`}
        />
      </div>
      <p className="text-ink-2">
        {t("retranslate.text", { count, language: nameTarget(language) })}
      </p>
      <p className="text-ink-3 text-sm">{t("retranslate.kept")}</p>
      <SubmitButtons label={t("retranslate.confirm")} disabled={count === 0} onCancel={onClose} />
    </form>
  );
}
