import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { Button } from "#client/ui/button.tsx";
import { LinkLoading, LinkPage, LinkUnresolved } from "./link-page.tsx";
import { useT } from "./messages/index.ts";
import { getStoredRecovery, verifyRecoveryLink } from "./recovery.ts";
import { ResetForm } from "./reset-form.tsx";
import { useMailLink } from "./use-mail-link.ts";

const redirectAfterMs = 2_000;

export function ResetStates() {
  const t = useT();
  const navigate = useNavigate();
  const { state, setState, tryAgain } = useMailLink(verifyRecoveryLink, getStoredRecovery);

  useEffect(() => {
    if (state.at !== "success") return;
    const timer = setTimeout(() => void navigate({ to: "/auth" }), redirectAfterMs);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const newLink = (
    <Button look="ink" onClick={() => navigate({ to: "/auth", state: { forgotten: true } })}>
      {t("reset.newLink")}
    </Button>
  );

  switch (state.at) {
    case "loading":
      return <LinkLoading label={t("reset.loading")} />;
    case "ready":
      return (
        <LinkPage title={t("reset.title")} text={t("reset.text", { email: state.email })}>
          <ResetForm email={state.email} onDone={setState} />
        </LinkPage>
      );
    case "success":
      return <LinkPage title={t("reset.success")} text={t("reset.successText")} />;
    case "expired":
      return (
        <LinkPage isError title={t("link.expired")} text={t("reset.expiredText")}>
          {newLink}
        </LinkPage>
      );
    case "error":
      return (
        <LinkPage isError title={t("reset.error")} text={t("reset.errorText")}>
          {newLink}
        </LinkPage>
      );
    case "unclear":
      return <LinkUnresolved title={t("reset.error")} text={state.text} onRetry={tryAgain} />;
    default:
      return state satisfies never;
  }
}
