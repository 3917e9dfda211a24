import { mailLink } from "#client/state/mail-link.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { endUserSession } from "#client/state/session.ts";
import { trpc } from "#client/state/trpc.ts";
import type { FieldErrors } from "#client/ui/form.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { notifyBrokenRule, validateForm } from "#client/ui/validation.ts";
import { resetForm } from "#shared/account.ts";
import { t } from "./messages/index.ts";
import { endRecovery, type Recovery, toRecoveryFailure } from "./recovery.ts";
import { toLinkFailure } from "./use-mail-link.ts";

/**
 * Sets the new password and signs out.
 *
 * @returns the next state, or what the user has to correct.
 */
export async function setPassword(values: unknown): Promise<Recovery | { errors: FieldErrors }> {
  const { data, errors } = validateForm(resetForm, values);
  if (errors) return { errors };
  try {
    await trpc.auth.setPassword.mutate({ password: data.password });
  } catch (failure) {
    const broken = notifyBrokenRule(failure, "password");
    if (broken) return { errors: broken };
    const next = toLinkFailure(failure);
    if (next.phase === "unclear") {
      toastFormFailure(t("forgotten.error"), next.text);
      return { errors: {} };
    }
    return toRecoveryFailure(next);
  }
  endRecovery();
  mailLink.set(null);
  await endUserSession();
  endRecordingSession();
  return { phase: "success" };
}
