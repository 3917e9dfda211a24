import { useEffect, useRef, useState } from "react";
import { toast } from "#client/lib/notifications.ts";
import { checkSubscription, useSubscription } from "#client/state/subscription.ts";
import { useT } from "./messages/index.ts";

const checkIntervalMs = 2_000;
/** After this the page stops asking; the user channel still reports when the plan is active. */
const lateAfterMs = 60_000;

interface CheckoutReturnProps {
  outcome: "success" | "cancel";
  onNotified: () => void;
}

/** Anybody can open this address: a payment is only confirmed once the server reports it. */
export default function CheckoutReturn({ outcome, onNotified }: CheckoutReturnProps) {
  const t = useT();
  const wasNotified = useRef(false);
  const { info, state } = useSubscription();
  const active = state === "known" && info.subscribed && info.subscriptionStatus === "active";
  const isOver = outcome === "cancel" || active;

  // biome-ignore lint/correctness/useExhaustiveDependencies: notifies once, in the current language
  useEffect(() => {
    if (!isOver || wasNotified.current) return;
    wasNotified.current = true;
    if (outcome === "cancel") toast({ kind: "info", title: t("plans.cancelled") });
    else toast({ kind: "success", title: t("plans.activated") });
    onNotified();
  }, [isOver]);

  return isOver ? null : <Activating />;
}

function Activating() {
  const t = useT();
  const [isLate, setLate] = useState(false);

  useEffect(() => {
    if (isLate) return;
    const interval = setInterval(() => void checkSubscription(), checkIntervalMs);
    const timeout = setTimeout(() => setLate(true), lateAfterMs);
    return () => {
      clearInterval(interval);
      clearTimeout(timeout);
    };
  }, [isLate]);

  return (
    <section role="status" className="mb-8 grid gap-1 rounded-m bg-jade-wash px-4.5 py-3.5">
      <p className="flex items-center gap-2.5 font-medium text-jade">
        <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-current" />
        {t(isLate ? "payment.unknown" : "payment.activating")}
      </p>
      <p className="text-ink-2">{t(isLate ? "payment.late" : "payment.activatingText")}</p>
    </section>
  );
}
