// @vitest-environment happy-dom
import { act, type ReactNode } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import CheckoutReturn from "#client/features/subscriptions/checkout-return.tsx";
import { planMessages } from "#client/features/subscriptions/messages/index.ts";
import PastDue from "#client/features/subscriptions/past-due.tsx";
import PlansView from "#client/features/subscriptions/plans-view.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import { checkSubscription } from "#client/state/subscription.ts";
import { toSpokenLanguage, translationLanguages } from "#shared/languages.ts";
import { noSubscription, type SubscriptionInfo } from "#shared/plans.ts";
import {
  click,
  collectToasts,
  find,
  settle,
  show,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { createPlan, onPro } from "#tests/unit/client/kit/plans.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

const sold = {
  plans: [createPlan("free"), createPlan("pro"), createPlan("premium")],
  annualSavingPercent: 20,
  simulation: false,
};
const toasts = collectToasts();

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
afterEach(() => queryClient.clear());

const render = (node: ReactNode) => show(<DataProvider>{node}</DataProvider>);

it.each([
  ["en", "Waiting for the payment provider", /received|activated/i],
  ["zh", "正在等待付款服务商确认", /已收到|已激活/],
] as const)(
  "claims no payment that the server does not know of (%s)",
  async (language, text, claim) => {
    let info = noSubscription;
    fakeServer({ "subscriptions.check": () => info });
    await Promise.all([showLanguage(language), planMessages.load()]);
    const onNotified = vi.fn();
    await render(<CheckoutReturn outcome="success" onNotified={onNotified} />);
    await act(checkSubscription);
    expect(document.body.textContent).toContain(text);
    expect(document.body.textContent).not.toMatch(claim);
    expect(toasts).toEqual([]);
    expect(onNotified).not.toHaveBeenCalled();

    info = onPro;
    await act(checkSubscription);
    await settle(() => expect(onNotified).toHaveBeenCalledOnce());
    expect(toasts.map(({ kind }) => kind)).toEqual(["success"]);
  },
);

describe("the notice of a failed payment", () => {
  async function open(info: SubscriptionInfo) {
    const server = fakeServer({
      "subscriptions.check": () => info,
      "subscriptions.portal": () => ({ url: "https://billing.stripe.com/p/1" }),
    });
    await checkSubscription();
    await render(<PastDue />);
    return server;
  }

  it.each([
    ["keeps the plan", onPro, "You keep Pro while"],
    ["suspends it", noSubscription, "Your plan is on hold"],
  ])("tells of one that %s, and leads to the billing portal", async (_, info, text) => {
    const { calls } = await open({ ...info, paymentState: "past_due" });
    await waitForText("Your last payment failed");
    expect(document.querySelector("[role=alert]")?.textContent).toContain(text);
    await click("Update payment method");
    await settle(() => expect(calls).toContain("subscriptions.portal"));
  });

  it("says nothing while payments succeed", async () => {
    await open(onPro);
    expect(document.querySelector("[role=alert]")).toBeNull();
  });
});

describe("the plans", () => {
  /** A page that shows Free, while Pro was bought elsewhere. */
  async function openLate() {
    const server = fakeServer({
      "subscriptions.plans": () => sold,
      "subscriptions.check": () =>
        server.calls.includes("subscriptions.checkout") ? onPro : noSubscription,
      "subscriptions.checkout": () =>
        JSON.stringify(server.sent.at(-1)).includes('"change":true')
          ? { kind: "changed", tier: "premium", interval: "month" }
          : new Refusal("conflict"),
    });
    await render(<PlansView />);
    return server;
  }

  it.each([
    ["en", "Translation to 60 languages"],
    ["zh", "翻译成 60 种语言"],
  ] as const)("promise as many languages as can be chosen (%s)", async (language, text) => {
    await Promise.all([showLanguage(language), planMessages.load()]);
    fakeServer({
      "subscriptions.plans": () => ({
        ...sold,
        plans: [{ ...createPlan("free"), features: ["translation"] }],
      }),
      "subscriptions.check": () => noSubscription,
    });
    await render(<PlansView />);
    await waitForText(text);
    // Both ways to write Chinese are one language.
    const languages = new Set(translationLanguages.map(toSpokenLanguage));
    expect(text).toContain(` ${languages.size} `);
  });

  it("asks before it changes a plan that the page did not know of", async () => {
    const { sent } = await openLate();
    await click("Upgrade to Premium");
    await find("button", "Change plan");
    expect(document.body.textContent).toContain("Change to Premium, paid monthly?");
    expect(sent).toHaveLength(1);
    await click("Change plan");
    await settle(() => expect(toasts).toHaveLength(1));
    expect(sent).toEqual([
      { "0": { priceId: "premium_month" } },
      { "0": { priceId: "premium_month", change: true } },
    ]);
  });

  it("asks for the password where the server requires it, and again after a wrong one", async () => {
    const answers = [
      new Refusal("reauthentication_required"),
      new Refusal("current_password_invalid"),
      { kind: "changed", tier: "premium", interval: "month" },
    ];
    const { sent } = fakeServer({
      "subscriptions.plans": () => sold,
      "subscriptions.check": () => onPro,
      "subscriptions.checkout": () => answers.shift(),
    });
    await render(<PlansView />);
    await click("Upgrade to Premium");
    await click("Change plan");
    for (const secret of ["wrong horse", "correct horse"]) {
      const before = sent.length;
      const field = () => document.querySelector("input[type=password]:not([disabled])");
      await settle(() => expect(field()).not.toBeNull());
      await type(field(), secret);
      await click("Change plan");
      await settle(() => expect(sent.length).toBeGreaterThan(before));
    }
    const change = { priceId: "premium_month", change: true };
    expect(sent).toEqual([
      { "0": change },
      { "0": { ...change, password: "wrong horse" } },
      { "0": { ...change, password: "correct horse" } },
    ]);
    await settle(() =>
      expect(toasts).toMatchObject([
        { kind: "failure", title: "Current Password Incorrect" },
        { kind: "success", title: "Subscription activated!" },
      ]),
    );
  });

  it("asks nothing when the same plan was bought elsewhere", async () => {
    const { sent } = await openLate();
    await click("Upgrade to Pro");
    await settle(() =>
      expect(toasts).toMatchObject([{ kind: "success", description: "Pro, paid monthly" }]),
    );
    expect(sent).toEqual([{ "0": { priceId: "pro_month" } }]);
  });
});
