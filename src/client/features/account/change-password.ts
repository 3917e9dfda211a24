import { passwordChangeForm } from "../../../shared/account.ts";
import { t } from "../../i18n/index.ts";
import { checked } from "../../lib/checked.ts";
import { toApiError } from "../../lib/failure.ts";
import { toast } from "../../lib/notify.ts";
import { refusalText } from "../../lib/refusal.ts";
import { trpc } from "../../lib/trpc.ts";

export interface PasswordValues {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}

function tellRefusal(failure: unknown): void {
  const { code } = toApiError(failure);
  // A session that is over was told of already.
  if (code === "unauthenticated") return;
  const wrong = code === "current_password_invalid";
  toast({
    kind: "failure",
    title: t(wrong ? "password.incorrect" : "password.failed"),
    description: refusalText(failure),
  });
}

/** Changes the password of whoever is signed in; tells the outcome. */
export async function submitPasswordChange(values: PasswordValues): Promise<boolean> {
  const form = checked(passwordChangeForm, values);
  if (!form) return false;
  const { currentPassword, newPassword } = form;
  try {
    await trpc.auth.changePassword.mutate({ currentPassword, newPassword });
  } catch (failure) {
    tellRefusal(failure);
    return false;
  }
  toast({
    kind: "success",
    title: t("password.changed"),
    description: t("password.changedText"),
  });
  return true;
}

/** Sends the signed-in user a reset link, for whoever does not know the current password any more. */
export async function sendResetLink(email: string): Promise<void> {
  try {
    await trpc.auth.forgotPassword.mutate({ email });
    toast({ kind: "success", title: t("forgotten.sent"), description: t("forgotten.sentText") });
  } catch (failure) {
    toast({ kind: "failure", title: t("forgotten.error"), description: refusalText(failure) });
  }
}
