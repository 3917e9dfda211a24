import { useNavigate } from "@tanstack/react-router";
import { useT } from "#client/features/account/link-messages/index.ts";
import { LinkFailed, LinkLoading, LinkSuccess } from "#client/features/account/link-page.tsx";
import {
  getStoredRecovery,
  type Recovery,
  verifyRecoveryLink,
} from "#client/features/account/recovery.ts";
import { useMailLink } from "#client/features/account/use-mail-link.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { useTitle } from "#client/lib/title.ts";
import { Button } from "#client/ui/button.tsx";
import { Form } from "#client/ui/form.tsx";
import { PlainPage } from "#client/ui/page.tsx";
import { TextField } from "#client/ui/text-field.tsx";

const redirectAfterMs = 2_000;

/** The form's validation and call, loaded when a user begins to fill it in. */
const loadForm = () => import("#client/features/account/set-password.ts");
const preloadForm = () => void loadForm().catch(() => {});

export default function ResetPasswordPage() {
  const t = useT();
  useTitle(t("title.reset"));
  const navigate = useNavigate();
  const { state, setState, tryAgain } = useMailLink(verifyRecoveryLink, getStoredRecovery);

  switch (state.phase) {
    case "loading":
      return <LinkLoading label={t("reset.loading")} />;
    case "ready":
      return (
        <PlainPage
          role="status"
          title={t("reset.title")}
          text={t("reset.text", { email: state.email })}
        >
          <ResetForm email={state.email} onDone={setState} />
        </PlainPage>
      );
    case "success":
      return (
        <LinkSuccess
          title={t("reset.success")}
          text={t("reset.successText")}
          next="/auth"
          delayMs={redirectAfterMs}
        />
      );
    default:
      return (
        <LinkFailed failure={state} subject="reset" onRetry={tryAgain}>
          <Button look="ink" onClick={() => navigate({ to: "/auth", state: { forgotten: true } })}>
            {t("reset.newLink")}
          </Button>
        </LinkFailed>
      );
  }
}

interface ResetFormProps {
  email: string;
  onDone: (next: Recovery) => void;
}

function ResetForm({ email, onDone }: ResetFormProps) {
  const t = useT();
  const [busy, run] = useBusy();
  const field = { type: "password", autoComplete: "new-password", disabled: busy };

  async function submit(values: unknown) {
    const next = await run(async () => {
      const form = await loadForm().catch(() => null);
      if (form) return form.setPassword(values);
      notifyLoadFailure();
      return { errors: {} };
    });
    if ("errors" in next) return next.errors;
    onDone(next);
    return null;
  }

  return (
    <Form
      busy={busy}
      onFocus={preloadForm}
      onSubmit={submit}
      className="grid w-full max-w-95 gap-4.5"
    >
      {/* Password managers read the account's name here. */}
      <input hidden name="username" autoComplete="username" value={email} readOnly />
      <TextField
        {...field}
        name="password"
        label={t("password.new")}
        hint={t("auth.passwordHint")}
      />
      <TextField {...field} name="confirmPassword" label={t("password.confirm")} />
      <Button type="submit" look="ink" size="large" disabled={busy} className="mt-1 w-full">
        {t("reset.submit")}
      </Button>
    </Form>
  );
}
