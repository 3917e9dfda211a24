import { useBusy } from "#client/lib/hooks.ts";
import { useSubscription } from "#client/state/subscription.ts";
import { Button } from "#client/ui/button.tsx";
import { simulateDowngrade, simulatePayment, usePlans } from "./billing.ts";
import { useT } from "./messages/index.ts";
import { isBilled } from "./offers.ts";

/** Simulates a payment and a downgrade. Shown only where the server allows simulated billing. */
export default function TestButtons() {
  const t = useT();
  const { data } = usePlans();
  const { info } = useSubscription();
  const [busy, run] = useBusy();
  if (!data?.simulation) return null;

  // A really billed plan cannot be combined with a simulated one.
  const billed = isBilled(info);
  return (
    <section className="grid gap-3 border-rule border-t py-5">
      <div>
        <h2 className="font-medium">{t("simulate.title")}</h2>
        <p className="text-ink-3 text-sm">{t("simulate.text")}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {(["pro", "premium"] as const).map((tier) => (
          <Button
            key={tier}
            size="small"
            disabled={busy || billed}
            onClick={() => void run(() => simulatePayment(tier))}
          >
            {t(`simulate.${tier}`)}
          </Button>
        ))}
        <Button
          size="small"
          disabled={busy || !info.simulated}
          onClick={() => void run(simulateDowngrade)}
        >
          {t("simulate.downgrade")}
        </Button>
      </div>
    </section>
  );
}
