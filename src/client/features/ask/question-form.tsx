import { ArrowUp, CornerDownRight, Square } from "lucide-react";
import type { RefObject } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { isOffline } from "#client/state/offline.ts";
import { IconButton } from "#client/ui/button.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { questionMaxLength } from "#shared/limits.ts";
import type { Conversation } from "./conversation.ts";
import { useT } from "./messages/index.ts";

/** From so many characters on it is said how many are left. */
const fewLeft = 50;

interface QuestionFormProps {
  conversation: Conversation;
  field: RefObject<HTMLTextAreaElement | null>;
  /** There is an answer that the next question can follow up. */
  canFollow: boolean;
  isAnswering: boolean;
  onAsk: (question: string) => void;
  placeholder: string;
}

/** The field for the next question. What is typed stays until it is asked. */
export function QuestionForm({
  conversation,
  field,
  canFollow,
  isAnswering,
  onAsk,
  placeholder,
}: QuestionFormProps) {
  const t = useT();
  const draft = useValue(conversation.draft);
  const offline = useValue(isOffline);
  const question = draft.trim();
  const canAsk = question !== "" && !isAnswering && !offline;

  function ask() {
    if (!canAsk) return;
    conversation.draft.set("");
    onAsk(question);
  }

  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      {offline ? (
        <p role="status" data-foot-line className="text-pretty text-ink-2 text-sm">
          {t("ask.offline")}
        </p>
      ) : null}
      {canFollow ? <FollowLine conversation={conversation} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end rounded-m border border-rule-control bg-sheet transition-colors duration-150 ease-quiet focus-within:border-ink hover:border-rule-strong focus-within:hover:border-ink">
        <GrowingTextarea
          ref={field}
          rows={1}
          dir="auto"
          aria-label={t("ask.question")}
          placeholder={placeholder}
          value={draft}
          maxLength={questionMaxLength}
          enterKeyHint="send"
          onChange={(event) => conversation.draft.set(event.target.value)}
          onKeyDown={(event) => {
            // Enter also ends the input of a Chinese word.
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            ask();
          }}
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
