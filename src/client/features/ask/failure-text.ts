import type { ApiError } from "#client/lib/api-error.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useValue } from "#client/lib/signal.ts";
import { isOffline } from "#client/state/offline.ts";
import { LectureNotSavedError } from "./conversation.ts";
import { useT } from "./messages/index.ts";

/** Why a question was not answered, and what can be done. */
export function useFailureText(): (failure: ApiError) => string {
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
