import { Play } from "lucide-react";
import { formatClock } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { shownSound } from "#client/reading/reading-state.ts";
import { IconButton } from "#client/ui/button.tsx";
import { TextWithFormulas } from "#client/ui/formula.tsx";
import { getTextLanguage, getTranslationTag, type TranslationLanguage } from "#shared/languages.ts";
import type { CitedRow } from "#shared/question.ts";
import { useT } from "./messages/index.ts";
import type { ShownStatement } from "./shown-statements.ts";

interface StatementListProps {
  statements: readonly ShownStatement[];
  /** Of the statements' texts. */
  language: TranslationLanguage;
  /** Shows each row's sentence below its statement; otherwise its time alone. */
  showsSentences?: boolean;
  onOpen: (row: CitedRow) => void;
}

/** The statements of an answer, each with the rows that it rests on. */
export function StatementList({ statements, language, ...rest }: StatementListProps) {
  return (
    <ul className="grid gap-3">
      {statements.map(({ text, rows, isChecked }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: statements are added at the end only
        <li key={index} className="grid gap-1">
          <p
            {...getTextLanguage(getTranslationTag(language))}
            className={`text-pretty wrap-anywhere leading-relaxed ${isChecked ? "" : "text-ink-2"}`}
          >
            <TextWithFormulas text={text} />
          </p>
          <CitedRows rows={rows} {...rest} />
        </li>
      ))}
    </ul>
  );
}

/** Buttons that open rows, each with its lecture's title, if it has one, and its time; and those that play the kept sound of the shown lecture. */
export function CitedRows({
  rows,
  showsSentences = false,
  onOpen,
}: { rows: readonly CitedRow[] } & Pick<StatementListProps, "showsSentences" | "onOpen">) {
  const t = useT();
  const player = useValue(shownSound);
  return (
    <ul
      aria-label={t("answers.sources")}
      className={showsSentences ? "grid gap-0.5" : "flex flex-wrap gap-x-1"}
    >
      {rows.map((row) => {
        const { lectureId, position, startMs, title, original, spokenIn } = row;
        const time = formatClock(startMs / 1_000);
        return (
          <li key={`${lectureId} ${position}`} className="flex min-w-0 items-start">
            <button
              type="button"
              aria-label={t(title ? "answers.openIn" : "answers.open", {
                title,
                time,
                sentence: original,
              })}
              onClick={() => onOpen(row)}
              className="touch-reach -ml-1.5 flex min-w-0 items-baseline gap-2 rounded-s px-1.5 py-0.5 text-left text-ink-3 text-sm hover:bg-paper-3 hover:text-ink"
            >
              <span className="shrink-0 font-medium text-jade tabular-nums">{time}</span>
              {showsSentences ? (
                <span className="min-w-0">
                  {title ? <span className="block text-ink-2">{title}</span> : null}
                  <span {...getTextLanguage(spokenIn)} className="line-clamp-2 wrap-anywhere">
                    <TextWithFormulas text={original} />
                  </span>
                </span>
              ) : null}
            </button>
            {player?.hasSoundAt(startMs) ? (
              <IconButton
                icon={Play}
                iconClass="size-3.5"
                label={t("answers.play", { time })}
                onClick={() => void player.play(startMs)}
                className="size-7 shrink-0"
              />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
