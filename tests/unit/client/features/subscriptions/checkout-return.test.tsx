// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import CheckoutReturn from "#client/features/subscriptions/checkout-return.tsx";
import { planMessages } from "#client/features/subscriptions/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import { checkSubscription } from "#client/state/subscription.ts";
import { noSubscription, type SubscriptionInfo } from "#shared/plans.ts";
import { collectToasts, show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const pro: SubscriptionInfo = {
  ...noSubscription,
  subscriptionTier: "pro",
  subscriptionStatus: "active",
  subscribed: true,
};

const toasts = collectToasts();
let info: SubscriptionInfo;

beforeEach(async () => {
  vi.stubGlobal("WebSocket", function open() {
    return { close: () => {} };
  });
  info = noSubscription;
  fakeServer({ "subscriptions.check": () => info });
  signIn();
});

afterEach(async () => {
  queryClient.clear();
});

it.each([
  ["en", "Waiting for the payment provider", /received|activated/i],
  ["zh", "正在等待付款服务商确认", /已收到|已激活/],
] as const)(
  "claims no payment that the server does not know of (%s)",
  async (language, text, claim) => {
    await Promise.all([showLanguage(language), planMessages.load()]);
    const onTold = vi.fn();
    await show(
      <DataProvider>
        <CheckoutReturn outcome="success" onNotified={onTold} />
      </DataProvider>,
    );
    await act(checkSubscription);
    expect(document.body.textContent).toContain(text);
    expect(document.body.textContent).not.toMatch(claim);
    expect(toasts).toEqual([]);
    expect(onTold).not.toHaveBeenCalled();

    info = pro;
    await act(checkSubscription);
    await waitFor(() => expect(onTold).toHaveBeenCalledOnce());
    expect(toasts.map(({ kind }) => kind)).toEqual(["success"]);
  },
);
