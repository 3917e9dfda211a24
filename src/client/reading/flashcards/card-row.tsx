import { memo, useId } from "react";
import { mayHaveFormula, splitFormulas } from "#client/lib/formulas.ts";
import { TextWithFormulas } from "#client/ui/formula.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { getTextLanguage, getTranslationTag, unknownTextLanguage } from "#shared/languages.ts";
import { type Card, getTime, isWhole } from "./cards.ts";
import { useT } from "./messages/index.ts";

interface CardRowProps {
  card: Card;
  onChange: (id: string, change: Partial<Card>) => void;
}

/** A side whose formulas are typeset, below its field; nothing for one without formulas. */
function Preview({ text }: { text: string }) {
  const hasFormula =
    mayHaveFormula(text) && splitFormulas(text).some((piece) => typeof piece !== "string");
  if (!hasFormula) return null;
  return (
    <span aria-hidden="true" dir="auto" className="px-2.5 text-ink-2 leading-snug wrap-anywhere">
      <TextWithFormulas text={text} />
    </span>
  );
}

/** A card with the sentence that it comes from. */
export const CardRow = memo(function CardRow({ card, onChange }: CardRowProps) {
  const { id, kind, source, question, isLeftOut } = card;
  const t = useT();
  const time = getTime(source);
  const { term, row, note } = source;
  const isTerm = kind === "term" && term !== null;
  const rowId = useId();
  const errorId = `${rowId}-error`;
  const hasError = !isLeftOut && !isWhole(card);
  const renderField = (side: "question" | "answer", label: string, tag: string | undefined) => (
    <label htmlFor={`${rowId}-${side}`} className="grid gap-1">
      <span className="text-ink-3 text-xs">{label}</span>
      <GrowingTextarea
        id={`${rowId}-${side}`}
        value={card[side]}
        rows={1}
        maxLength={2_000}
        disabled={isLeftOut}
        aria-invalid={(hasError && card[side].trim() === "") || undefined}
        aria-describedby={hasError ? errorId : undefined}
        onChange={(event) => onChange(id, { [side]: event.target.value })}
        {...(tag ? getTextLanguage(tag) : unknownTextLanguage)}
        className="min-h-11 w-full min-w-0 resize-none rounded-s border border-rule-control bg-sheet px-2.5 py-2.5 text-base text-ink leading-snug transition-colors duration-150 ease-quiet hover:border-rule-strong disabled:opacity-60 aria-invalid:border-warn"
      />
      <Preview text={card[side]} />
    </label>
  );
  return (
    <li className="grid grid-cols-[2.75rem_minmax(0,1fr)] border-rule border-b py-3 [contain-intrinsic-size:auto_10rem] [content-visibility:auto]">
      <label className="grid size-11 cursor-pointer place-items-center self-start">
        <input
          type="checkbox"
          aria-label={t("flashcards.take", { question })}
          checked={!isLeftOut}
          onChange={(event) => onChange(id, { isLeftOut: !event.target.checked })}
          className="size-4.5 cursor-pointer accent-ink"
        />
      </label>
      <div className="grid min-w-0 gap-2">
        <div className={`grid gap-2 ${isTerm ? "sm:grid-cols-2" : ""}`}>
          {renderField(
            "question",
            t(isTerm ? "flashcards.term" : "flashcards.question"),
            isTerm ? term.language : undefined,
          )}
          {renderField(
            "answer",
            t(isTerm ? "flashcards.translation" : "flashcards.answer"),
            isTerm ? getTranslationTag(term.into) : undefined,
          )}
        </div>
        {hasError ? (
          <p id={errorId} className="text-sm text-warn">
            {t("flashcards.blank")}
          </p>
        ) : null}
        <p className="px-0.5 text-ink-2 text-sm wrap-anywhere">
          {time ? <span className="tabular me-2 font-medium text-jade">{time}</span> : null}
          <span {...getTextLanguage(row.spokenIn)}>
            <TextWithFormulas text={row.original} />
          </span>
          {note && kind === "question" ? (
            <span
              lang=""
              dir="auto"
              className="mt-1 block whitespace-pre-wrap border-rule-strong border-s-2 ps-2.5"
            >
              <TextWithFormulas text={note} />
            </span>
          ) : null}
        </p>
      </div>
    </li>
  );
});
