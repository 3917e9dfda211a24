import { useState } from "react";
import { chooseLanguage, type InterfaceLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { useT as useLanguagesT } from "#client/i18n/languages/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { changeNextLanguages } from "#client/state/next-lecture.ts";
import { getStoredLanguages } from "#client/state/preferences.ts";
import { chooseProfileTheme } from "#client/state/profile-theme.ts";
import { theme } from "#client/state/theme.ts";
import { SourceField, TargetField } from "#client/ui/language-fields.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import type { Theme } from "#shared/account.ts";
import { canBeTwoWay, type LanguagePair } from "#shared/languages.ts";
import { useT } from "./messages/index.ts";

/** The languages of new recordings, and how the pages look. */
export default function LanguageSettings() {
  const t = useT();
  const l = useLanguagesT();
  const shownIn = useLanguage();
  const [pair, setPair] = useState(getStoredLanguages);

  function change(languages: Partial<LanguagePair>) {
    const next = { ...pair, ...languages };
    const checked = { ...next, isTwoWay: next.isTwoWay && canBeTwoWay(next) };
    changeNextLanguages(checked);
    setPair(checked);
  }

  return (
    <>
      <div className="grid gap-1.5">
        <div className="grid gap-4 sm:grid-cols-2">
          <SourceField
            label={t("settings.spoken")}
            value={pair.sourceLanguage}
            detectLabel={l("language.detect")}
            onChange={(sourceLanguage) => change({ sourceLanguage })}
          />
          <TargetField
            label={t("settings.into")}
            value={pair.targetLanguage}
            spoken={pair.sourceLanguage}
            onChange={(targetLanguage) => change({ targetLanguage })}
          />
        </div>
        <p className="text-ink-3 text-sm">{t("settings.newOnly")}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <LabelledSegments<InterfaceLanguage>
          label={t("settings.interface")}
          value={shownIn}
          options={[
            { value: "en", label: <span lang="en">English</span> },
            { value: "zh", label: <span lang="zh-Hans">中文</span> },
          ]}
          onChange={(next) =>
            void chooseLanguage(next).catch(() =>
              toastFailure(t("common.error"), t("error.unavailable")),
            )
          }
        />
        <LabelledSegments<Theme>
          label={t("settings.theme")}
          value={useValue(theme)}
          options={[
            { value: "light", label: t("settings.light") },
            { value: "dark", label: t("settings.dark") },
          ]}
          onChange={chooseProfileTheme}
        />
      </div>
    </>
  );
}
