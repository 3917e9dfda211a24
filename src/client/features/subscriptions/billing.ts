import { getLanguage } from "#client/i18n/bundle.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { formatDay } from "#client/lib/dates.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { api } from "#client/state/queries.tsx";
import { getCachedSubscription, refreshSubscription } from "#client/state/subscription.ts";
import { trpc } from "#client/state/trpc.ts";
import { tellsSessionEnd } from "#client/state/visitor.ts";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { BillingInterval, PaidTier, SubscriptionInfo } from "#shared/plans.ts";
import { type MessageKey, t } from "./messages/index.ts";
import { blockedPage, openTab } from "./new-tab.tsx";
import { isBilled } from "./offers.ts";

/** The plans that are sold. They do not change while a page is open. */
export const usePlans = () =>
  api.subscriptions.plans.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });

/** "password": nothing was done; it must be done again with the (correct) password. */
export type Outcome = "done" | "password" | "failed";

/** Runs one call; a failure is logged and shown as `failed`, or as what the password lacks. */
async function attempt(failed: MessageKey, run: () => Promise<void>): Promise<Outcome> {
  try {
    await run();
    return "done";
  } catch (failure) {
    const { code } = toApiError(failure);
    if (code === "reauthentication_required") return "password";
    if (code === "current_password_invalid") {
      toastFormFailure(t("password.incorrect"), t("error.current_password_invalid"));
      return "password";
    }
    console.warn(failed, failure);
    toastFailure(t("common.error"), t(refusals[code] ?? failed));
    return "failed";
  }
}

/** What is said in place of that a call failed. */
const refusals: Partial<Record<ErrorCode, MessageKey>> = {
  payment_failed: "error.payment_failed",
  unauthenticated: "plans.logIn",
};

/** Of a call whose failure `attempt` shows. */
const options = { context: { [tellsSessionEnd]: true } };

export function formatPlan(tier: PaidTier, interval: BillingInterval): string {
  return t(interval === "year" ? "plans.planAnnual" : "plans.planMonthly", {
    plan: t(`plan.${tier}`),
  });
}

export function notifyActivated(tier: PaidTier, interval: BillingInterval): void {
  toast({ kind: "success", title: t("plans.activated"), description: formatPlan(tier, interval) });
}

async function finishChange(tier: PaidTier, interval: BillingInterval): Promise<void> {
  await refreshSubscription();
  notifyActivated(tier, interval);
}

/**
 * Opens the payment page for a price in a new tab. Must be called in a click handler.
 *
 * @returns the subscription that was bought elsewhere meanwhile: then nothing was opened or changed, and
 * the user has to choose again. Null otherwise.
 */
export async function checkout(priceId: string): Promise<SubscriptionInfo | null> {
  const tab = openTab();
  let meanwhile: SubscriptionInfo | null = null;
  const outcome = await attempt("plans.checkoutFailed", async () => {
    try {
      const result = await trpc.subscriptions.checkout.mutate({ priceId }, options);
      if (result.kind === "checkout") return tab.show(result.url);
      tab.close();
      await finishChange(result.tier, result.interval);
    } catch (failure) {
      if (toApiError(failure).code !== "conflict") throw failure;
      tab.close();
      await refreshSubscription();
      const cached = getCachedSubscription();
      if (!cached || !isBilled(cached)) throw failure;
      meanwhile = cached;
    }
  });
  if (outcome !== "done") tab.close();
  return meanwhile;
}

export const changePlan = (priceId: string, password?: string): Promise<Outcome> =>
  attempt("plans.checkoutFailed", async () => {
    const input = { priceId, change: true, ...(password !== undefined && { password }) };
    const result = await trpc.subscriptions.checkout.mutate(input, options);
    if (result.kind === "changed") return finishChange(result.tier, result.interval);
    // The plan has ended meanwhile: the user has to pay for a new one.
    blockedPage.set(result.url);
    await refreshSubscription();
  });

/** Opens the payment provider's page for the subscription in a new tab. Must be called in a click handler. */
export async function manageBilling(): Promise<void> {
  const tab = openTab();
  const outcome = await attempt("plans.portalFailed", async () => {
    const { url } = await trpc.subscriptions.portal.mutate(undefined, options);
    tab.show(url);
  });
  if (outcome !== "done") tab.close();
}

/** Shows `title`, and `text` with the plan and the day on which it ends or renews: `end`, if that is known already. */
async function finishTermChange(title: MessageKey, text: MessageKey, end?: string): Promise<void> {
  await refreshSubscription();
  const plan = getCachedSubscription();
  const day = end ?? plan?.subscriptionEnd;
  toast({
    kind: "success",
    title: t(title),
    ...(plan &&
      day && {
        description: t(text, {
          plan: t(`plan.${plan.subscriptionTier}`),
          date: formatDay(day, getLanguage()),
        }),
      }),
  });
}

const finishDowngrade = () => finishTermChange("plans.downgraded", "plans.downgradedText");

/** Ends the plan at the end of the paid period. */
export const downgrade = (): Promise<Outcome> =>
  attempt("plans.downgradeFailed", async () => {
    await trpc.subscriptions.downgrade.mutate(undefined, options);
    await finishDowngrade();
  });

export const resume = (password?: string): Promise<Outcome> =>
  attempt("plans.resumeFailed", async () => {
    const input = password === undefined ? undefined : { password };
    await trpc.subscriptions.resume.mutate(input, options);
    await finishTermChange("plans.resumed", "plans.resumedText");
  });

export const simulatePayment = (tier: PaidTier): Promise<Outcome> =>
  attempt("simulate.paymentFailed", async () => {
    const { newEndDate } = await trpc.subscriptions.simulatePayment.mutate({ tier }, options);
    await finishTermChange("plans.activated", "plans.resumedText", newEndDate);
  });

export const simulateDowngrade = (): Promise<Outcome> =>
  attempt("simulate.downgradeFailed", async () => {
    await trpc.subscriptions.simulateDowngrade.mutate(undefined, options);
    await finishDowngrade();
  });
