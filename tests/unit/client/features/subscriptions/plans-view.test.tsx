// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { planMessages } from "#client/features/subscriptions/messages/index.ts";
import PlansView from "#client/features/subscriptions/plans-view.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import { noSubscription, type PlanDefinition, type SubscriptionInfo } from "#shared/plans.ts";
import { collectToasts, show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const toasts = collectToasts();

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
  ...{
    tier,
    name: tier,
    hoursPerMonth: 1,
    readersMax: 30,
    monthlyPriceCents: 0,
    annualPriceCents: 0,
  },
  monthlyPriceId: tier === "free" ? null : `${tier}_month`,
  annualPriceId: tier === "free" ? null : `${tier}_year`,
  features: [],
}));

// Loading it may take a busy machine longer than the test waits for what it shows.
beforeAll(() => import("#client/features/subscriptions/question-dialog.tsx"));

beforeEach(async () => {
  vi.stubGlobal("WebSocket", function open() {
    return { close: () => {} };
  });
  vi.stubGlobal("open", () => null);
  await Promise.all([showLanguage("en"), planMessages.load()]);
  signIn();
});

afterEach(() => {
  queryClient.clear();
});

const button = (name: string) =>
  waitFor(() => {
    const all = [...document.querySelectorAll("button")];
    const found = all.find(({ textContent }) => textContent === name);
    if (!found) throw new Error(`no button "${name}" in: ${document.body.textContent}`);
    return found;
  });
const press = async (name: string) => (await button(name)).click();

/** A page that shows Free, while Pro was bought elsewhere. */
async function openLate() {
  const server = fakeServer({
    "subscriptions.plans": () => ({ plans: sold, annualSavingPercent: 20, simulation: false }),
    "subscriptions.check": () => (server.calls.includes("subscriptions.checkout") ? pro : free),
    "subscriptions.checkout": () =>
      JSON.stringify(server.sent.at(-1)).includes('"change":true')
        ? { kind: "changed", tier: "premium", interval: "month" }
        : new Refusal("conflict"),
  });
  await show(
    <DataProvider>
      <PlansView />
    </DataProvider>,
  );
  return server;
}

test("asks before it changes a plan that the page did not know of", async () => {
  const { sent } = await openLate();
  await press("Upgrade to Premium");
  await button("Change plan");
  expect(document.body.textContent).toContain("Change to Premium, paid monthly?");
  expect(sent).toHaveLength(1);
  await press("Change plan");
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(sent).toEqual([
    { "0": { priceId: "premium_month" } },
    { "0": { priceId: "premium_month", change: true } },
  ]);
});

test("asks for the password where the server requires it, and again after a wrong one", async () => {
  const answers = ["reauthentication_required", "current_password_invalid", null] as const;
  let call = 0;
  const { sent } = fakeServer({
    "subscriptions.plans": () => ({ plans: sold, annualSavingPercent: 20, simulation: false }),
    "subscriptions.check": () => pro,
    "subscriptions.checkout": () => {
      const refusal = answers[call];
      call += 1;
      return refusal
        ? new Refusal(refusal)
        : { kind: "changed", tier: "premium", interval: "month" };
    },
  });
  await show(
    <DataProvider>
      <PlansView />
    </DataProvider>,
  );
  await press("Upgrade to Premium");
  await press("Change plan");
  for (const secret of ["wrong horse", "correct horse"]) {
    const field = await waitFor(() => {
      const found = document.querySelector<HTMLInputElement>("input[type=password]");
      if (!found || found.disabled) throw new Error("no field for the password");
      return found;
    });
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    setValue?.call(field, secret);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const before = sent.length;
    await press("Change plan");
    await waitFor(() => expect(sent.length).toBeGreaterThan(before));
  }
  const change = { priceId: "premium_month", change: true };
  expect(sent).toEqual([
    { "0": change },
    { "0": { ...change, password: "wrong horse" } },
    { "0": { ...change, password: "correct horse" } },
  ]);
  await waitFor(() =>
    expect(toasts).toMatchObject([
      { kind: "failure", title: "Current Password Incorrect" },
      { kind: "success", title: "Subscription activated!" },
    ]),
  );
});

test("asks nothing when the same plan was bought elsewhere", async () => {
  const { sent } = await openLate();
  await press("Upgrade to Pro");
  await waitFor(() =>
    expect(toasts).toMatchObject([{ kind: "success", description: "Pro, paid monthly" }]),
  );
  expect(sent).toEqual([{ "0": { priceId: "pro_month" } }]);
});
