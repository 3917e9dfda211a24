import { useState } from "react";
import { useT } from "../../i18n/index.ts";
import { continueAsGuest } from "../../lib/auth.ts";
import { toast } from "../../lib/notify.ts";
import { Button } from "../../ui/button.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { CredentialsForm } from "./credentials-form.tsx";

/** The rules of the forms are loaded by whoever begins to fill one in. */
const loadForms = () => import("./enter.ts");

type Way = "signIn" | "signUp" | "guest";

/** The three ways in. Whoever signs in is seen by `visitor`; a guest goes on through `onGuest`. */
export function AuthCard({ onGuest }: { onGuest: () => void }) {
  const t = useT();
  const [way, setWay] = useState<Way>("signIn");
  const [busy, setBusy] = useState(false);

  async function during(call: () => Promise<void>) {
    setBusy(true);
    try {
      await call();
    } catch {
      toast({ kind: "failure", title: t("auth.error"), description: t("common.unexpected") });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Tabs<Way>
      label={t("auth.tabs")}
      value={way}
      onChange={setWay}
      width="even"
      disabled={busy}
      tabs={[
        {
          value: "signIn",
          label: t("auth.signIn"),
          panel: (
            <CredentialsForm
              submitLabel="auth.signIn"
              creating={false}
              busy={busy}
              onBegin={loadForms}
              onSubmit={(values) => during(async () => (await loadForms()).submitSignIn(values))}
            />
          ),
        },
        {
          value: "signUp",
          label: t("auth.signUp"),
          panel: (
            <CredentialsForm
              submitLabel="auth.createAccount"
              creating
              busy={busy}
              onBegin={loadForms}
              onSubmit={(values) => during(async () => (await loadForms()).submitSignUp(values))}
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
                className="mt-2 w-full"
                onClick={() =>
                  during(async () => {
                    await continueAsGuest();
                    onGuest();
                  })
                }
              >
                {t("auth.continueAsGuest")}
              </Button>
            </div>
          ),
        },
      ]}
    />
  );
}
