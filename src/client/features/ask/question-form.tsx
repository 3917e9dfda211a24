import { ArrowUp, CornerDownRight, Square } from "lucide-react";
import type { ComponentProps, RefObject, SyntheticEvent } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { isOffline } from "#client/state/offline.ts";
import { IconButton } from "#client/ui/button.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { questionMaxLength } from "#shared/limits.ts";
import type { Conversation } from "./conversation.ts";
import { useT } from "./messages/index.ts";

/** From so many characters on it is said how many are left. */
const fewLeft = 50;

export interface QuestionProps {
  conversation: Conversation;
  field: RefObject<HTMLTextAreaElement | null>;
  isAnswering: boolean;
  onAsk: (question: string) => void;
}

/** The next question: the field's properties, and what its form does. What is typed stays until it is asked. */
export function useQuestion({ conversation, field, isAnswering, onAsk }: QuestionProps) {
  const t = useT();
  const draft = useValue(conversation.draft);
  const offline = useValue(isOffline);
  const question = draft.trim();
  const canAsk = question !== "" && !isAnswering && !offline;

  function ask(event: SyntheticEvent) {
    event.preventDefault();
    if (!canAsk) return;
    conversation.draft.set("");
    onAsk(question);
  }

  const fieldProps: ComponentProps<typeof GrowingTextarea> = {
    ref: field,
    dir: "auto",
    "aria-label": t("ask.question"),
    value: draft,
    maxLength: questionMaxLength,
    enterKeyHint: "send",
    onChange: (event) => conversation.draft.set(event.target.value),
    onKeyDown: (event) => {
      // Enter also ends the input of a Chinese word.
      if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) ask(event);
    },
  };
  return { draft, offline, canAsk, ask, fieldProps };
}

interface QuestionFormProps extends QuestionProps {
  /** There is an answer that the next question can follow up. */
  canFollow: boolean;
  placeholder: string;
}

/** The field for the next question about a lecture. */
export function QuestionForm({ canFollow, placeholder, ...props }: QuestionFormProps) {
  const { conversation, isAnswering } = props;
  const t = useT();
  const { draft, offline, canAsk, ask, fieldProps } = useQuestion(props);
  return (
    <form className="grid gap-2" onSubmit={ask}>
      {offline ? (
        <p role="status" data-foot-line className="text-pretty text-ink-2 text-sm">
          {t("ask.offline")}
        </p>
      ) : null}
      {canFollow ? <FollowLine conversation={conversation} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end rounded-m border border-rule-control bg-sheet transition-colors duration-150 ease-quiet focus-within:border-ink hover:border-rule-strong focus-within:hover:border-ink">
        <GrowingTextarea
          {...fieldProps}
          rows={1}
          placeholder={placeholder}
          className="max-h-36 min-h-11 resize-none bg-transparent py-2.5 pl-3.5 text-md leading-snug outline-none"
        />
        {isAnswering ? (
          <IconButton
            icon={Square}
            iconClass="size-4 fill-current"
            label={t("ask.stop")}
            onClick={() => conversation.stop()}
            className="m-1"
          />
        ) : (
          <IconButton
            icon={ArrowUp}
            iconClass="size-5"
            label={t("ask.send")}
            type="submit"
            disabled={!canAsk}
            className="m-1"
          />
        )}
      </div>
      <CharactersLeft draft={draft} />
    </form>
  );
}

export function CharactersLeft({ draft }: { draft: string }) {
  const t = useT();
  const count = questionMaxLength - draft.length;
  return count < fewLeft ? (
    <p role="status" className="tabular px-2 text-ink-3 text-xs">
      {t("ask.charactersLeft", { count })}
    </p>
  ) : null;
}

/** Whether the next question follows up the last answer, and the way to change that. */
function FollowLine({ conversation }: { conversation: Conversation }) {
  const t = useT();
  const isNew = useValue(conversation.isNew);
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-2 text-ink-3 text-sm">
      {isNew ? null : <CornerDownRight className="size-3.5" />}
      <span className="mr-auto">{t(isNew ? "ask.new" : "ask.isFollowUp")}</span>
      <button
        type="button"
        onClick={() => conversation.isNew.set(!isNew)}
        className="touch-reach rounded-s px-1 text-ink-2 underline decoration-rule underline-offset-3 transition-colors duration-150 ease-quiet hover:text-ink hover:decoration-current"
      >
        {t(isNew ? "ask.followUp" : "ask.new")}
      </button>
    </p>
  );
}
