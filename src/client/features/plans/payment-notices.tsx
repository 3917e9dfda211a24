import { useEffect, useState } from "react";
import { useT } from "../../i18n/index.ts";
import { toast } from "../../lib/notify.ts";
import { checkSubscription, useSubscription } from "../../lib/subscription.ts";
import { Button } from "../../ui/button.tsx";
import { manageBilling } from "./billing.ts";

const askEveryMs = 2_000;
/** Then the page stops asking; the live channel still tells when the plan is there. */
const lateAfterMs = 60_000;

interface ActivatingProps {
  /** The plan is there. */
  onActivated: () => void;
}

/**
 * After a checkout: the payment provider tells the server of it in its own time, and only then is
 * the plan there.
 */
export function Activating({ onActivated }: ActivatingProps) {
  const t = useT();
  const [late, setLate] = useState(false);
  const { info, state } = useSubscription();
  const active = state === "known" && info.subscribed && info.subscriptionStatus === "active";

  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, in the language of the moment
  useEffect(() => {
    if (!active) return;
    toast({ kind: "success", title: t("plans.activated") });
    onActivated();
  }, [active]);

  useEffect(() => {
    if (active || late) return;
    const asking = setInterval(() => void checkSubscription(), askEveryMs);
    const ending = setTimeout(() => setLate(true), lateAfterMs);
    return () => {
      clearInterval(asking);
      clearTimeout(ending);
    };
  }, [active, late]);

  if (active) return null;
  return (
    <section role="status" className="mb-8 grid gap-1 rounded-m bg-jade-wash px-4.5 py-3.5">
      <p className="flex items-center gap-2.5 font-medium text-jade">
        <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-current" />
        {t("payment.activating")}
      </p>
      <p className="text-ink-2">{t(late ? "payment.late" : "payment.activatingText")}</p>
    </section>
  );
}

/** A payment failed: how to put that right. */
export function PastDue() {
  const t = useT();
  const { info } = useSubscription();
  const [busy, setBusy] = useState(false);
  if (info.paymentState === "ok") return null;

  async function pay() {
    setBusy(true);
    await manageBilling();
    setBusy(false);
  }

  return (
    <section
      role="alert"
      className="mb-8 grid items-center justify-items-start gap-x-6 gap-y-3 rounded-m bg-seal-wash px-4.5 py-3.5 sm:grid-cols-[1fr_auto]"
    >
      <div className="grid gap-1">
        <p className="font-medium text-seal-text">{t("payment.pastDue")}</p>
        <p className="text-ink-2">
          {info.subscribed
            ? t("payment.pastDueText", { plan: t(`plan.${info.subscriptionTier}`) })
            : t("payment.onHoldText")}
        </p>
      </div>
      <Button look="ink" disabled={busy} onClick={() => void pay()}>
        {t("payment.update")}
      </Button>
    </section>
  );
}
