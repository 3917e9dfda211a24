import { useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { useBusy } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { formatReset, getMonthEnd } from "#client/lib/reset-times.ts";
import { useSubscription } from "#client/state/subscription.ts";
import { Button } from "#client/ui/button.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import type {
  BillingInterval,
  PlanDefinition,
  PlansInfo,
  SubscriptionInfo,
} from "#shared/plans.ts";
import { checkout, manageBilling, notifyActivated, usePlans } from "./billing.ts";
import { planMessages, useT } from "./messages/index.ts";
import { getOffer, isBilled, type Offer } from "./offers.ts";
import { PlanColumn } from "./plan-column.tsx";
import { getQuestion, getResumeQuestion, type PlanQuestion } from "./questions.ts";

const QuestionDialog = lazyPart(() => import("./question-dialog.tsx"), planMessages);

export default function PlansView() {
  const t = useT();
  const language = useLanguage();
  const plans = usePlans();
  const { info, state, retry } = useSubscription();
  const failed = (plans.isError && !plans.data) || state === "failed";

  function retryAll() {
    if (!plans.data) void plans.refetch();
    if (state === "failed") retry();
  }

  return (
    <>
      <PageHead title={t("plans.title")}>
        {t("plans.text", { date: formatReset(getMonthEnd(browserClock.now()), language) })}
      </PageHead>
      {plans.data && state === "known" ? <Plans sold={plans.data} info={info} /> : null}
      {failed ? (
        <LoadFailure
          text={t("plans.failed")}
          onRetry={retryAll}
          className="mt-8 flex flex-wrap items-center justify-between gap-3"
        />
      ) : null}
      {!failed && !(plans.data && state === "known") ? <Loading /> : null}
    </>
  );
}

function Plans({ sold, info }: { sold: PlansInfo; info: SubscriptionInfo }) {
  const t = useT();
  const [interval, setBillingInterval] = useState<BillingInterval>(info.interval ?? "month");
  const [busy, run] = useBusy();
  const [question, setQuestion] = useState<PlanQuestion | null>(null);
  const [isQuestionOpen, setQuestionOpen] = useState(false);
  const [needsPassword, setNeedsPassword] = useState(false);

  function choose(offer: Offer, plan: PlanDefinition) {
    // A checkout opens a tab, which browsers only allow in the click handler.
    if (offer.kind === "checkout") return void run(() => pay(offer.priceId, plan));
    if (offer.kind === "resume") return void run(() => runQuestion(getResumeQuestion(plan, t)));
    openQuestion(offer, plan, info);
  }

  async function pay(priceId: string, plan: PlanDefinition) {
    const meanwhile = await checkout(priceId);
    if (!meanwhile) return;
    const offer = getOffer(plan, interval, meanwhile);
    // The plan bought elsewhere is the chosen one.
    if (offer.kind === "none" && plan.tier !== "free") notifyActivated(plan.tier, interval);
    else openQuestion(offer, plan, meanwhile);
  }

  /** Runs the confirmed action; asks for the password when the server requires it. Returns whether it did. */
  async function runQuestion(next: PlanQuestion, password?: string): Promise<boolean> {
    const needsRetry = (await next.run(password)) === "password";
    if (needsRetry) {
      setQuestion(next);
      setNeedsPassword(true);
    }
    setQuestionOpen(needsRetry);
    return needsRetry;
  }

  function openQuestion(offer: Offer, plan: PlanDefinition, about: SubscriptionInfo) {
    const free = sold.plans.find(({ tier }) => tier === "free");
    const next = getQuestion(offer, plan, { interval, info: about, free, t });
    setQuestion(next);
    setQuestionOpen(next !== null);
    setNeedsPassword(false);
  }

  return (
    <>
      <div className="mt-6">
        <Segments<BillingInterval>
          label={t("plans.billing")}
          value={interval}
          options={[
            { value: "month", label: t("plans.monthly") },
            { value: "year", label: <AnnualLabel savingPercent={sold.annualSavingPercent} /> },
          ]}
          onChange={setBillingInterval}
        />
      </div>
      <ul
        aria-label={t("plans.list")}
        className="mt-6 grid rounded-l border border-rule bg-sheet min-[46rem]:grid-cols-3"
      >
        {sold.plans.map((plan) => (
          <PlanColumn
            key={plan.tier}
            plan={plan}
            interval={interval}
            info={info}
            busy={busy}
            onChoose={choose}
          />
        ))}
      </ul>
      {isBilled(info) ? (
        <div className="mt-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-rule border-t py-5">
          <p className="text-ink-2">{t("plans.manageText")}</p>
          <Button disabled={busy} onClick={() => void run(manageBilling)}>
            {t("plans.manage")}
          </Button>
        </div>
      ) : null}
      {question ? (
        <QuestionDialog
          question={question}
          open={isQuestionOpen}
          busy={busy}
          onClose={() => setQuestionOpen(false)}
          needsPassword={needsPassword}
          onConfirm={(password) => {
            // A password is corrected in the open dialog.
            if (password === undefined) setQuestionOpen(false);
            return run(() => runQuestion(question, password));
          }}
        />
      ) : null}
    </>
  );
}

function AnnualLabel({ savingPercent }: { savingPercent: number }) {
  const t = useT();
  return (
    <span className="flex gap-2">
      {t("plans.annual")}
      <span className="font-medium text-jade">{t("plans.saving", { percent: savingPercent })}</span>
    </span>
  );
}

function Loading() {
  return (
    <LoadingSkeleton className="mt-6">
      <Skeleton className="h-10 w-56 rounded-m" />
      <Skeleton className="mt-6 h-94 rounded-l" />
    </LoadingSkeleton>
  );
}
