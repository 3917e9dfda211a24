// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import CheckoutReturn from "#client/features/subscriptions/checkout-return.tsx";
import { planMessages } from "#client/features/subscriptions/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { setToastHandler, type ToastMessage } from "#client/lib/notifications.ts";
import { visitor } from "#client/state/auth.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import { checkSubscription } from "#client/state/subscription.ts";
import { noSubscription, type SubscriptionInfo } from "#shared/plans.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { fakeServer } from "#tests/unit/client/state/kit/server.ts";

const pro: SubscriptionInfo = {
  ...noSubscription,
  subscriptionTier: "pro",
  subscriptionStatus: "active",
  subscribed: true,
};

const toasts: ToastMessage[] = [];
let root: Root;
let box: HTMLElement;
let info: SubscriptionInfo;

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.stubGlobal("WebSocket", function open() {
    return { close: () => {} };
  });
  toasts.length = 0;
  info = noSubscription;
  fakeServer({ "subscriptions.check": () => info });
  setToastHandler((message) => toasts.push(message));
  visitor.set({
    kind: "user",
    user: { id: "lin", email: "lin@example.edu", emailVerified: true },
  });
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});

afterEach(async () => {
  await act(async () => root.unmount());
  box.remove();
  visitor.set({ kind: "anonymous" });
  queryClient.clear();
  vi.unstubAllGlobals();
});

it.each([
  ["en", "Waiting for the payment provider", /received|activated/i],
  ["zh", "正在等待付款服务商确认", /已收到|已激活/],
] as const)(
  "claims no payment that the server does not know of (%s)",
  async (language, text, claim) => {
    await Promise.all([showLanguage(language), planMessages.load()]);
    const onTold = vi.fn();
    await act(async () =>
      root.render(
        <DataProvider>
          <CheckoutReturn outcome="success" onNotified={onTold} />
        </DataProvider>,
      ),
    );
    await act(checkSubscription);
    expect(box.textContent).toContain(text);
    expect(box.textContent).not.toMatch(claim);
    expect(toasts).toEqual([]);
    expect(onTold).not.toHaveBeenCalled();

    info = pro;
    await act(checkSubscription);
    await waitFor(() => expect(onTold).toHaveBeenCalledOnce());
    expect(toasts.map(({ kind }) => kind)).toEqual(["success"]);
  },
);
