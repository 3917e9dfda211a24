import { useState } from "react";
import { formMessages } from "#client/i18n/forms/index.ts";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { useBusy } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Button } from "#client/ui/button.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { Tabs } from "#client/ui/tabs.tsx";
import { CredentialsForm } from "./credentials-form.tsx";
import { useT } from "./messages/index.ts";

/** The forms' validation and calls, loaded when a user begins to fill one in. */
async function loadForms() {
  const [forms] = await Promise.all([import("./submit.ts"), formMessages.load()]);
  return forms;
}
type Forms = Awaited<ReturnType<typeof loadForms>>;
const preloadForms = () => void loadForms().catch(() => {});

const ForgottenForm = lazyPart(() => import("./forgotten-form.tsx"), formMessages);

type AuthTab = "signIn" | "signUp" | "guest";

interface AuthCardProps {
  /** Begins with the section for a forgotten password. */
  forgotten: boolean;
  /** Begins with Sign Up. */
  signUp: boolean;
  /** A guest's transcript in this tab becomes a lecture of the account. */
  keepsTranscript: boolean;
  onGuest: () => void;
}

/** Sign in, sign up, or continue as a guest. A sign-in changes `visitor`; a guest continues by `onGuest`. */
export function AuthCard({
  forgotten: startsForgotten,
  signUp,
  keepsTranscript,
  onGuest,
}: AuthCardProps) {
  const t = useT();
  const [forgotten, setForgotten] = useState(startsForgotten);
  const [tab, setTab] = useState<AuthTab>(signUp ? "signUp" : "signIn");
  /** The button below the forms led to the guest's tab. */
  const [isLedToGuest, setLedToGuest] = useState(false);
  const [busy, run] = useBusy();

  /** Runs `submit` with the code of the forms. Null after an unexpected failure. */
  const submitForm = <T,>(submit: (forms: Forms) => Promise<T>): Promise<T | null> =>
    run(async () => submit(await loadForms())).catch(() => {
      toastFormFailure(t("auth.error"), t("error.internal"));
      return null;
    });

  const enterAsGuest = () =>
    submitForm(async (forms) => {
      if (await forms.submitGuest()) onGuest();
    });

  const form = { busy, onFocus: preloadForms };
  const signIn = forgotten ? (
    <ForgottenForm
      {...form}
      fallback={<div className="h-60" />}
      onSubmit={(values) => submitForm((forms) => forms.submitForgotten(values))}
    />
  ) : (
    <CredentialsForm
      {...form}
      isNewAccount={false}
      onSubmit={(values) => submitForm((forms) => forms.submitSignIn(values))}
    />
  );

  return (
    <>
      {keepsTranscript ? (
        <p className="mb-4 rounded-m bg-jade-wash px-4 py-3 text-pretty text-jade">
          {t("auth.keepTranscript")}
        </p>
      ) : null}
      <Tabs<AuthTab>
        label={t("auth.tabs")}
        value={tab}
        onChange={(next) => {
          setTab(next);
          setLedToGuest(false);
        }}
        width="even"
        disabled={busy}
        tabs={[
          { value: "signIn", label: t("auth.signIn"), panel: signIn },
          {
            value: "signUp",
            label: t("auth.signUp"),
            panel: (
              <CredentialsForm
                {...form}
                isNewAccount
                onSubmit={(values) => submitForm((forms) => forms.submitSignUp(values))}
              />
            ),
          },
          {
            value: "guest",
            label: t("auth.guestMode"),
            panel: (
              <div className="grid gap-4">
                <p className="text-md">{t("auth.guestText")}</p>
                <p className="text-ink-2">{t("auth.guestKept")}</p>
                <Button
                  look="ink"
                  size="large"
                  disabled={busy}
                  autoFocus={isLedToGuest}
                  className="mt-2 w-full"
                  onClick={enterAsGuest}
                >
                  {t("auth.continueAsGuest")}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {tab === "guest" || keepsTranscript ? null : (
        <Button
          size="large"
          disabled={busy}
          className="mt-3 w-full"
          onClick={() => {
            preloadForms();
            setTab("guest");
            setLedToGuest(true);
          }}
        >
          {t("auth.tryAsGuest")}
        </Button>
      )}
      <div className="mt-6 flex items-center justify-between gap-4">
        {tab === "signIn" ? (
          <button
            type="button"
            disabled={busy}
            onClick={() => setForgotten(!forgotten)}
            className="touch-target text-ink-2 text-sm underline underline-offset-3 hover:text-ink"
          >
            {t(forgotten ? "forgotten.back" : "forgotten.link")}
          </button>
        ) : (
          <span />
        )}
        <LanguageSwitch />
      </div>
    </>
  );
}
