import type * as z from "zod/mini";
import { t } from "#client/i18n/forms/index.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toast } from "#client/lib/notifications.ts";
import { prepareGuestTicket } from "#client/state/next-guest-ticket.ts";
import { continueAsGuest } from "#client/state/session.ts";
import { requestPasswordReset, signIn, signUp } from "#client/state/sign-in.ts";
import { trpc } from "#client/state/trpc.ts";
import type { FieldErrors } from "#client/ui/form.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { notifyBrokenRule, validateForm } from "#client/ui/validation.ts";
import { credentials, forgotPasswordInput, signUpForm } from "#shared/account.ts";
import type { ResetRequest } from "./forgotten-form.tsx";

function notifyFailure(failure: unknown): FieldErrors {
  const broken = notifyBrokenRule(failure, "password");
  if (broken) return broken;
  const { code } = toApiError(failure);
  if (code === "email_in_use") {
    toastFormFailure(t("auth.exists"), t("error.email_in_use"));
    return { email: t("error.email_in_use") };
  }
  const text = getErrorMessage(failure);
  if (code === "invitation_sent") {
    toast({ kind: "success", title: t("auth.linkSent"), description: text });
    return {};
  }
  toastFormFailure(t("auth.error"), text);
  return code === "credentials_invalid" ? { password: text } : {};
}

/** Calls `run` with the form's values once they are valid, and shows what is wrong. Null after success. */
async function submit<T>(
  form: z.ZodMiniType<T>,
  values: unknown,
  run: (data: T) => Promise<void>,
): Promise<FieldErrors | null> {
  const { data, errors } = validateForm(form, values);
  if (errors) return errors;
  return run(data).then(() => null, notifyFailure);
}

/** Signs in with the form's values and shows the outcome. */
export const submitSignIn = (values: unknown) =>
  submit(credentials, values, async (data) => {
    await signIn(data);
    toast({ kind: "success", title: t("auth.welcomeBack") });
  });

/** Creates an account, signs in, and shows the outcome. */
export const submitSignUp = (values: unknown, invitation: string | null = null) =>
  submit(signUpForm, values, async ({ email, password }) => {
    const { user, mailSent } = await signUp({ email, password }, invitation);
    const text = t(mailSent ? "auth.createdText" : "auth.createdNoMail", { email: user.email });
    toast({
      kind: "success",
      title: t("auth.created"),
      ...(!user.emailVerified && { description: text }),
    });
  });

/**
 * Continues as a guest, with the ticket of the first recording prepared. Offline there is no ticket yet;
 * it is requested again when the recording begins.
 *
 * @returns whether the guest may continue.
 */
export async function submitGuest(): Promise<boolean> {
  try {
    await prepareGuestTicket();
  } catch (failure) {
    if (toApiError(failure).code !== "unavailable") {
      notifyFailure(failure);
      return false;
    }
  }
  await continueAsGuest();
  return true;
}

/** Requests a reset link for an address and shows the outcome, which is the same for every address. */
export async function submitForgotten(values: unknown): Promise<ResetRequest> {
  const { data, errors } = validateForm(forgotPasswordInput, values);
  if (errors) return { errors };
  try {
    await requestPasswordReset(data.email);
  } catch (failure) {
    toastFormFailure(t("forgotten.error"), getErrorMessage(failure));
    return { errors: {} };
  }
  toast({ kind: "success", title: t("forgotten.mailSent"), description: t("forgotten.sentText") });
  return { errors: null, outboxUrl: await fetchOutboxUrl() };
}

async function fetchOutboxUrl(): Promise<string | null> {
  try {
    return (await trpc.site.info.query()).outboxUrl;
  } catch (failure) {
    console.warn("The site's settings could not be read", failure);
    return null;
  }
}
