import { useEffect, useRef, useState } from "react";
import { toast } from "#client/state/notifications.ts";
import { checkSubscription, useSubscription } from "#client/state/subscription.ts";
import { useT } from "./messages/index.ts";

const checkIntervalMs = 2_000;
/** Then the page stops asking; the live channel still tells when the plan is there. */
const lateAfterMs = 60_000;

interface CheckoutReturnProps {
  outcome: "success" | "cancel";
  onNotified: () => void;
}

/** Anybody can open its address: nothing is said of a payment until the server knows of one. */
export function CheckoutReturn({ outcome, onNotified: onTold }: CheckoutReturnProps) {
  const t = useT();
  const wasNotified = useRef(false);
  const { info, state } = useSubscription();
  const active = state === "known" && info.subscribed && info.subscriptionStatus === "active";
  const isOver = outcome === "cancel" || active;

  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, in the language of the moment
  useEffect(() => {
    if (!isOver || wasNotified.current) return;
    wasNotified.current = true;
    if (outcome === "cancel") toast({ kind: "info", title: t("plans.cancelled") });
    else toast({ kind: "success", title: t("plans.activated") });
    onTold();
  }, [isOver]);

  return isOver ? null : <Activating />;
}

function Activating() {
  const t = useT();
  const [late, setLate] = useState(false);

  useEffect(() => {
    if (late) return;
    const asking = setInterval(() => void checkSubscription(), checkIntervalMs);
    const ending = setTimeout(() => setLate(true), lateAfterMs);
    return () => {
      clearInterval(asking);
      clearTimeout(ending);
    };
  }, [late]);

  return (
    <section role="status" className="mb-8 grid gap-1 rounded-m bg-jade-wash px-4.5 py-3.5">
      <p className="flex items-center gap-2.5 font-medium text-jade">
        <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-current" />
        {t(late ? "payment.unknown" : "payment.activating")}
      </p>
      <p className="text-ink-2">{t(late ? "payment.late" : "payment.activatingText")}</p>
    </section>
  );
}
