import { useT } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/signal.ts";
import { useBusy } from "#client/lib/use-busy.ts";
import { visitor } from "#client/state/auth.ts";
import { api } from "#client/state/queries.tsx";
import { resendConfirmation } from "#client/state/resend-confirmation.ts";
import { Button } from "#client/ui/button.tsx";
import { NewTabLink } from "#client/ui/new-tab-link.tsx";

/** Asks the user to confirm their address. An unconfirmed address limits nothing. */
export function ConfirmNotice() {
  const t = useT();
  const who = useValue(visitor);
  const [busy, run] = useBusy();
  const unconfirmed = who.kind === "user" && !who.user.emailVerified;
  const { data: site } = api.site.info.useQuery(undefined, {
    staleTime: Number.POSITIVE_INFINITY,
    enabled: unconfirmed,
  });
  if (!unconfirmed) return null;
  return (
    <section
      aria-label={t("confirm.label")}
      className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-2.5 rounded-m bg-paper-2 px-4.5 py-3 text-ink-2"
    >
      <p className="min-w-0 grow basis-100 wrap-anywhere">
        {t("confirm.text", { email: who.user.email })}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button size="small" disabled={busy} onClick={() => void run(resendConfirmation)}>
          {t("confirm.resend")}
        </Button>
        {site?.outboxUrl ? <NewTabLink href={site.outboxUrl} label={t("mail.openOutbox")} /> : null}
      </div>
    </section>
  );
}
