import type { MouseEvent } from "react";
import { useSentenceSpace } from "#client/i18n/bundle.ts";
import type { OtherTexts, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { HelpAction } from "#client/ui/text-button.tsx";
import { getTextLanguage, getTranslationTag, unknownTextLanguage } from "#shared/languages.ts";
import { useT } from "./dialog-messages/index.ts";

/** `text` replaces the row's own one of `field`; null: that one stays. */
export type ChooseText = (position: number, field: keyof OtherTexts, text: string | null) => void;

interface OtherTextsOfRowProps {
  row: TranscriptRow;
  choose: ChooseText;
}

/** What another person has written in a row whose own text was kept, below it. */
export default function OtherTextsOfRow({ row, choose }: OtherTextsOfRowProps) {
  const { original, translated } = row.other ?? {};
  const language = row.translatedInto && getTranslationTag(row.translatedInto);
  return (
    // For a finger, the buttons of two lines are further apart.
    <div className="fades mt-1 flex flex-col gap-y-1 text-pretty font-ui text-[0.8125rem] text-ink-2 leading-4.5 wrap-anywhere columns:col-start-2 columns:-col-end-1 pointer-coarse:gap-y-6.5">
      <OtherText
        field="original"
        text={original}
        language={row.spokenIn}
        row={row}
        choose={choose}
      />
      <OtherText
        field="translated"
        text={translated}
        language={language}
        row={row}
        choose={choose}
      />
    </div>
  );
}

interface OtherTextProps extends OtherTextsOfRowProps {
  field: keyof OtherTexts;
  text: string | undefined;
  /** BCP 47; null: not known. */
  language: string | null;
}

function OtherText({ field, text, language, row, choose }: OtherTextProps) {
  const t = useT();
  const space = useSentenceSpace();
  if (text === undefined || text === row[field]) return null;
  const chooseHere = (event: MouseEvent, chosen: string | null) => {
    // The buttons disappear.
    event.currentTarget.closest<HTMLElement>("[data-row]")?.focus();
    choose(row.position, field, chosen);
  };
  return (
    <div>
      <span role="status" className="me-1">
        {t("reading.changedElsewhere")}
        {space}
        <span {...(language ? getTextLanguage(language) : unknownTextLanguage)}>“{text}”</span>
      </span>
      <HelpAction label={t("reading.useOther")} onClick={(event) => chooseHere(event, text)} />
      <HelpAction label={t("reading.keepOwn")} onClick={(event) => chooseHere(event, null)} />
    </div>
  );
}
