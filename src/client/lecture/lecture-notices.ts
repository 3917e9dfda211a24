import { ApiError } from "#client/lib/call-server.ts";
import { type BudgetCode, isBudgetError } from "#client/translation/model-pause.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import type { ErrorCode } from "#shared/errors.ts";

/** What a person is told of a lecture's text, whether it is recorded or only read. */
export type LectureNotice =
  | { kind: "noContent"; for: "save" | "summary" }
  | { kind: "signInRequired"; for: "lectures" | "save" | "summary" }
  /** `summaryImpossible`: nothing here can summarise. `summaryUnusable`: the model has answered, with no summary. */
  | { kind: "summaryGenerated" | "summaryFailed" | "summaryImpossible" | "summaryUnusable" }
  /** The day's model budget is used up. Sent once, and for each requested summary. */
  | { kind: "modelBudgetExhausted"; budget: "user" | "guest" | "site" }
  /** A translation that the person requested failed. */
  | { kind: "translationFailed" }
  | { kind: "saveFailed" }
  /** What the person has written as a summary. */
  | { kind: "summaryNotSaved"; code: ErrorCode }
  /** The lecture or the account is full. Sent once; what is not saved stays on the page. */
  | { kind: "capacityReached"; code: "lecture_full" | "account_full" }
  /** The open lecture was deleted in another tab or device. Sent once; the transcript stays on the page. */
  | { kind: "lectureDeletedElsewhere"; id: string }
  /** The folder in which a new lecture was to be is gone; it is in none. */
  | { kind: "newFolderMissing" }
  | { kind: "sessionExpired" };

export function toSummaryNotice(error: ApiError | null): LectureNotice {
  if (error?.code === "unauthenticated") return { kind: "sessionExpired" };
  if (error?.code === "sign_in_required") return { kind: "signInRequired", for: "summary" };
  if (error?.code === "llm_unusable") return { kind: "summaryUnusable" };
  // Guests have no summaries.
  if (isBudgetError(error)) return toBudgetNotice(error.code, "user");
  return { kind: error instanceof NoTranslatorError ? "summaryImpossible" : "summaryFailed" };
}

export function toSummarySaveNotice(error: unknown, lectureId: string): LectureNotice {
  const code = error instanceof ApiError ? error.code : "internal";
  const notice = toSaveNotice(code, lectureId);
  const isOfLecture = notice.kind === "saveFailed" || notice.kind === "capacityReached";
  return isOfLecture ? { kind: "summaryNotSaved", code } : notice;
}

export function toBudgetNotice(code: BudgetCode, identity: "user" | "guest"): LectureNotice {
  const budget = code === "site_budget_exhausted" ? "site" : identity;
  return { kind: "modelBudgetExhausted", budget };
}

export function toSaveNotice(code: ErrorCode, lectureId: string): LectureNotice {
  if (code === "not_found") return { kind: "lectureDeletedElsewhere", id: lectureId };
  if (code === "unauthenticated") return { kind: "sessionExpired" };
  if (code === "lecture_full" || code === "account_full") return { kind: "capacityReached", code };
  return { kind: "saveFailed" };
}
