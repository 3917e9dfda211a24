import type { ReactNode } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import {
  getLanguageName,
  getTextLanguage,
  getTranslationTag,
  type LanguagePair,
} from "#shared/languages.ts";
import { useT } from "./messages/index.ts";
import type { ShownText } from "./shown-texts.ts";
import type { ColumnNames } from "./use-languages.ts";

interface ColumnTitleProps {
  text: ShownText;
  pair: LanguagePair;
  names: ColumnNames;
}

/** What a column holds: the transcript or its translation, and its language. In a two-way lecture each has both. */
export function ColumnTitle({ text, pair, names }: ColumnTitleProps) {
  const t = useT();
  const isSecond = text === "translation";
  return (
    <>
      {isSecond && pair.isTwoWay ? null : (
        // Where room is short, the tools need it.
        <span
          className={`mr-2.5 font-semibold text-ink-2 ${isSecond ? "@max-[66rem]/rows:sr-only" : ""}`}
        >
          {t(isSecond ? "reading.translation" : "reading.transcript")}
        </span>
      )}
      <LanguageName text={text} pair={pair} names={names} />
    </>
  );
}

/** Each language by its own name; English as the interface calls it. */
function LanguageName({ text, pair: { targetLanguage }, names }: ColumnTitleProps) {
  const nameTarget = useTargetName();
  if (text === "original" && (names.original === null || names.original === "en"))
    return <span>{names.originalName}</span>;
  if (text === "translation" && targetLanguage === "none")
    return <span>{nameTarget(targetLanguage)}</span>;
  const tag =
    text === "translation" && targetLanguage !== "none"
      ? getTranslationTag(targetLanguage)
      : (names.original ?? "");
  return <span {...getTextLanguage(tag)}>{getLanguageName(tag, tag)}</span>;
}

interface PageTitleProps {
  texts: readonly ShownText[];
  pair: LanguagePair;
  names: ColumnNames;
  status: ReactNode;
}

/**
 * The panel's heading: the title of its first column, or of both where they are one or the second has no room beside the
 * tools; and the status where there is one.
 */
export function PageTitle({ texts, pair, names, status }: PageTitleProps) {
  const t = useT();
  const [text = "original"] = texts;
  const isPair = texts.length > 1 && names.pair !== null;
  return (
    <div className="flex min-w-0 items-center gap-2.5 font-ui">
      <h2
        className={`min-w-0 font-normal max-columns:line-clamp-2 max-columns:whitespace-normal max-columns:leading-snug columns:truncate ${status ? "max-columns:sr-only" : ""}`}
      >
        <span className={isPair ? "max-columns:hidden @max-[62rem]/rows:hidden" : ""}>
          <ColumnTitle text={text} pair={pair} names={names} />
        </span>
        {isPair ? (
          <span className="columns:@min-[62rem]/rows:hidden">
            <span className="sr-only">{t("reading.transcript")} </span>
            {names.pair}
          </span>
        ) : null}
      </h2>
      {status ? <div className="shrink-0 columns:ml-3">{status}</div> : null}
    </div>
  );
}
