import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useT } from "../../i18n/index.ts";
import { visitor } from "../../lib/auth.ts";
import { useValue } from "../../lib/signal.ts";
import { Button } from "../../ui/button.tsx";
import { confirmByLink } from "./confirmation.ts";
import { LinkPage, LinkTried, LinkUnclear } from "./link-page.tsx";
import { resendConfirmation } from "./resend.ts";
import { useMailLink } from "./use-mail-link.ts";

const noLink = () => ({ at: "error" }) as const;

/** What became of a confirmation link, and the way on. */
export function ConfirmationStates() {
  const t = useT();
  const navigate = useNavigate();
  const who = useValue(visitor);
  const { state, tryAgain } = useMailLink(confirmByLink, noLink);

  useEffect(() => {
    if (state.at !== "success") return;
    const timer = setTimeout(() => void navigate({ to: "/" }), state.leaveAfterMs);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const retry = (
    <Button look="ink" onClick={() => navigate({ to: "/auth" })}>
      {t("confirmation.retry")}
    </Button>
  );
  const newLink =
    who.kind === "user" && !who.user.emailVerified ? (
      <Button look="ink" onClick={() => void resendConfirmation()}>
        {t("confirm.resend")}
      </Button>
    ) : null;

  switch (state.at) {
    case "loading":
      return <LinkTried label={t("confirmation.loading")} />;
    case "success":
      return (
        <LinkPage
          title={t("confirmation.success")}
          text={t(state.elsewhere ? "confirmation.successElsewhere" : "confirmation.successText", {
            email: state.email,
          })}
        />
      );
    case "expired":
      return (
        <LinkPage alarming title={t("link.expired")} text={t("confirmation.expiredText")}>
          {newLink}
          {retry}
        </LinkPage>
      );
    case "error":
      return (
        <LinkPage alarming title={t("confirmation.error")} text={t("confirmation.errorText")}>
          {newLink}
          {retry}
        </LinkPage>
      );
    case "unclear":
      return <LinkUnclear title={t("confirmation.error")} text={state.text} onRetry={tryAgain} />;
    default:
      return state satisfies never;
  }
}
