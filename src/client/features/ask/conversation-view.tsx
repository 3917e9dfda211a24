import { type ComponentProps, type ReactNode, type RefObject, useRef, useState } from "react";
import type { useQuestions } from "#client/state/ask.ts";
import { Button } from "#client/ui/button.tsx";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { QuestionKind, QuestionScope } from "#shared/question.ts";
import { type Entry, isOpen } from "./conversation.ts";
import { type Translate, useT } from "./messages/index.ts";
import { describeProgress, QuestionEntry, type QuestionEntryProps } from "./question-entry.tsx";
import { QuestionForm } from "./question-form.tsx";
import { useConversation } from "./use-conversation.ts";
import { useConversationScroll } from "./use-conversation-scroll.ts";

interface ConversationViewProps extends Pick<QuestionEntryProps, "onOpen"> {
  scope: QuestionScope;
  /** The language of the answers. */
  answerIn: TranslationLanguage;
  /** Saves what is asked; resolves to false if it could not. */
  prepare: () => Promise<boolean>;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Space beside the questions and the field. */
  frameClass: string;
  /** In place of questions: what can be asked. */
  hint: string;
  /** In the field. */
  placeholder: string;
  /** Questions to begin with, or to go on with. */
  firstQuestions: readonly string[];
  /** Beside the chips for key points and open questions. */
  actions: ReactNode;
  /** Below everything. */
  end: ReactNode;
}

/** The questions about a lecture with their answers, and the field for the next one. */
export function ConversationView({
  scope,
  answerIn,
  prepare,
  field,
  frameClass,
  hint,
  placeholder,
  firstQuestions,
  actions,
  end,
  onOpen,
}: ConversationViewProps) {
  const t = useT();
  const { conversation, query, entries, isLoaded, isAnswering, lastAnswered, ...asking } =
    useConversation({ scope, answerIn, prepare });
  const { lastAskedId } = asking;
  const scroller = useRef<HTMLDivElement>(null);
  /** Answers that are folded, or not, by a person's choice. By itself the last one is open. */
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  useConversationScroll(scroller, { conversation, entries, isLoaded, lastAskedId });

  const ask = (kind: QuestionKind, question: string) =>
    asking.ask(
      kind,
      question,
      kind === "asked" && !conversation.isNew.get() ? (lastAnswered?.id ?? null) : null,
    );

  const isEmpty = isLoaded && entries.length === 0;
  const wasAsked = ({ kind, label }: Suggestion) =>
    entries.some((entry) => (kind === "asked" ? entry.question === label : entry.kind === kind));
  // Below answers there are fewer: the next question comes from them.
  const chips = [
    ...firstQuestions
      .slice(0, isEmpty ? undefined : 1)
      .map((label): Suggestion => ({ kind: "asked", label })),
    { kind: "key_points" as const, label: t("ask.keyPoints") },
    { kind: "open_questions" as const, label: t("ask.openQuestions") },
  ].filter((chip) => !wasAsked(chip));
  return (
    <>
      <div
        ref={scroller}
        className="relative overflow-y-auto overscroll-contain [container-type:size] [overflow-anchor:none]"
      >
        <div className={`${frameClass} pb-4 pt-3`}>
          <p role="status" className="sr-only">
            {getStatus(entries.at(-1), t)}
          </p>
          <EarlierQuestions query={query} />
          {isEmpty ? <p className="pt-1 text-pretty text-ink-3">{hint}</p> : null}
          <ol className="grid grid-cols-[minmax(0,1fr)]">
            {entries.map((entry, index) => (
              <li
                key={entry.id}
                data-question={entry.id}
                className={`pt-2 pb-3 ${index > 0 && !entry.follows ? "mt-1 border-rule border-t" : ""} ${entry.id === lastAskedId && index === entries.length - 1 ? "min-h-[calc(100cqh-1rem)]" : ""}`}
              >
                <QuestionEntry
                  entry={entry}
                  isLecture
                  isFolded={folds.get(entry.id) ?? index < entries.length - 1}
                  onFold={(isFolded) => setFolds(new Map(folds).set(entry.id, isFolded))}
                  {...(isAnswering ? {} : { onRetry: () => asking.retry(entry) })}
                  onDelete={() => void asking.remove(entry)}
                  onOpen={onOpen}
                />
              </li>
            ))}
          </ol>
          {isLoaded && !isAnswering ? (
            <div className="grid gap-2 pt-4">
              <h3 className="font-medium text-ink-2 text-sm">{t("ask.firstQuestions")}</h3>
              <ul className="flex flex-wrap gap-2">
                {chips.map(({ kind, label }) => (
                  <li key={label} className="max-w-full">
                    <Chip dir="auto" onClick={() => ask(kind, label)}>
                      {label}
                    </Chip>
                  </li>
                ))}
                <li className="max-w-full">{actions}</li>
              </ul>
            </div>
          ) : null}
          <div className="pt-6">{end}</div>
        </div>
      </div>
      <div className="relative border-rule border-t pt-2.5 pb-[max(0.875rem,env(safe-area-inset-bottom))]">
        <div className={frameClass}>
          <QuestionForm
            conversation={conversation}
            field={field}
            placeholder={placeholder}
            canFollow={lastAnswered !== undefined && !isAnswering}
            isAnswering={isAnswering}
            onAsk={(question) => ask("asked", question)}
          />
        </div>
      </div>
    </>
  );
}

/** A question that a press asks. */
interface Suggestion {
  kind: QuestionKind;
  label: string;
}

export const Chip = (props: ComponentProps<"button">) => (
  <button
    {...props}
    type="button"
    className="touch-target inline-flex min-h-8 max-w-full items-center gap-2 rounded-[1.125rem] border border-rule-control bg-sheet px-3.5 py-1 text-start text-ink-2 wrap-anywhere transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
  />
);

/** What a screen reader hears of the last question. */
export function getStatus(entry: Entry | undefined, t: Translate): string {
  if (!entry) return "";
  if (isOpen(entry)) return describeProgress(entry, t);
  const count = entry.state === "done" ? entry.statements.length : 0;
  return count > 0 ? t("ask.answered", { count }) : "";
}

/** Above the oldest question that is shown: the way to those before it. */
export function EarlierQuestions({ query }: { query: ReturnType<typeof useQuestions> }) {
  const t = useT();
  const { isPending, isError, data, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  if (isPending)
    return (
      <div role="status" className="grid gap-2.5 py-2">
        <span className="sr-only">{t("ask.loading")}</span>
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-3.5 w-full" />
        <Skeleton className="h-3.5 w-4/5" />
      </div>
    );
  if (isError && !data)
    return (
      <LoadFailure
        text={t("ask.listFailed")}
        onRetry={query.refetch}
        className="flex flex-wrap items-center justify-between gap-2 py-1 text-sm"
      />
    );
  if (!hasNextPage) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 py-1 text-ink-2 text-sm">
      {isFetchNextPageError ? <p role="alert">{t("ask.earlierFailed")}</p> : null}
      <Button size="small" disabled={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t("ask.earlier")}
      </Button>
    </div>
  );
}
