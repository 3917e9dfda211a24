// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { planMessages } from "#client/features/subscriptions/messages/index.ts";
import PastDue from "#client/features/subscriptions/past-due.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import { checkSubscription } from "#client/state/subscription.ts";
import { noSubscription, type SubscriptionInfo } from "#shared/plans.ts";
import { click, show, waitForText } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeEach(async () => {
  vi.stubGlobal("open", () => null);
  await Promise.all([showLanguage("en"), planMessages.load()]);
  signIn();
});
afterEach(() => queryClient.clear());

async function open(change: Partial<SubscriptionInfo>) {
  const server = fakeServer({
    "subscriptions.check": () => ({ ...noSubscription, ...change }),
    "subscriptions.portal": () => ({ url: "https://billing.stripe.com/p/1" }),
  });
  await checkSubscription();
  await show(
    <DataProvider>
      <PastDue />
    </DataProvider>,
  );
  return server;
}

it.each<[string, Partial<SubscriptionInfo>, string]>([
  ["keeps the plan", { subscribed: true, subscriptionTier: "pro" }, "You keep Pro while"],
  ["suspends it", { subscribed: false }, "Your plan is on hold"],
])("tells of a failed payment that %s, and leads to the billing portal", async (_, info, text) => {
  const { calls } = await open({ ...info, paymentState: "past_due" });
  await waitForText("Your last payment failed");
  expect(document.querySelector("[role=alert]")?.textContent).toContain(text);
  await click("Update payment method");
  await waitFor(() => expect(calls).toContain("subscriptions.portal"));
});

it("says nothing while payments succeed", async () => {
  await open({ subscribed: true, subscriptionTier: "pro" });
  expect(document.querySelector("[role=alert]")).toBeNull();
});
