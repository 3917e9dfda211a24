import { toastFailure } from "#client/lib/notifications.ts";
import { chooseLanguage, type InterfaceLanguage, useLanguage } from "./bundle.ts";
import { useT } from "./index.ts";

const choices: readonly { language: InterfaceLanguage; text: "EN" | "中文"; tag: string }[] = [
  { language: "en", text: "EN", tag: "en" },
  { language: "zh", text: "中文", tag: "zh-Hans" },
];

function choose(language: InterfaceLanguage, t: ReturnType<typeof useT>) {
  chooseLanguage(language).catch(() => toastFailure(t("common.error"), t("error.unavailable")));
}

/** The name of the interface's other language, in that language, on a page whose head has little room. */
export function OtherLanguageButton() {
  const t = useT();
  const current = useLanguage();
  const other = current === "en" ? "zh" : "en";
  return (
    <button
      type="button"
      lang={other === "en" ? "en" : "zh-Hans"}
      onClick={() => choose(other, t)}
      className="touch-target h-10 rounded-m px-3 font-[550] transition-colors duration-150 ease-quiet hover:bg-paper-3"
    >
      {other === "en" ? "English" : "中文"}
    </button>
  );
}

/** EN · 中文. Each language's name is in that language, so that its readers find it. */
export function LanguageSwitch() {
  const t = useT();
  const current = useLanguage();
  return (
    <fieldset className="flex rounded-m border border-rule p-0.5 text-xs pointer-coarse:p-0">
      <legend className="sr-only">{t("language.label")}</legend>
      {choices.map(({ language, text, tag }) => (
        <button
          key={language}
          type="button"
          lang={tag}
          aria-pressed={language === current}
          onClick={() => choose(language, t)}
          className="rounded-s px-2.5 py-1 text-ink-2 transition-colors duration-150 ease-quiet hover:text-ink aria-pressed:bg-paper-3 aria-pressed:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
