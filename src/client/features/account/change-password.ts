import { toApiError } from "#client/lib/api-error.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { notifyBrokenRule, validateForm } from "#client/lib/validation.ts";
import { requestPasswordReset } from "#client/state/auth.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import { trpc } from "#client/state/trpc.ts";
import { passwordChangeForm } from "#shared/account.ts";
import { t } from "./messages/index.ts";

function notifyFailure(failure: unknown): void {
  if (notifyBrokenRule(failure)) return;
  const { code } = toApiError(failure);
  // An expired session is reported elsewhere.
  if (code === "unauthenticated") return;
  const wrong = code === "current_password_invalid";
  toastFailure(t(wrong ? "password.incorrect" : "password.failed"), getErrorMessage(failure));
}

/** Changes the password by the form's values and shows the outcome. Returns whether it was changed. */
export async function submitPasswordChange(values: unknown): Promise<boolean> {
  const form = validateForm(passwordChangeForm, values);
  if (!form) return false;
  const { currentPassword, newPassword } = form;
  try {
    await trpc.auth.changePassword.mutate({ currentPassword, newPassword });
  } catch (failure) {
    notifyFailure(failure);
    return false;
  }
  toast({ kind: "success", title: t("password.changed"), description: t("password.changedText") });
  return true;
}

export async function sendResetLink(email: string): Promise<void> {
  try {
    await requestPasswordReset(email);
    toast({ kind: "success", title: t("forgotten.sent"), description: t("forgotten.sentText") });
  } catch (failure) {
    toastFailure(t("forgotten.error"), getErrorMessage(failure));
  }
}
