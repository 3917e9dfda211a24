import { ChevronRight, CornerDownRight } from "lucide-react";
import type { ReactNode } from "react";
import type { ApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useValue } from "#client/lib/hooks.ts";
import { CitedRows, StatementList } from "#client/reading/answers/statement-list.tsx";
import { isOffline } from "#client/state/offline.ts";
import { Button } from "#client/ui/button.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import type { CitedRow, QuestionKind } from "#shared/question.ts";
import { type Entry, isOpen, LectureNotSavedError } from "./conversation.ts";
import { type Translate, useT } from "./messages/index.ts";

export interface QuestionEntryProps {
  onOpen: (row: CitedRow) => void;
  entry: Entry;
  /** One lecture is asked. */
  isLecture: boolean;
  /** The question alone is shown. */
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  /** Missing while another question is answered. */
  onRetry?: () => void;
  onDelete: () => void;
  /** In a list of many: below a question that is alone, the beginning of its answer. */
  preview?: ReactNode;
  /** Beside Delete. */
  action?: ReactNode;
}

/** What the product asks is called in the interface's language of today. */
const getQuestionText = (
  { kind, question }: { kind: QuestionKind; question: string },
  t: Translate,
): string =>
  kind === "key_points"
    ? t("ask.keyPoints")
    : kind === "open_questions"
      ? t("ask.openQuestions")
      : question;

/** A question with its answer, while it is streamed and after. */
export function QuestionEntry(props: QuestionEntryProps) {
  const { entry, isLecture, isFolded, onFold, onRetry, onDelete, onOpen, preview, action } = props;
  const t = useT();
  const { state, statements, nearest, follows } = entry;
  const question = getQuestionText(entry, t);
  const isNotSaid = statements.length === 0 && (state === "done" || nearest.length > 0);
  return (
    <article
      aria-busy={isOpen(entry)}
      className={`relative grid ${isFolded && preview ? "gap-0.5" : "gap-2.5"}`}
    >
      <h3 dir="auto" className="min-w-0 font-semibold text-md leading-snug wrap-anywhere">
        <button
          type="button"
          aria-expanded={!isFolded}
          onClick={() => onFold(!isFolded)}
          // The preview is pressed with it.
          className={`touch-target w-full text-start ${preview ? `py-0.5 ${isFolded ? "after:absolute after:inset-0" : ""}` : "py-1"}`}
        >
          {preview ? null : (
            <ChevronRight
              className={`me-1 inline size-3.5 text-ink-3 ${isFolded ? "" : "rotate-90"}`}
            />
          )}
          {follows ? (
            <CornerDownRight
              role="img"
              aria-label={t("ask.isFollowUp")}
              className="mr-1.5 inline size-3.5 text-ink-3"
            />
          ) : null}
          {question}
        </button>
      </h3>
      {isFolded ? (
        preview
      ) : (
        <>
          {statements.length > 0 ? (
            <div className="text-md">
              <StatementList
                statements={statements}
                language={entry.answeredIn}
                showsSentences
                onOpen={onOpen}
              />
            </div>
          ) : null}
          {isNotSaid ? (
            <div className="grid gap-1.5">
              <p className="text-md">{t(isLecture ? "ask.notSaidHere" : "ask.notSaid")}</p>
              {nearest.length > 0 ? (
                <>
                  <p className="text-ink-3 text-sm">{t("ask.nearest")}</p>
                  <CitedRows rows={nearest} showsSentences onOpen={onOpen} />
                </>
              ) : null}
            </div>
          ) : null}
          <AnswerState entry={entry} {...(onRetry && { onRetry })} />
          <p className="flex flex-wrap gap-x-5">
            {action}
            <TextButton
              aria-label={t("ask.delete", { question })}
              onClick={onDelete}
              className="text-ink-3 text-sm hover:text-ink"
            >
              {t("ask.deleteAllConfirm")}
            </TextButton>
          </p>
        </>
      )}
    </article>
  );
}

/** How far an answer is that is not there yet. */
export function describeProgress({ state, search }: Entry, t: Translate): string {
  if (state === "saving") return t("ask.saving");
  return search === null ? t("ask.reading") : t("ask.searching", { words: search });
}

/** Below the answer: that it is coming, or why it is not there. */
function AnswerState({ entry, onRetry }: Pick<QuestionEntryProps, "entry" | "onRetry">) {
  const t = useT();
  const getFailureText = useFailureText();
  const { state, statements, failure } = entry;
  if (state === "done") return null;
  if (isOpen(entry))
    return (
      <p className="flex min-h-6 items-center gap-2 text-ink-3 text-sm">
        <span
          aria-hidden="true"
          className="size-2 shrink-0 animate-breathe rounded-full bg-ink-3"
        />
        <span className="min-w-0 wrap-anywhere">{describeProgress(entry, t)}</span>
      </p>
    );
  return (
    <div
      role={failure ? "alert" : undefined}
      className="grid justify-items-start gap-2 rounded-m bg-paper-3 px-3.5 py-2.5 text-ink-2 text-sm"
    >
      <p className="text-pretty">
        {failure ? getFailureText(failure) : t("ask.stopped")}
        {failure && statements.length > 0 ? ` ${t("ask.brokenOff")}` : null}
      </p>
      <Button size="small" disabled={!onRetry} onClick={onRetry}>
        {t("ask.again")}
      </Button>
    </div>
  );
}

/** Why a question was not answered, and what can be done. */
function useFailureText(): (failure: ApiError) => string {
  const t = useT();
  const offline = useValue(isOffline);
  return (failure) => {
    // A day's budgets begin again at midnight (UTC).
    const hours = Math.max(1, Math.ceil((failure.retryAfterSeconds ?? 86_400) / 3_600));
    switch (failure.code) {
      case "model_budget_exhausted":
        return t("ask.budget", { hours });
      case "site_budget_exhausted":
        return t("ask.siteBudget", { hours });
      case "llm_failed":
        return t("ask.llmFailed");
      case "not_found":
        return t("ask.gone");
      case "unavailable":
      case "internal":
        if (offline) return t("ask.offline");
        return t(failure.cause instanceof LectureNotSavedError ? "ask.notSaved" : "ask.failed");
      default:
        return getErrorMessage(failure);
    }
  };
}
