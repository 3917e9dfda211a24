import type { LectureNotice } from "#client/lecture/lecture-notices.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { handleSessionExpired } from "#client/state/session.ts";
import { t } from "./dialog-messages/index.ts";

/** Notices that read the same wherever a lecture is shown. */
export type TextNotice = Exclude<
  LectureNotice,
  { kind: "lectureDeletedElsewhere" | "signInRequired" }
>;

interface NoticeActions {
  /** Null: the site has no plans. */
  openPlans: (() => void) | null;
  signIn(): void;
}

/** Tells the person of `notice`. The messages of this folder's dialogs have to be loaded. */
export function showTextNotice(notice: TextNotice, actions: NoticeActions): void {
  switch (notice.kind) {
    case "sessionExpired":
      handleSessionExpired();
      break;
    case "summaryGenerated":
      toast({ kind: "success", title: t("notice.summaryGenerated") });
      break;
    case "noContent":
      toast({
        kind: "info",
        title: t("notice.noContent"),
        description: t(notice.for === "save" ? "notice.noContentText" : "notice.noContentSummary"),
      });
      break;
    case "newFolderMissing":
    case "saveFailed":
    case "summaryFailed":
    case "translationFailed":
      toastFailure(t(`notice.${notice.kind}`), t(`notice.${notice.kind}Text`));
      break;
    case "summaryNotSaved":
      toastFailure(t("summary.saveFailed"), t(`error.${notice.code}`));
      break;
    case "summaryUnusable":
      toastFailure(t("notice.summaryFailed"), t("error.llm_unusable"));
      break;
    case "summaryImpossible":
      toastFailure(t("notice.summaryFailed"), t("notice.summaryImpossible"));
      break;
    case "capacityReached":
      toastFailure(t("notice.saveFailed"), t(`error.${notice.code}`));
      break;
    case "modelBudgetExhausted":
      showBudgetNotice(notice.budget, actions);
      break;
    default:
      notice satisfies never;
  }
}

/** What helps depends on whose daily budget it is: a larger plan, an account, or only waiting. */
function showBudgetNotice(budget: "user" | "guest" | "site", actions: NoticeActions): void {
  const title = t("notice.modelBudgetExhausted");
  const isGuest = budget === "guest";
  if (budget === "site" || (!isGuest && actions.openPlans === null)) {
    toastFailure(title, t("error.site_budget_exhausted"));
    return;
  }
  toast({
    kind: "failure",
    title,
    description: t(
      isGuest ? "notice.modelBudgetExhaustedGuestText" : "notice.modelBudgetExhaustedText",
    ),
    action:
      isGuest || actions.openPlans === null
        ? { label: t("auth.signIn"), run: actions.signIn }
        : { label: t("notice.toPlans"), run: actions.openPlans },
  });
}
