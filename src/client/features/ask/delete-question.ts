import { getErrorMessage } from "#client/lib/error-message.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { deleteAllQuestions, deleteQuestions } from "#client/state/ask.ts";
import type { Conversation } from "./conversation.ts";
import type { Entry } from "./list-entries.ts";
import { t } from "./messages/index.ts";

/** Deletes a question, at once on the page. If that fails, it is back, and a toast says so. */
export async function deleteQuestion(conversation: Conversation, entry: Entry): Promise<void> {
  const { id, state } = entry;
  // The server has only those that were answered.
  if (state !== "done") return conversation.remove(id);
  try {
    await deleteQuestions(conversation.scope, [id]);
    conversation.remove(id);
  } catch (failure) {
    toastFailure(t("ask.deleteFailed"), getErrorMessage(failure));
  }
}

/** Deletes all questions of a conversation. Resolves to whether that succeeded; otherwise a toast says why not. */
export async function deleteAll(conversation: Conversation): Promise<boolean> {
  try {
    await deleteAllQuestions(conversation.scope);
    conversation.clear();
    return true;
  } catch (failure) {
    toastFailure(t("ask.deleteAllFailed"), getErrorMessage(failure));
    return false;
  }
}
