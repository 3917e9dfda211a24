import { useEffect } from "react";
import { useT } from "#client/i18n/index.ts";
import { useBusy, useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";
import { resendConfirmation } from "#client/state/resend-confirmation.ts";
import { trpc } from "#client/state/trpc.ts";
import { visitor } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";
import { NewTabLink } from "#client/ui/new-tab-link.tsx";

/** Where mails that are not really sent are kept (development), once the server has said it. */
const outbox = new Signal<string | null>(null);

/** Asks the user to confirm their address. An unconfirmed address limits nothing. */
export function ConfirmNotice() {
  const t = useT();
  const who = useValue(visitor);
  const [busy, run] = useBusy();
  const unconfirmed = who.kind === "user" && !who.user.emailVerified;
  const outboxUrl = useValue(outbox);
  // Without the library's data, which comes later and would move the page.
  useEffect(() => {
    if (!unconfirmed || outbox.get() !== null) return;
    trpc.site.info.query().then(
      (site) => outbox.set(site.outboxUrl),
      (failure: unknown) => console.warn("The outbox is not known", failure),
    );
  }, [unconfirmed]);
  if (!unconfirmed) return null;
  return (
    <section
      aria-label={t("confirm.label")}
      data-confirm-notice=""
      className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-2.5 rounded-m bg-paper-2 px-4.5 py-3 text-ink-2"
    >
      <p className="min-w-0 grow basis-100 wrap-anywhere">
        {t("confirm.text", { email: who.user.email })}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button size="small" disabled={busy} onClick={() => void run(resendConfirmation)}>
          {t("confirm.resend")}
        </Button>
        {outboxUrl ? <NewTabLink href={outboxUrl} label={t("mail.openOutbox")} /> : null}
      </div>
    </section>
  );
}
