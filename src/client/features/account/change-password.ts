import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { requestPasswordReset } from "#client/state/auth.ts";
import { trpc } from "#client/state/trpc.ts";
import type { FieldErrors } from "#client/ui/form.tsx";
import { notifyBrokenRule, validateForm } from "#client/ui/validation.ts";
import { passwordChangeForm } from "#shared/account.ts";
import { t } from "./messages/index.ts";

function notifyFailure(failure: unknown): FieldErrors {
  const broken = notifyBrokenRule(failure, "newPassword");
  if (broken) return broken;
  const { code } = toApiError(failure);
  // An expired session is reported elsewhere.
  if (code === "unauthenticated") return {};
  const wrong = code === "current_password_invalid";
  const text = getErrorMessage(failure);
  toastFailure(t(wrong ? "password.incorrect" : "password.failed"), text);
  return wrong ? { currentPassword: text } : {};
}

/** Changes the password by the form's values and shows the outcome. Resolves to null after success. */
export async function submitPasswordChange(values: unknown): Promise<FieldErrors | null> {
  const { data, errors } = validateForm(passwordChangeForm, values);
  if (errors) return errors;
  const { currentPassword, newPassword } = data;
  try {
    await trpc.auth.changePassword.mutate({ currentPassword, newPassword });
  } catch (failure) {
    return notifyFailure(failure);
  }
  toast({ kind: "success", title: t("password.changed"), description: t("password.changedText") });
  return null;
}

export async function sendResetLink(email: string): Promise<void> {
  try {
    await requestPasswordReset(email);
    toast({ kind: "success", title: t("forgotten.sent"), description: t("forgotten.sentText") });
  } catch (failure) {
    toastFailure(t("forgotten.error"), getErrorMessage(failure));
  }
}
