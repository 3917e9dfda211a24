import { RotateCw } from "lucide-react";
import type { ReactNode, Ref } from "react";
import type { RowPlaceholder, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { translationClass } from "#client/ui/bilingual.tsx";
import { IconButton } from "#client/ui/button.tsx";
import { getTextLanguage, getTranslationTag, type TranslationLanguage } from "#shared/languages.ts";
import type { LiveSpaceProps } from "./live-space.ts";
import { useT } from "./messages/index.ts";
import { estimateTranslation } from "./reserve-space.ts";
import { countLines } from "./reserved-lines.ts";

interface TranslationProps {
  row: TranscriptRow;
  canRetry: (position: number) => boolean;
  /** The speaker, where the translation is the row's first text. */
  tag: ReactNode;
  /** Why translations are missing, in the row where that is told. */
  missing: ReactNode;
  /** Of the cell. */
  className?: string;
  /** The row takes the height that it needs; otherwise a text that is longer than its space ends with "…". */
  isWhole: boolean;
}

/** A row's translation. Where it arrives on this page, its space is reserved, and does not change while text is added. */
export function Translation({ isWhole, className = "", ...props }: TranslationProps) {
  const { row, tag } = props;
  const { placeholder } = row;
  if (placeholder === undefined || row.translatedByHand)
    return <Content {...props} className={`${translationClass} ${className}`} />;
  return (
    <ReservedSpace
      ref={isWhole ? undefined : countLines}
      isWhole={isWhole}
      row={row}
      placeholder={placeholder}
      hasTag={tag !== null}
      className={className}
    >
      <Content {...props} className="" />
    </ReservedSpace>
  );
}

type ContentProps = Omit<TranslationProps, "isWhole" | "className"> & { className: string };

function Content({ row, canRetry, tag, missing, className }: ContentProps) {
  const { placeholder, translatedInto } = row;
  switch (row.translation) {
    case "none":
      return <span className={`${className} max-columns:hidden`} />;
    case "waiting":
      // In the first of such rows it is said why: at most two small lines, which lie over the padding below the row.
      if (placeholder?.isLate && !placeholder.text)
        return (
          <div className={`${className} overflow-visible!`}>
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
        <p
          {...(translatedInto && getLanguageProps(translatedInto))}
          data-clamp
          className={className}
        >
          {tag}
          {row.translated}
        </p>
      );
  }
}

const getLanguageProps = (language: TranslationLanguage) =>
  getTextLanguage(getTranslationTag(language));

interface ReservedSpaceProps {
  row: Pick<TranscriptRow, "original" | "spokenIn">;
  placeholder: RowPlaceholder;
  hasTag: boolean;
  /** Its content may make it higher. */
  isWhole?: boolean;
  ref?: Ref<HTMLDivElement> | undefined;
  /** Of the live line's first text, before a second one. */
  liveSpace?: LiveSpaceProps | undefined;
  className?: string;
  children: ReactNode;
}

/** As long as a usual speaker's name. */
const tagText = "[Speaker 1] ";

/**
 * As high as a long translation of the row, and as `placeholder`, at every width and text size: both texts
 * are in the cell, invisible. `children` have no influence on the height of a row, unless it is whole.
 */
export function ReservedSpace({
  row,
  placeholder,
  hasTag,
  isWhole = false,
  ref,
  liveSpace,
  className = "",
  children,
}: ReservedSpaceProps) {
  const tagged = (text: string) => (hasTag ? tagText + text : text);
  return (
    <div
      ref={ref}
      {...liveSpace}
      data-whole={isWhole || undefined}
      {...getLanguageProps(placeholder.language)}
      data-space={tagged(estimateTranslation(row.original, row.spokenIn, placeholder.language))}
      data-placeholder={tagged(placeholder.text)}
      className={`${translationClass} reserved-space live-space ${className}`}
    >
      {children}
    </div>
  );
}

function Waiting({ tag, className }: Pick<ContentProps, "tag" | "className">) {
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

function Failed({ row, canRetry, tag, className }: Omit<ContentProps, "missing">) {
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
