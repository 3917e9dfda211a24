import { useNavigate } from "@tanstack/react-router";
import { formatClock } from "#client/lib/dates.ts";
import { getTextLanguage, getTranslationTag } from "#shared/languages.ts";
import { normalize } from "#shared/normal-form.ts";
import type { QuizQuestion, QuizRow } from "#shared/quiz.ts";
import { findSpans } from "#shared/quiz-text.ts";
import { useT } from "./messages/index.ts";

/** The sentences that a question rests on, with the answer marked in them. Each leads to its place in the lecture. */
export function Sentences({ question }: { question: QuizQuestion }) {
  const t = useT();
  const navigate = useNavigate();
  const { rows, lectureId, language, answer } = question;
  const open = ({ position, startMs }: QuizRow) =>
    void navigate({
      to: "/record",
      search: { lecture: lectureId, row: position },
      // Back returns to the quiz.
      state: { fromList: true, rowStartMs: startMs },
    });
  return (
    <ul aria-label={t("quiz.sentences")} className="-mx-2 grid gap-0.5">
      {rows.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            title={t("quiz.openSentence")}
            onClick={() => open(row)}
            className="touch-target flex w-full items-baseline gap-2.5 rounded-s px-2 py-1.5 text-start text-ink-2 leading-relaxed transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
          >
            <span className="shrink-0 font-medium text-jade text-sm tabular-nums">
              {formatClock(row.startMs / 1_000)}
            </span>
            <span
              {...getTextLanguage(getTranslationTag(language))}
              className="min-w-0 text-pretty wrap-anywhere"
            >
              <MarkedText text={row.text} part={answer} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function MarkedText({ text, part }: { text: string; part: string }) {
  const shown = normalize(text, "NFC");
  const spans = findSpans(shown, part);
  return (
    <>
      {spans.map(({ start, end }, at) => (
        <span key={start}>
          {shown.slice(spans[at - 1]?.end ?? 0, start)}
          <mark className="rounded-s bg-hit text-inherit">{shown.slice(start, end)}</mark>
        </span>
      ))}
      {shown.slice(spans.at(-1)?.end ?? 0)}
    </>
  );
}
