import { createExecutionContext, env, SELF, waitOnExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { subscriptions, webhookEvents } from "#drizzle/schema.ts";
import { openSignedIn, origin } from "#tests/worker/support/browser.ts";
import {
  createEventBody,
  getUnixSeconds,
  signPayload,
  subscribe,
} from "#tests/worker/support/stripe.ts";
import worker from "#worker/index.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);

/** A user who has paid, before any webhook. */
async function openPaid() {
  const account = await openSignedIn();
  const { customerId } = await subscribe(account);
  const row = async () => {
    const [found] = await db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, account.user.id));
    return found;
  };
  return { ...account, customerId, row };
}

/** Posts to the worker; `settings` replaces variables of the embedded stack. */
async function post(
  body: string,
  signature?: string,
  settings: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const context = createExecutionContext();
  const request = new Request(`${origin}/api/stripe/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(signature === undefined ? {} : { "stripe-signature": signature }),
    },
    body,
  });
  const bindings = { ...env, ...settings } as Cloudflare.Env;
  const response = await worker.fetch(request, bindings, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  return { status: response.status, text };
}

const isKept = async (body: string) =>
  (await db.$count(webhookEvents, eq(webhookEvents.id, JSON.parse(body).id))) === 1;

describe("a signed event", () => {
  test("gives the user the paid plan once, however often it arrives", async () => {
    const { trpc, customerId, row } = await openPaid();
    expect(await trpc.subscriptions.check.query()).toMatchObject({ subscriptionTier: "free" });
    const body = createEventBody(customerId, "checkout.session.completed");
    expect(await post(body, await signPayload(body))).toMatchObject({ status: 200 });
    expect(await trpc.subscriptions.check.query()).toMatchObject({
      subscriptionTier: "pro",
      subscriptionStatus: "active",
      subscribed: true,
      hourLimit: 20,
      interval: "month",
      simulated: false,
    });
    const before = await row();
    expect((await post(body, await signPayload(body))).status).toBe(200);
    expect(await row()).toEqual(before);
  });

  test("is neither acknowledged nor stored while Stripe does not answer", async () => {
    const { customerId, row } = await openPaid();
    const body = createEventBody(customerId);
    const nobody = { STRIPE_URL: "http://127.0.0.1:1" };
    const { status, text } = await post(body, await signPayload(body), nobody);
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { error: { code: "unavailable", retryAfterSeconds: 5 } },
    ]);
    expect([await isKept(body), (await row())?.tier]).toEqual([false, "free"]);
    expect((await post(body, await signPayload(body))).status).toBe(200);
    expect([await isKept(body), (await row())?.tier]).toEqual([true, "pro"]);
  });

  test("of an unknown customer, another type or no customer is acknowledged", async () => {
    const { customerId, row } = await openPaid();
    const before = await row();
    for (const body of [
      createEventBody(`cus_${crypto.randomUUID()}`),
      createEventBody(customerId, "customer.updated"),
      JSON.stringify({ id: "evt_x", type: "payout.paid", data: { object: { id: "po_x" } } }),
    ])
      expect((await post(body, await signPayload(body))).status).toBe(200);
    expect(await row()).toEqual(before);
  });
});

describe("refuses with 400 and without effect", () => {
  const forgeries: [string, (body: string) => Promise<[string, string | undefined]>][] = [
    ["no signature", async (body) => [body, undefined]],
    ["an empty signature", async (body) => [body, ""]],
    ["garbage", async (body) => [body, "t=,v1=,,=="]],
    [
      "another secret",
      async (body) => [body, await signPayload(body, { secret: "whsec_another" })],
    ],
    ["an altered body", async (body) => [body.replace("sub_x", "sub_y"), await signPayload(body)]],
    ["an additional space", async (body) => [`${body} `, await signPayload(body)]],
    [
      "an altered time",
      async (body) => [
        body,
        (await signPayload(body)).replace(/t=\d+/, `t=${getUnixSeconds() - 1}`),
      ],
    ],
    [
      "five minutes and two seconds ago",
      async (body) => [body, await signPayload(body, { timestamp: getUnixSeconds() - 302 })],
    ],
    [
      "five minutes and ten seconds ahead",
      async (body) => [body, await signPayload(body, { timestamp: getUnixSeconds() + 310 })],
    ],
    [
      "in the future behind a time that is good",
      async (body) => [
        body,
        `t=${getUnixSeconds()},${await signPayload(body, { timestamp: getUnixSeconds() + 3_600 })}`,
      ],
    ],
    ["the body of no event", async () => ['{"id":1}', await signPayload('{"id":1}')]],
    ["invalid JSON", async () => ["{", await signPayload("{")]],
    ["an empty body", async () => ["", await signPayload("")]],
  ];

  test.each(forgeries)("%s", async (_, forge) => {
    const { customerId, row } = await openPaid();
    const before = await row();
    const body = createEventBody(customerId);
    const [sent, signature] = await forge(body);
    const { status, text } = await post(sent, signature);
    expect([status, JSON.parse(text)]).toEqual([400, { error: { code: "validation_failed" } }]);
    expect(await row()).toEqual(before);
    expect(await isKept(body)).toBe(false);
  });

  test("accepts a signature up to five minutes old or early", async () => {
    const { customerId } = await openPaid();
    for (const timestamp of [getUnixSeconds() - 290, getUnixSeconds() + 290]) {
      const body = createEventBody(customerId);
      expect((await post(body, await signPayload(body, { timestamp }))).status).toBe(200);
    }
  });
});

test("does not read a body of more than 256 KiB to its end", async () => {
  const body = "x".repeat(256 * 1024 + 1);
  expect((await post(body, await signPayload(body))).status).toBe(413);
});

test("answers other methods with 404", async () => {
  expect((await SELF.fetch(`${origin}/api/stripe/webhook`)).status).toBe(404);
});

test("has no procedures that simulate payments when payments are real", async () => {
  const call = async (mode: string, path: string) => {
    const context = createExecutionContext();
    const request = new Request(`${origin}/trpc/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ tier: "pro" }),
    });
    const bindings = { ...env, BILLING_MODE: mode } as Cloudflare.Env;
    const response = await worker.fetch(request, bindings, context);
    await waitOnExecutionContext(context);
    return response.status;
  };
  for (const path of ["subscriptions.simulatePayment", "subscriptions.simulateDowngrade"]) {
    expect(await call("live", path)).toBe(404);
    expect(await call("test", path)).toBe(401);
  }
});
