import { useState } from "react";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useLatch, useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { deleteAllQuestions, useQuestions } from "#client/state/ask.ts";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import type { QuestionScope } from "#shared/question.ts";
import { getConversation } from "./conversation.ts";
import { useT } from "./messages/index.ts";

/** Deletes all questions of `scope` after a confirmation. Shows nothing while there are none. */
export function DeleteAll({ scope }: { scope: QuestionScope }) {
  const t = useT();
  const conversation = getConversation(scope);
  const { data } = useQuestions(scope);
  const asked = useValue(conversation.asked);
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useLatch(isOpen);
  const hasQuestions = asked.length > 0 || data?.pages.some(({ items }) => items.length > 0);

  /** Resolves to whether that succeeded. */
  async function deleteAll(): Promise<boolean> {
    // An answer that is complete meanwhile would be kept.
    conversation.stop();
    try {
      await deleteAllQuestions(scope);
      conversation.clear();
      return true;
    } catch (failure) {
      toastFailure(t("ask.deleteAllFailed"), getErrorMessage(failure));
      return false;
    }
  }

  return (
    <>
      {hasQuestions ? (
        <TextButton onClick={() => setOpen(true)} className="text-ink-3 text-sm hover:text-ink">
          {t("ask.deleteAll")}
        </TextButton>
      ) : null}
      {wasOpened ? (
        <ConfirmDialog
          open={isOpen}
          title={t("ask.deleteAllTitle")}
          text={t("ask.deleteAllText")}
          confirmLabel={t("ask.deleteAllConfirm")}
          busyLabel={t("ask.deleting")}
          onClose={() => setOpen(false)}
          onConfirm={deleteAll}
        />
      ) : null}
    </>
  );
}
