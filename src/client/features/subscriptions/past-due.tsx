import { useBusy } from "#client/lib/hooks.ts";
import { useSubscription } from "#client/state/subscription.ts";
import { Button } from "#client/ui/button.tsx";
import { manageBilling } from "./billing.ts";
import { useT } from "./messages/index.ts";

export default function PastDue() {
  const t = useT();
  const { info } = useSubscription();
  const [busy, run] = useBusy();
  if (info.paymentState === "ok") return null;

  return (
    <section
      role="alert"
      className="mb-8 grid items-center justify-items-start gap-x-6 gap-y-3 rounded-m bg-warn-wash px-4.5 py-3.5 sm:grid-cols-[1fr_auto]"
    >
      <div className="grid gap-1">
        <p className="font-medium text-warn">{t("payment.pastDue")}</p>
        <p className="text-ink-2">
          {info.subscribed
            ? t("payment.pastDueText", { plan: t(`plan.${info.subscriptionTier}`) })
            : t("payment.onHoldText")}
        </p>
      </div>
      <Button look="ink" disabled={busy} onClick={() => void run(manageBilling)}>
        {t("payment.update")}
      </Button>
    </section>
  );
}
