import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { translationClass } from "#client/ui/bilingual.tsx";
import { IconButton } from "#client/ui/button.tsx";
import { showFormulas } from "#client/ui/lazy-formula.tsx";
import { getTextLanguage, getTranslationTag, type TranslationLanguage } from "#shared/languages.ts";
import { useT } from "./messages/index.ts";

interface TranslationProps {
  row: TranscriptRow;
  canRetry: (position: number) => boolean;
  /** The speaker, where the translation is the row's first text. */
  tag: ReactNode;
  /** Why translations are missing, in the row where that is told. */
  missing: ReactNode;
  /** Of the cell. */
  className: string;
}

/** As long as a usual speaker's name. */
const tagText = "[Speaker 1] ";

/** A row's translation. Its cell stays as high as its preview: a shorter text must not move what is being read. */
export function Translation({ className, ...props }: TranslationProps) {
  const { row, tag } = props;
  const { placeholder } = row;
  if (!placeholder?.text || row.translatedByHand)
    return <Content {...props} className={`${translationClass} ${className}`} />;
  return (
    <div
      {...getLanguageProps(placeholder.language)}
      data-preview={(tag === null ? "" : tagText) + placeholder.text}
      className={`${translationClass} preview-space ${className}`}
    >
      <Content {...props} className="" />
    </div>
  );
}

function Content({ row, canRetry, tag, missing, className }: TranslationProps) {
  const { placeholder, translatedInto } = row;
  switch (row.translation) {
    case "none":
      return <span className={`${className} max-columns:hidden`} />;
    case "waiting":
      // In the first of such rows it is said why.
      if (placeholder?.isLate && !placeholder.text)
        return (
          <div className={className}>
            {tag}
            {missing === null ? null : <span role="status">{missing}</span>}
          </div>
        );
      if (!placeholder?.text) return <Waiting tag={tag} className={className} />;
      return (
        <p
          {...getLanguageProps(translatedInto ?? placeholder.language)}
          aria-busy={!placeholder.isLate}
          className={className}
        >
          {tag}
          <span className="text-ink-live">{placeholder.text}</span>
        </p>
      );
    case "failed":
      return <Failed row={row} canRetry={canRetry} tag={tag} className={className} />;
    case "done":
      return (
        <p {...(translatedInto && getLanguageProps(translatedInto))} className={className}>
          {tag}
          {showFormulas(row.translated)}
        </p>
      );
  }
}

export const getLanguageProps = (language: TranslationLanguage) =>
  getTextLanguage(getTranslationTag(language));

function Waiting({ tag, className }: Pick<TranslationProps, "tag" | "className">) {
  const t = useT();
  return (
    <p className={className}>
      {tag}
      <span className="sr-only">{t("reading.translating")}</span>
      <span
        aria-hidden="true"
        className="inline-block h-[0.7em] w-24 animate-breathe rounded-full bg-paper-3"
      />
    </p>
  );
}

function Failed({ row, canRetry, tag, className }: Omit<TranslationProps, "missing">) {
  const t = useT();
  return (
    <p className={`${className} flex items-center gap-1.5 text-ink-3`}>
      {tag}
      {t("reading.translationFailed")}
      {canRetry(row.position) ? (
        <IconButton
          icon={RotateCw}
          iconClass="size-3.5"
          label={t("reading.retryTranslation")}
          className="-my-1 size-7"
          data-retry={row.position}
        />
      ) : null}
    </p>
  );
}
