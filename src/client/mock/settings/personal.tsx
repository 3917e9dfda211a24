import {
  chooseLanguage,
  type InterfaceLanguage,
  t as product,
  useLanguage,
} from "../../i18n/index.ts";
import { toast } from "../../lib/notify.ts";
import { useValue } from "../../lib/signal.ts";
import { chooseTheme, type ThemeChoice, themeChoice } from "../../lib/theme.ts";
import { Segments } from "../../ui/segments.tsx";
import { inputClass } from "../../ui/text-field.tsx";
import { useWords } from "../words.ts";
import { Row } from "./row.tsx";
import { changeSettings, settings } from "./settings.ts";

/** Language, theme and role. */
export function Personal() {
  const t = useWords();
  const language = useLanguage();
  const choice = useValue(themeChoice);
  const { role } = useValue(settings);
  const choose = (next: InterfaceLanguage) =>
    chooseLanguage(next).catch(() =>
      toast({
        kind: "failure",
        title: product("common.error"),
        description: product("error.unavailable"),
      }),
    );
  return (
    <>
      <Row title={t("settings.language")} text={t("settings.languageHint")}>
        <Segments<InterfaceLanguage>
          label={t("settings.language")}
          value={language}
          // Each language is written in itself, so that its reader finds it.
          options={[
            { value: "zh", label: "中文", lang: "zh-Hans" },
            { value: "en", label: "English", lang: "en" },
          ]}
          onChange={choose}
        />
      </Row>
      <Row title={t("settings.theme")} text={t("settings.themeHint")}>
        <Segments<ThemeChoice>
          label={t("settings.theme")}
          value={choice}
          options={[
            { value: "system", label: t("settings.system") },
            { value: "light", label: t("settings.light") },
            { value: "dark", label: t("settings.dark") },
          ]}
          onChange={chooseTheme}
        />
      </Row>
      <Row title={t("settings.role")} text={t("settings.roleHint")}>
        <input
          aria-label={t("settings.role")}
          value={role}
          autoComplete="organization-title"
          onChange={(event) => changeSettings({ role: event.target.value })}
          className={`${inputClass} sm:max-w-60`}
        />
      </Row>
    </>
  );
}
