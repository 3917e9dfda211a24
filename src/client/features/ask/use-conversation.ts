import { useEffect, useMemo, useState } from "react";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { deleteQuestions, useQuestions } from "#client/state/ask.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { AskInput, QuestionKind, QuestionScope } from "#shared/question.ts";
import { type Entry, getConversation, isOpen, listEntries } from "./conversation.ts";
import { useT } from "./messages/index.ts";

interface ConversationOptions {
  scope: QuestionScope;
  /** The language of the answers. */
  answerIn: TranslationLanguage;
  /** Saves what is asked; resolves to false if it could not. */
  prepare: () => Promise<boolean>;
}

/** The questions of a scope with their answers, and what can be done with them. A page that is left ends the answer. */
export function useConversation({ scope, answerIn, prepare }: ConversationOptions) {
  const t = useT();
  const conversation = getConversation(scope);
  const query = useQuestions(scope);
  const asked = useValue(conversation.asked);
  /** Oldest first. */
  const entries = useMemo(() => {
    const kept = query.data?.pages.flatMap(({ items }) => items) ?? null;
    return listEntries(kept, asked);
  }, [query.data, asked]);
  /** The question that was asked here last. */
  const [lastAskedId, setLastAskedId] = useState<string | null>(null);

  useEffect(() => () => conversation.stop(), [conversation]);

  function start(input: AskInput) {
    setLastAskedId(input.id);
    void conversation.ask(input, prepare);
  }

  return {
    conversation,
    query,
    entries,
    isLoaded: !query.isPending,
    isAnswering: entries.some(isOpen),
    lastAnswered: entries.findLast(({ state }) => state === "done"),
    lastAskedId,
    ask(kind: QuestionKind, question: string, follows: string | null) {
      start({ id: crypto.randomUUID(), scope, kind, question, follows, answerIn });
    },
    retry({ id, kind, question, follows, answeredIn }: Entry) {
      start({ id, scope, kind, question, follows, answerIn: answeredIn });
    },
    /** At once on the page. If that fails, an answered one is back, and a toast says so. */
    async remove({ id, state }: Entry) {
      const isAnswered = state === "done";
      if (!isAnswered) conversation.remove(id);
      try {
        // The server may also have one whose answer was complete and lost on its way.
        await deleteQuestions(scope, [id]);
        conversation.remove(id);
      } catch (failure) {
        if (isAnswered) toastFailure(t("ask.deleteFailed"), getErrorMessage(failure));
      }
    },
  };
}
