import { useNavigate } from "@tanstack/react-router";
import { useT } from "#client/features/account/link-messages/index.ts";
import { LinkFailed, LinkLoading, LinkSuccess } from "#client/features/account/link-page.tsx";
import {
  type LinkFailure,
  memoizePerLink,
  toLinkFailure,
  type UsableLink,
  useMailLink,
} from "#client/features/account/use-mail-link.ts";
import { useValue } from "#client/lib/hooks.ts";
import { useTitle } from "#client/lib/title.ts";
import { resendConfirmation } from "#client/state/resend-confirmation.ts";
import { confirmEmail } from "#client/state/sign-in.ts";
import { visitor } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";

const noLink = () => ({ phase: "error" }) as const;

export default function EmailConfirmationPage() {
  const t = useT();
  useTitle(t("title.confirmation"));
  const navigate = useNavigate();
  const who = useValue(visitor);
  const { state, tryAgain } = useMailLink(confirmByLink, noLink);

  switch (state.phase) {
    case "loading":
      return <LinkLoading label={t("confirmation.loading")} />;
    case "success":
      return (
        <LinkSuccess
          title={t("confirmation.success")}
          text={t(state.elsewhere ? "confirmation.successElsewhere" : "confirmation.successText", {
            email: state.email,
          })}
          next="/"
          delayMs={state.redirectAfterMs}
        />
      );
    default: {
      const canResend = who.kind === "user" && !who.user.emailVerified;
      return (
        <LinkFailed failure={state} subject="confirmation" onRetry={tryAgain}>
          {canResend ? (
            <Button look="ink" onClick={() => void resendConfirmation()}>
              {t("confirm.resend")}
            </Button>
          ) : null}
          <Button
            look={canResend ? "plain" : "ink"}
            onClick={() => navigate({ to: "/auth", state: { unconfirmed: true } })}
          >
            {t("confirmation.retry")}
          </Button>
        </LinkFailed>
      );
    }
  }
}

type Confirmation =
  | {
      phase: "success";
      email: string;
      /** Another user is signed in here and stays signed in. */
      elsewhere: boolean;
      /** Delay before the redirect to the home page, in ms. */
      redirectAfterMs: number;
    }
  | LinkFailure;

const signedOutDelayMs = 2_000;
const signedInDelayMs = 1_000;

const confirmByLink = memoizePerLink(async (link: UsableLink): Promise<Confirmation> => {
  if (link.kind !== "token" || link.type !== "signup") return { phase: "error" };
  const redirectAfterMs = visitor.get().kind === "user" ? signedInDelayMs : signedOutDelayMs;
  try {
    const { user, signedIn } = await confirmEmail(link.tokenHash);
    return { phase: "success", email: user.email, elsewhere: !signedIn, redirectAfterMs };
  } catch (failure) {
    return toLinkFailure(failure);
  }
});
