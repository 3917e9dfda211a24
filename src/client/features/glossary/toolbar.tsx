import { ArrowRight, Download, FileSpreadsheet } from "lucide-react";
import type { ReactNode } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { LanguageSelect } from "#client/ui/language-select.tsx";
import { selectClass } from "#client/ui/select-props.ts";
import {
  getLanguageName,
  getTranslationTag,
  type SpokenLanguage,
  spokenLanguages,
  type TranslationLanguage,
  toTranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import type { TableLanguages } from "./columns.ts";
import { useT } from "./messages/index.ts";

interface ToolbarProps extends TableLanguages {
  /** The button for terms of other files than tables. */
  addFromFile: ReactNode;
  /** Number of the glossary's terms in each language. */
  counts: ReadonlyMap<SpokenLanguage, number>;
  canExport: boolean;
  onLanguage: (language: SpokenLanguage) => void;
  onTarget: (target: TranslationLanguage) => void;
  onImport: (file: File) => void;
  onExport: () => void;
}

const toTag = (language: SpokenLanguage): string => language;

/** Above the table: its languages, and how terms come in and out. */
export function Toolbar(props: ToolbarProps) {
  const { language, target, counts, canExport, onLanguage, onTarget, onImport, onExport } = props;
  const t = useT();
  const shownIn = useLanguage();
  const nameTarget = useTargetName();
  const others = [...counts].filter(([one, count]) => one !== language && count > 0);
  return (
    <>
      <div className="mt-6 flex flex-wrap items-center gap-x-2 gap-y-2.5">
        <div className="mr-auto flex min-w-0 items-center gap-2 max-sm:w-full">
          <LanguageSelect
            label={t("glossary.termLanguage")}
            text={getLanguageName(language, shownIn)}
            value={language}
            languages={spokenLanguages}
            toTag={toTag}
            onChange={onLanguage}
            className={`${selectClass} min-h-10 max-sm:flex-auto max-sm:justify-between`}
          />
          <ArrowRight className="size-4 shrink-0 text-ink-3" aria-label={t("glossary.into")} />
          <LanguageSelect
            label={t("glossary.target")}
            text={nameTarget(target)}
            value={target}
            languages={translationLanguages}
            toTag={getTranslationTag}
            spoken={toTranslationLanguage(language)}
            onChange={onTarget}
            className={`${selectClass} min-h-10 max-sm:flex-auto max-sm:justify-between`}
          />
        </div>
        {props.addFromFile}
        <label
          className={`${getButtonClass()} relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ink has-focus-visible:outline-offset-2`}
        >
          <FileSpreadsheet className="size-4" />
          {t("glossary.importCsv")}
          <input
            type="file"
            accept=".csv,.tsv,text/csv,text/tab-separated-values"
            onChange={({ target: input }) => {
              const [file] = input.files ?? [];
              if (file) onImport(file);
              // Otherwise choosing the same file again after a correction would cause no event.
              input.value = "";
            }}
            className="absolute inset-0 w-full cursor-pointer opacity-0"
          />
        </label>
        <Button disabled={!canExport} onClick={onExport}>
          <Download className="size-4" />
          {t("glossary.exportCsv")}
        </Button>
      </div>
      {others.length > 0 ? (
        <p className="mt-3 flex flex-wrap items-center gap-x-2 text-ink-3 text-sm">
          {t("glossary.alsoIn")}
          {others.map(([one, count]) => (
            <Button key={one} look="quiet" size="small" onClick={() => onLanguage(one)}>
              {t("glossary.inLanguage", { language: getLanguageName(one, shownIn), count })}
            </Button>
          ))}
        </p>
      ) : null}
    </>
  );
}
