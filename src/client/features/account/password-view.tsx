import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { requestPasswordReset } from "#client/state/sign-in.ts";
import { trpc } from "#client/state/trpc.ts";
import { Button } from "#client/ui/button.tsx";
import { type FieldErrors, Form } from "#client/ui/form.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { PageHead } from "#client/ui/page-head.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { notifyBrokenRule, validateForm } from "#client/ui/validation.ts";
import { passwordChangeForm } from "#shared/account.ts";
import { t, useT } from "./messages/index.ts";

interface PasswordViewProps {
  email: string;
  onDone: () => void;
}

export default function PasswordView({ email, onDone }: PasswordViewProps) {
  const t = useT();
  const [busy, run] = useBusy();
  const field = { type: "password", autoComplete: "new-password", disabled: busy };

  async function submit(values: unknown) {
    const errors = await run(() => submitPasswordChange(values));
    if (!errors) onDone();
    return errors;
  }

  return (
    <>
      <PageHead title={t("password.title")}>{t("profile.passwordText")}</PageHead>
      <Form busy={busy} onSubmit={submit} className="mt-6 grid max-w-95 gap-4.5">
        {/* Password managers read the account's name here. */}
        <input hidden name="username" autoComplete="username" value={email} readOnly />
        <TextField
          {...field}
          name="currentPassword"
          label={t("password.current")}
          autoComplete="current-password"
        />
        <TextField
          {...field}
          name="newPassword"
          label={t("password.new")}
          hint={t("auth.passwordHint")}
        />
        <TextField {...field} name="confirmPassword" label={t("password.confirm")} />
        <div className="mt-1 flex flex-wrap gap-2">
          <Button type="submit" look="ink" disabled={busy}>
            {t("password.title")}
          </Button>
          <Button disabled={busy} onClick={onDone}>
            {t("common.cancel")}
          </Button>
        </div>
      </Form>
      <button
        type="button"
        disabled={busy}
        onClick={() => void run(() => sendResetLink(email))}
        className="touch-target mt-6 text-left text-ink-2 text-sm underline underline-offset-3 hover:text-ink"
      >
        {t("password.forgotten")}
      </button>
    </>
  );
}

function notifyFailure(failure: unknown): FieldErrors {
  const broken = notifyBrokenRule(failure, "newPassword");
  if (broken) return broken;
  const { code } = toApiError(failure);
  // An expired session is reported elsewhere.
  if (code === "unauthenticated") return {};
  const wrong = code === "current_password_invalid";
  const text = getErrorMessage(failure);
  toastFormFailure(t(wrong ? "password.incorrect" : "password.failed"), text);
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
