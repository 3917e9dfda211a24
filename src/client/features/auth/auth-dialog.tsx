import { useState } from "react";
import { useT } from "#client/i18n/forms/index.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { Tabs } from "#client/ui/tabs.tsx";
import { CredentialsForm } from "./credentials-form.tsx";
import ForgottenForm from "./forgotten-form.tsx";
import { submitForgotten, submitGuest, submitSignIn, submitSignUp } from "./submit.ts";

export type AuthTab = "signIn" | "signUp" | "guest";

interface AuthDialogProps {
  firstTab: AuthTab;
  /** Begins with the section for a forgotten password. */
  forgotten: boolean;
  /** With which an account can be created. */
  invitation?: string | null;
  /** A guest's transcript in this tab becomes a lecture of the account. */
  keepsTranscript: boolean;
  onClose: () => void;
  onGuest: () => void;
}

/** Not where that would open a keyboard over the dialog. */
const focusEmail = () =>
  matchMedia("(pointer: coarse)").matches ||
  (document.querySelector<HTMLElement>("[data-dialog] input[name=email]") ?? true);

/** Sign in, sign up, or continue as a guest. A sign-in changes `visitor`; a guest continues by `onGuest`. */
export default function AuthDialog(props: AuthDialogProps) {
  const { firstTab, keepsTranscript, onClose, onGuest } = props;
  const t = useT();
  const [forgotten, setForgotten] = useState(props.forgotten);
  const [tab, setTab] = useState(firstTab);
  const [email, setEmail] = useState("");
  const [busy, run] = useBusy();

  /** Null after an unexpected failure. */
  const submit = <T,>(call: () => Promise<T>): Promise<T | null> =>
    run(call).catch(() => {
      toastFormFailure(t("auth.error"), t("error.internal"));
      return null;
    });
  const enterAsGuest = () =>
    submit(async () => {
      if (await submitGuest()) onGuest();
    });

  const toggleForgotten = (
    <button
      type="button"
      disabled={busy}
      onClick={() => setForgotten(!forgotten)}
      className="touch-target justify-self-start text-ink-2 underline underline-offset-3 hover:text-ink"
    >
      {t(forgotten ? "forgotten.back" : "forgotten.link")}
    </button>
  );
  const signIn = forgotten ? (
    <ForgottenForm
      email={email}
      busy={busy}
      onSubmit={(values) => submit(() => submitForgotten(values))}
    >
      {toggleForgotten}
    </ForgottenForm>
  ) : (
    <CredentialsForm
      isNewAccount={false}
      email={email}
      onEmailChange={setEmail}
      busy={busy}
      onSubmit={(values) => submit(() => submitSignIn(values))}
    >
      {toggleForgotten}
    </CredentialsForm>
  );

  return (
    <Dialog open busy={busy} onClose={onClose} title={t("auth.title")} initialFocus={focusEmail}>
      {keepsTranscript ? (
        <p className="rounded-m bg-jade-wash px-4 py-3 text-pretty text-jade">
          {t("auth.keepTranscript")}
        </p>
      ) : null}
      <Tabs<AuthTab>
        label={t("auth.tabs")}
        value={tab}
        onChange={setTab}
        width="even"
        disabled={busy}
        tabs={[
          { value: "signIn", label: t("auth.signIn"), panel: signIn },
          {
            value: "signUp",
            label: t("auth.signUp"),
            panel: (
              <CredentialsForm
                isNewAccount
                email={email}
                onEmailChange={setEmail}
                busy={busy}
                onSubmit={(values) => submit(() => submitSignUp(values, props.invitation ?? null))}
              />
            ),
          },
          {
            value: "guest",
            label: t("auth.guestMode"),
            panel: (
              <div className="flex flex-col gap-4">
                <p className="text-md">{t("auth.guestText")}</p>
                <p className="text-ink-2">{t("auth.guestKept")}</p>
                <div className={footerClass}>
                  <Button look="ink" disabled={busy} onClick={enterAsGuest}>
                    {t("auth.continueAsGuest")}
                  </Button>
                </div>
              </div>
            ),
          },
        ]}
      />
    </Dialog>
  );
}
