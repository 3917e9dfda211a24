import { useT } from "#client/features/mock/messages/index.ts";
import { chooseLanguage, type InterfaceLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { useValue } from "#client/lib/signal.ts";
import { toastFailure } from "#client/state/notifications.ts";
import { chooseTheme, type ThemeChoice, themeChoice } from "#client/state/theme.ts";
import { Segments } from "#client/ui/segments.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { Row } from "./row.tsx";
import { changeSettings, settings } from "./settings.ts";

export function Personal() {
  const t = useT();
  const language = useLanguage();
  const choice = useValue(themeChoice);
  const { role } = useValue(settings);
  const choose = (next: InterfaceLanguage) =>
    chooseLanguage(next).catch(() => toastFailure(t("common.error"), t("error.unavailable")));
  return (
    <>
      <Row title={t("mock.settings.language")} text={t("mock.settings.languageHint")}>
        <Segments<InterfaceLanguage>
          label={t("mock.settings.language")}
          value={language}
          // Each language's name is in that language, so that its readers find it.
          options={[
            { value: "zh", label: "中文", lang: "zh-Hans" },
            { value: "en", label: "English", lang: "en" },
          ]}
          onChange={choose}
        />
      </Row>
      <Row title={t("mock.settings.theme")} text={t("mock.settings.themeHint")}>
        <Segments<ThemeChoice>
          label={t("mock.settings.theme")}
          value={choice}
          options={[
            { value: "system", label: t("mock.settings.system") },
            { value: "light", label: t("mock.settings.light") },
            { value: "dark", label: t("mock.settings.dark") },
          ]}
          onChange={chooseTheme}
        />
      </Row>
      <Row title={t("mock.settings.role")} text={t("mock.settings.roleHint")}>
        <input
          aria-label={t("mock.settings.role")}
          value={role}
          autoComplete="organization-title"
          onChange={(event) => changeSettings({ role: event.target.value })}
          className={`${inputClass} sm:max-w-60`}
        />
      </Row>
    </>
  );
}
