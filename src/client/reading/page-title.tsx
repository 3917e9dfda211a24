import type { ReactNode } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import { getTextLanguage } from "#client/lib/text-language.ts";
import { getLanguageName, getTranslationTag, type LanguagePair } from "#shared/languages.ts";
import { useT } from "./messages/index.ts";
import type { ShownText } from "./shown-texts.ts";
import type { ColumnNames } from "./use-languages.ts";

interface ColumnTitleProps {
  text: ShownText;
  pair: LanguagePair;
  names: ColumnNames;
  /** Of the name, which leaves room for the tools where it is the second column's. */
  nameClass?: string;
}

/** What a column holds: the transcript or its translation, and its language. In a two-way lecture each has both. */
export function ColumnTitle({ text, pair, names, nameClass = "" }: ColumnTitleProps) {
  const t = useT();
  const isSecond = text === "translation";
  return (
    <>
      {isSecond && pair.isTwoWay ? null : (
        <span className={`mr-2.5 font-semibold text-ink-2 ${nameClass}`}>
          {t(isSecond ? "reading.translation" : "reading.transcript")}
        </span>
      )}
      <LanguageName text={text} pair={pair} names={names} />
    </>
  );
}

/** Each language by its own name; English as the interface calls it. */
function LanguageName({
  text,
  pair: { targetLanguage },
  names,
}: Omit<ColumnTitleProps, "nameClass">) {
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

/** The panel's heading: the title of its first column, or of both where they are one; and the status where there is one. */
export function PageTitle({ texts, pair, names, status }: PageTitleProps) {
  const t = useT();
  const [text = "original"] = texts;
  const isPair = texts.length > 1 && names.pair !== null;
  return (
    <div className="flex min-w-0 items-center gap-2.5 font-ui">
      <h2 className={`min-w-0 truncate font-normal ${status ? "max-columns:sr-only" : ""}`}>
        <span className={isPair ? "max-columns:hidden" : ""}>
          <ColumnTitle text={text} pair={pair} names={names} />
        </span>
        {isPair ? (
          <span className="columns:hidden">
            <span className="sr-only">{t("reading.transcript")} </span>
            {names.pair}
          </span>
        ) : null}
      </h2>
      {status ? <div className="shrink-0 columns:ml-3">{status}</div> : null}
    </div>
  );
}
