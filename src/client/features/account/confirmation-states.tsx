import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useValue } from "#client/lib/signal.ts";
import { confirmEmail, type Visitor, visitor } from "#client/state/auth.ts";
import type { MailLink } from "#client/state/mail-link.ts";
import { resendConfirmation } from "#client/state/resend-confirmation.ts";
import { Button } from "#client/ui/button.tsx";
import { type LinkFailure, memoizePerLink, toLinkFailure } from "./link-outcome.ts";
import { LinkLoading, LinkPage, LinkUnresolved } from "./link-page.tsx";
import { useT } from "./messages/index.ts";
import { useMailLink } from "./use-mail-link.ts";

const noLink = () => ({ at: "error" }) as const;

export function ConfirmationStates() {
  const t = useT();
  const navigate = useNavigate();
  const who = useValue(visitor);
  const { state, tryAgain } = useMailLink(confirmByLink, noLink);

  useEffect(() => {
    if (state.at !== "success") return;
    const timer = setTimeout(() => void navigate({ to: "/" }), state.redirectAfterMs);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const retry = (
    <Button look="ink" onClick={() => navigate({ to: "/auth", state: { unconfirmed: true } })}>
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
      return <LinkLoading label={t("confirmation.loading")} />;
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
        <LinkPage isError title={t("link.expired")} text={t("confirmation.expiredText")}>
          {newLink}
          {retry}
        </LinkPage>
      );
    case "error":
      return (
        <LinkPage isError title={t("confirmation.error")} text={t("confirmation.errorText")}>
          {newLink}
          {retry}
        </LinkPage>
      );
    case "unclear":
      return (
        <LinkUnresolved title={t("confirmation.error")} text={state.text} onRetry={tryAgain} />
      );
    default:
      return state satisfies never;
  }
}

type Confirmation =
  | {
      at: "success";
      email: string;
      /** Another user is signed in here and stays signed in. */
      elsewhere: boolean;
      /** Delay before the redirect to the home page, in ms. */
      redirectAfterMs: number;
    }
  | LinkFailure;

const signedOutDelayMs = 2_000;
const signedInDelayMs = 1_000;

const isUser = (who: Visitor) => who.kind === "user";

const confirmByLink = memoizePerLink(async (link: MailLink): Promise<Confirmation> => {
  if (link.kind !== "token" || link.type !== "signup") return { at: "error" };
  const signedInBefore = isUser(visitor.get());
  try {
    const { user, signedIn } = await confirmEmail(link.tokenHash);
    return {
      at: "success",
      email: user.email,
      elsewhere: !signedIn,
      redirectAfterMs: signedInBefore ? signedInDelayMs : signedOutDelayMs,
    };
  } catch (failure) {
    return toLinkFailure(failure);
  }
});
