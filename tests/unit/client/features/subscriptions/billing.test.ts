// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  changePlan,
  checkout,
  downgrade,
  manageBilling,
  resume,
  simulateDowngrade,
  simulatePayment,
} from "#client/features/subscriptions/billing.ts";
import { planMessages } from "#client/features/subscriptions/messages/index.ts";
import { blockedPage } from "#client/features/subscriptions/new-tab.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { queryClient } from "#client/state/queries.tsx";
import { watchVisitor } from "#client/state/session.ts";
import { visitor } from "#client/state/visitor.ts";
import { collectToasts } from "#tests/unit/client/kit/page.tsx";
import { onPro } from "#tests/unit/client/kit/plans.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

const toasts = collectToasts();
const unreachable = () => Promise.reject(new TypeError("Failed to fetch"));
const payHere = "https://checkout.stripe.com/c/pay/1";

/** The tab that a click opens. */
function tabs({ blocked = false } = {}) {
  const tab = {
    opener: window as unknown,
    closed: false,
    document: document.implementation.createHTMLDocument(),
    location: { replace: vi.fn() },
    close: vi.fn(),
  };
  const open = vi.fn(() => (blocked ? null : tab));
  vi.stubGlobal("open", open);
  return { tab, open };
}

beforeEach(async () => {
  await Promise.all([showLanguage("en"), planMessages.load()]);
  blockedPage.set(null);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signIn();
});

afterEach(() => {
  queryClient.clear();
  vi.restoreAllMocks();
});

test("shows the payment page in a tab opened by the click", async () => {
  const { tab, open } = tabs();
  const { calls } = fakeServer({
    "subscriptions.checkout": () => ({ kind: "checkout", url: payHere }),
  });
  const paying = checkout("price_pro");
  expect(open).toHaveBeenCalledWith("", "_blank");
  expect(calls).toEqual([]);
  await paying;
  expect(tab.opener).toBeNull();
  expect(tab.location.replace).toHaveBeenCalledWith(payHere);
  expect(tab.close).not.toHaveBeenCalled();
  expect(toasts).toEqual([]);
});

test.each([
  [checkout, "checkout", "Failed to create checkout session. Please try again.", true],
  [manageBilling, "portal", "Failed to open billing portal. Please try again.", true],
  [downgrade, "downgrade", "Failed to schedule downgrade. Please try again.", false],
  [() => simulatePayment("pro"), "simulatePayment", "Failed to simulate payment", false],
] as const)(
  "shows that a call failed, and closes the tab that it had opened: %#",
  async (run, call, description, opensTab) => {
    const { tab } = tabs();
    fakeServer({ [`subscriptions.${call}`]: unreachable });
    await run("price_pro");
    expect(tab.close).toHaveBeenCalledTimes(opensTab ? 1 : 0);
    expect(toasts).toEqual([{ kind: "failure", title: "Error", description }]);
    expect(console.warn).toHaveBeenCalled();
  },
);

test("shows a link where no tab could be opened", async () => {
  tabs({ blocked: true });
  fakeServer({ "subscriptions.checkout": () => ({ kind: "checkout", url: payHere }) });
  await checkout("price_pro");
  expect(blockedPage.get()).toBe(payHere);
});

test("does not change a plan bought elsewhere meanwhile, and fetches it", async () => {
  const { tab } = tabs();
  const elsewhere = { subscriptionTier: "pro", subscribed: true, simulated: false };
  const { sent } = fakeServer({
    "subscriptions.checkout": () => new Refusal("conflict"),
    "subscriptions.check": () => elsewhere,
  });
  expect(await checkout("price_premium")).toEqual(elsewhere);
  expect(tab.close).toHaveBeenCalledOnce();
  expect(sent).toEqual([{ "0": { priceId: "price_premium" } }]);
  expect(toasts).toEqual([]);
});

test("shows a failure when a plan bought elsewhere cannot be fetched", async () => {
  tabs();
  fakeServer({
    "subscriptions.checkout": () => new Refusal("conflict"),
    "subscriptions.check": unreachable,
  });
  expect(await checkout("price_premium")).toBeNull();
  expect(toasts).toMatchObject([
    { title: "Error", description: "Failed to create checkout session. Please try again." },
  ]);
});

test("changes a paid plan without a tab", async () => {
  const { open } = tabs();
  const { calls, sent } = fakeServer({
    "subscriptions.checkout": () => ({ kind: "changed", tier: "premium", interval: "year" }),
    "subscriptions.check": () => ({}),
  });
  await changePlan("price_premium");
  expect(open).not.toHaveBeenCalled();
  expect(sent).toEqual([{ "0": { priceId: "price_premium", change: true } }]);
  expect(calls).toEqual(["subscriptions.checkout", "subscriptions.check"]);
  expect(toasts).toMatchObject([
    { kind: "success", title: "Subscription activated!", description: "Premium, paid annually" },
  ]);
});

test("says until when the plan lasts after a downgrade", async () => {
  fakeServer({ "subscriptions.downgrade": () => null, "subscriptions.check": () => onPro });
  await downgrade();
  const description = "You keep Pro until Dec 20, 2026.";
  expect(toasts).toEqual([{ kind: "success", title: "Downgrade scheduled", description }]);
});

test.each([
  ["simulatePayment", () => simulatePayment("pro")],
  ["simulateDowngrade", simulateDowngrade],
  ["checkout", () => checkout("price_pro")],
  ["checkout", () => changePlan("price_premium")],
  ["downgrade", downgrade],
  ["resume", () => resume()],
  ["portal", manageBilling],
])("says 'Please log in first', once, when the session is over: %s", async (call, run) => {
  tabs();
  watchVisitor();
  fakeServer({ [`subscriptions.${call}`]: () => new Refusal("unauthenticated") });
  await run();
  expect(toasts).toMatchObject([{ title: "Error", description: "Please log in first" }]);
  expect(visitor.get()).toEqual({ kind: "anonymous", expired: true });
});
