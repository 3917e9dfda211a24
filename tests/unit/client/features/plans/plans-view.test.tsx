// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PlansView } from "../../../../../src/client/features/plans/plans-view.tsx";
import { showLanguage } from "../../../../../src/client/i18n/index.ts";
import { visitor } from "../../../../../src/client/lib/auth.ts";
import { showToastsWith, type ToastMessage } from "../../../../../src/client/lib/notify.ts";
import { DataProvider, queryClient } from "../../../../../src/client/lib/queries.tsx";
import {
  noSubscription,
  type PlanDefinition,
  type SubscriptionInfo,
} from "../../../../../src/shared/plans.ts";
import { fakeServer, Refusal } from "../../lib/kit/server.ts";

const told: ToastMessage[] = [];

const free = noSubscription;
const pro: SubscriptionInfo = {
  ...free,
  subscriptionTier: "pro",
  subscriptionStatus: "active",
  subscribed: true,
  subscriptionEnd: "2026-12-20T12:00:00.000Z",
  hourLimit: 20,
  interval: "month",
};
const sold: PlanDefinition[] = (["free", "pro", "premium"] as const).map((tier) => ({
  ...{ tier, name: tier, hoursPerMonth: 1, monthlyPriceCents: 0, annualPriceCents: 0 },
  monthlyPriceId: tier === "free" ? null : `${tier}_month`,
  annualPriceId: tier === "free" ? null : `${tier}_year`,
  features: [],
}));

let root: ReturnType<typeof createRoot>;

beforeEach(async () => {
  vi.stubGlobal("WebSocket", function open() {
    return { close: () => {} };
  });
  vi.stubGlobal("open", () => null);
  await showLanguage("en");
  told.length = 0;
  showToastsWith((message) => told.push(message));
  visitor.set({
    kind: "user",
    user: { id: "lin", email: "lin@example.edu", emailVerified: true },
  });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  visitor.set({ kind: "anonymous" });
  queryClient.clear();
  vi.unstubAllGlobals();
});

const button = (name: string) =>
  vi.waitFor(() => {
    const all = [...document.querySelectorAll("button")];
    const found = all.find(({ textContent }) => textContent === name);
    if (!found) throw new Error(`no button "${name}" in: ${document.body.textContent}`);
    return found;
  });
const press = async (name: string) => (await button(name)).click();

/** A page that shows Free, while Pro was bought elsewhere. */
function openLate() {
  const server = fakeServer({
    "subscriptions.plans": () => ({ plans: sold, annualSavingPercent: 20, simulation: false }),
    "subscriptions.check": () => (server.asked.includes("subscriptions.checkout") ? pro : free),
    "subscriptions.checkout": () =>
      JSON.stringify(server.sent.at(-1)).includes('"change":true')
        ? { kind: "changed", tier: "premium", interval: "month" }
        : new Refusal("conflict"),
  });
  root.render(
    <DataProvider>
      <PlansView />
    </DataProvider>,
  );
  return server;
}

test("a page that did not know of the plan asks before it changes it", async () => {
  const { sent } = openLate();
  await press("Upgrade to Premium");
  await button("Change plan");
  expect(document.body.textContent).toContain("Change to Premium, paid monthly?");
  expect(sent).toHaveLength(1);
  await press("Change plan");
  await vi.waitFor(() => expect(told).toHaveLength(1));
  expect(sent).toEqual([
    { "0": { priceId: "premium_month" } },
    { "0": { priceId: "premium_month", change: true } },
  ]);
});

test("where the same plan was bought elsewhere there is nothing to ask", async () => {
  const { sent } = openLate();
  await press("Upgrade to Pro");
  await vi.waitFor(() =>
    expect(told).toMatchObject([{ kind: "success", description: "Pro, paid monthly" }]),
  );
  expect(sent).toEqual([{ "0": { priceId: "pro_month" } }]);
});
