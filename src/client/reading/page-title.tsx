import type { ReactNode } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import { getTextLanguage } from "#client/lib/text-language.ts";
import { getLanguageName, getTranslationTag, type TargetLanguage } from "#shared/languages.ts";
import { useT } from "./messages/index.ts";
import type { ShownText } from "./shown-texts.ts";

interface ColumnTitleProps {
  text: ShownText;
  target: TargetLanguage;
  /** Of the name, which leaves room for the tools where it is the second column's. */
  nameClass?: string;
}

/** What a column holds: the transcript or its translation, and its language. */
export function ColumnTitle({ text, target, nameClass = "" }: ColumnTitleProps) {
  const t = useT();
  const tag = text === "original" || target === "none" ? null : getTranslationTag(target);
  return (
    <>
      <span className={`mr-2.5 font-semibold text-ink-2 ${nameClass}`}>
        {t(text === "original" ? "reading.transcript" : "reading.translation")}
      </span>
      {tag ? (
        <span {...getTextLanguage(tag)}>{getLanguageName(tag, tag)}</span>
      ) : (
        <span>{t(text === "original" ? "record.english" : "target.none")}</span>
      )}
    </>
  );
}

interface PageTitleProps {
  texts: readonly ShownText[];
  target: TargetLanguage;
  status: ReactNode;
}

/** The panel's heading: the title of its first column, or of both where they are one; and the status where there is one. */
export function PageTitle({ texts, target, status }: PageTitleProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const [text = "original"] = texts;
  const isPair = texts.length > 1 && target !== "none";
  return (
    <div className="flex min-w-0 items-center gap-2.5 font-ui">
      <h2 className={`min-w-0 truncate font-normal ${status ? "max-columns:sr-only" : ""}`}>
        <span className={isPair ? "max-columns:hidden" : ""}>
          <ColumnTitle text={text} target={target} />
        </span>
        {isPair ? (
          <span className="columns:hidden">
            <span className="sr-only">{t("reading.transcript")} </span>
            {t("reading.pair", { language: nameTarget(target) })}
          </span>
        ) : null}
      </h2>
      {status ? <div className="shrink-0 columns:ml-3">{status}</div> : null}
    </div>
  );
}
