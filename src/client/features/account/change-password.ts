import { passwordChangeForm } from "../../../shared/account.ts";
import { askForReset } from "../../lib/auth.ts";
import { checked, tellBrokenRule } from "../../lib/checked.ts";
import { toApiError } from "../../lib/failure.ts";
import { toast, toastFailure } from "../../lib/notify.ts";
import { refusalText } from "../../lib/refusal.ts";
import { trpc } from "../../lib/trpc.ts";
import { t } from "./messages/index.ts";

export interface PasswordValues {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}

function tellRefusal(failure: unknown): void {
  if (tellBrokenRule(failure)) return;
  const { code } = toApiError(failure);
  // A session that is over was told of already.
  if (code === "unauthenticated") return;
  const wrong = code === "current_password_invalid";
  toastFailure(t(wrong ? "password.incorrect" : "password.failed"), refusalText(failure));
}

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

export async function sendResetLink(email: string): Promise<void> {
  try {
    await askForReset(email);
    toast({ kind: "success", title: t("forgotten.sent"), description: t("forgotten.sentText") });
  } catch (failure) {
    toastFailure(t("forgotten.error"), refusalText(failure));
  }
}
