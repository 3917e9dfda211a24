import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/hooks.ts";
import { useT as useReadingT } from "#client/reading/dialog-messages/index.ts";
import { type ReadingMode, readingMode, setReadingMode } from "#client/state/preferences.ts";
import { LanguageSelect } from "#client/ui/language-select.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { selectClass } from "#client/ui/select-props.ts";
import { getTranslationTag, type TargetLanguage } from "#shared/languages.ts";
import { getOnlyLanguage } from "./device-language.ts";
import { useT } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";

const toTag = (language: TargetLanguage): string =>
  language === "none" ? "und" : getTranslationTag(language);

/** Which texts are shown, and in which language. */
export default function LiveFoot({ session }: { session: ReaderSession }) {
  const t = useT();
  const r = useReadingT();
  const nameTarget = useTargetName();
  const mode = useValue(readingMode);
  const { view, language } = useValue(session.reading);
  if (view === null) return null;
  const spoken = getOnlyLanguage(view.lecture);
  const available = view.lecture.languages.filter((one) => one !== spoken);
  const original = t("live.original");
  return (
    <>
      {language === "none" ? null : (
        <Segments<ReadingMode>
          label={r("reading.mode")}
          value={mode}
          options={[
            { value: "original", label: t("live.originalText") },
            { value: "both", label: r("reading.modeBoth") },
            { value: "translation", label: r("reading.modeTranslation") },
          ]}
          onChange={setReadingMode}
        />
      )}
      <LanguageSelect<TargetLanguage>
        label={t("live.language")}
        text={language === "none" ? original : nameTarget(language)}
        value={language}
        languages={
          language === "none" || available.includes(language) ? available : [language, ...available]
        }
        toTag={toTag}
        first={[{ value: "none", label: original }]}
        onChange={session.chooseLanguage}
        className={`${selectClass} ms-auto`}
      />
    </>
  );
}
