import { useNavigate } from "@tanstack/react-router";
import { Button } from "#client/ui/button.tsx";
import { LinkFailed, LinkLoading, LinkPage, LinkSuccess } from "./link-page.tsx";
import { useT } from "./messages/index.ts";
import { getStoredRecovery, verifyRecoveryLink } from "./recovery.ts";
import { ResetForm } from "./reset-form.tsx";
import { useMailLink } from "./use-mail-link.ts";

const redirectAfterMs = 2_000;

export function ResetStates() {
  const t = useT();
  const navigate = useNavigate();
  const { state, setState, tryAgain } = useMailLink(verifyRecoveryLink, getStoredRecovery);

  switch (state.phase) {
    case "loading":
      return <LinkLoading label={t("reset.loading")} />;
    case "ready":
      return (
        <LinkPage title={t("reset.title")} text={t("reset.text", { email: state.email })}>
          <ResetForm email={state.email} onDone={setState} />
        </LinkPage>
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
