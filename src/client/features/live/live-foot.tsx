import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useT as useReadingT } from "#client/reading/dialog-messages/index.ts";
import { type ReadingMode, readingMode, setReadingMode } from "#client/state/preferences.ts";
import { Segments } from "#client/ui/segments.tsx";
import { Select } from "#client/ui/select.tsx";
import type { TargetLanguage } from "#shared/languages.ts";
import { getOnlyLanguage } from "./device-language.ts";
import { useT } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";

const ReaderSlides = lazyPart(() => import("./reader-slides.tsx"));

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
  const choices: readonly TargetLanguage[] =
    language === "none" || available.includes(language) ? available : [language, ...available];
  return (
    <>
      {view.lecture.slides === undefined ? null : (
        <ReaderSlides session={session} version={view.lecture.slides} />
      )}
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
      <Select<TargetLanguage>
        label={t("live.language")}
        value={language}
        options={[
          { value: "none", label: t("live.original") },
          ...choices.map((value) => ({
            value,
            // Read when it is shown: the names of all languages take a phone 100 ms.
            get label() {
              return nameTarget(value);
            },
          })),
        ]}
        onChange={session.chooseLanguage}
        className="ms-auto"
      />
    </>
  );
}
