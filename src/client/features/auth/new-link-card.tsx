import { Link } from "@tanstack/react-router";
import { useT } from "#client/i18n/forms/index.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { resendConfirmation } from "#client/state/resend-confirmation.ts";
import { Button } from "#client/ui/button.tsx";
import ForgottenForm from "./forgotten-form.tsx";
import { submitForgotten } from "./submit.ts";

interface NewLinkCardProps {
  user: { email: string; emailVerified: boolean };
  /** True for a password reset link; otherwise the link confirms the address. */
  forgotten: boolean;
}

export default function NewLinkCard({ user, forgotten }: NewLinkCardProps) {
  const t = useT();
  const [busy, run] = useBusy();
  return (
    <>
      {forgotten ? (
        <ForgottenForm busy={busy} onSubmit={(values) => run(() => submitForgotten(values))} />
      ) : (
        <section className="grid gap-4.5">
          <div className="grid gap-1">
            <h2 className="font-semibold text-lg tracking-tight">{t("newLink.title")}</h2>
            <p className="text-ink-2 wrap-anywhere">
              {t(user.emailVerified ? "newLink.confirmed" : "newLink.text", { email: user.email })}
            </p>
          </div>
          {user.emailVerified ? null : (
            <Button
              look="ink"
              size="large"
              disabled={busy}
              className="w-full"
              onClick={() => void run(resendConfirmation)}
            >
              {t("confirm.resend")}
            </Button>
          )}
        </section>
      )}
      <Link
        to="/"
        className="touch-target mt-6 inline-block text-ink-2 text-sm underline underline-offset-3 hover:text-ink"
      >
        {t("notFound.back")}
      </Link>
    </>
  );
}
