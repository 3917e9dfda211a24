import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openShop, type Shop, secretKey } from "./shop.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

/** As someone calls who passes what the types forbid. */
const call = (method: string, path: string, body = "", headers: Record<string, string> = {}) =>
  fetch(`${shop.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secretKey}`,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    ...(method === "POST" ? { body } : {}),
  });
const errorOf = async (response: Response) =>
  [response.status, ((await response.json()) as { error: object }).error] as const;

const checkout =
  "mode=subscription&line_items[0][price]=price_pro_monthly&line_items[0][quantity]=1&success_url=https://a.test/";

describe("parameters", () => {
  test.each([
    ["/v1/customers", "nope=1", "parameter_unknown", "nope"],
    ["/v1/customers", "email=nobody", "email_invalid", "email"],
    ["/v1/customers", "email[a]=b", null, "email"],
    ["/v1/customers", "metadata=a", null, "metadata"],
    ["/v1/customers", "a]=b", null, null],
    ["/v1/checkout/sessions", "", "parameter_missing", "line_items"],
    [
      "/v1/checkout/sessions",
      `${checkout}&line_items[0][nope]=1`,
      "parameter_unknown",
      "line_items[0][nope]",
    ],
    [
      "/v1/checkout/sessions",
      `${checkout}&payment_method_types[0]=card`,
      "parameter_unknown",
      "payment_method_types",
    ],
    ["/v1/checkout/sessions", `${checkout}&customer=cus_nobody`, "resource_missing", "customer"],
    [
      "/v1/checkout/sessions",
      `${checkout}&customer_email=a@b.test&expires_at=soon`,
      "parameter_invalid_integer",
      "expires_at",
    ],
    ["/v1/checkout/sessions", `${checkout}&expires_at=1`, null, "expires_at"],
    ["/v1/checkout/sessions", `${checkout}&ui_mode=hosted`, null, "ui_mode"],
    [
      "/v1/checkout/sessions",
      `${checkout}&allow_promotion_codes=maybe`,
      null,
      "allow_promotion_codes",
    ],
    ["/v1/checkout/sessions", `${checkout}&cancel_url=`, "parameter_invalid_empty", "cancel_url"],
    ["/v1/checkout/sessions", `${checkout}&cancel_url=/profile`, "url_invalid", "cancel_url"],
    [
      "/v1/checkout/sessions",
      checkout.replace("success_url=https://a.test/", ""),
      "parameter_missing",
      "success_url",
    ],
    [
      "/v1/checkout/sessions",
      checkout.replace("mode=subscription&", ""),
      "parameter_missing",
      "mode",
    ],
    [
      "/v1/checkout/sessions",
      checkout.replace("price_pro_monthly", "price_x"),
      "resource_missing",
      "line_items[0][price]",
    ],
    [
      "/v1/checkout/sessions",
      checkout.replace("line_items[0][quantity]=1&", ""),
      null,
      "line_items[0]",
    ],
    ["/v1/billing_portal/sessions", "return_url=https://a.test/", "parameter_missing", "customer"],
    ["/v1/billing_portal/sessions", "customer=cus_nobody", "resource_missing", "customer"],
    ["/v1/invoices/create_preview", "", "parameter_missing", "subscription"],
  ])("POST %s %s: %s at %s", async (path, body, code, param) => {
    const [status, error] = await errorOf(await call("POST", path, body));
    expect(status).toBe(400);
    expect(error).toMatchObject({
      type: "invalid_request_error",
      message: expect.any(String),
      ...(code ? { code } : {}),
      ...(param ? { param } : {}),
    });
    if (!code) expect(error).not.toHaveProperty("code");
  });

  test("what Stripe has and the stand-in has not is told apart from what is unknown", async () => {
    const [status, error] = await errorOf(
      await call("POST", "/v1/checkout/sessions", `${checkout}&automatic_tax[enabled]=true`),
    );
    expect(status).toBe(400);
    expect(error).toMatchObject({
      param: "automatic_tax",
      message: expect.stringMatching(/stand-in/),
    });
    expect(error).not.toHaveProperty("code");
  });

  test("an item has to be named, or a second one would come beside it", async () => {
    const { subscription } = await shop.subscribe();
    const items = [{ price: "price_premium_monthly" }];
    await expect(
      shop.stripe.subscriptions.update(subscription.id, { items }),
    ).rejects.toMatchObject({
      type: "StripeInvalidRequestError",
      param: "items[0]",
    });
  });
});

describe("who calls, and how", () => {
  test("the key, as bearer and as Basic", async () => {
    const wrong = new Stripe("sk_test_of_somebody_else", {
      ...{ host: "127.0.0.1", port: new URL(shop.url).port, protocol: "http" },
      maxNetworkRetries: 0,
    });
    await expect(wrong.customers.list()).rejects.toMatchObject({
      type: "StripeAuthenticationError",
      statusCode: 401,
      message: expect.stringMatching(/^Invalid API Key provided: sk_test_\*+else$/),
    });
    const none = await call("GET", "/v1/customers", "", { authorization: "" });
    expect(none.status).toBe(401);
    const basic = `Basic ${Buffer.from(`${secretKey}:`).toString("base64")}`;
    expect((await call("GET", "/v1/customers", "", { authorization: basic })).status).toBe(200);
  });

  test("another version, another content type, another address, another id", async () => {
    const version = await call("GET", "/v1/customers", "", { "stripe-version": "2020-08-27" });
    expect(version.status).toBe(400);
    const json = await call("POST", "/v1/customers", "{}", { "content-type": "application/json" });
    expect(json.status).toBe(400);
    expect((await errorOf(await call("GET", "/v1/nothing")))[0]).toBe(404);
    expect((await errorOf(await call("PUT", "/v1/customers")))[0]).toBe(404);
    for (const missing of [
      shop.stripe.customers.retrieve("cus_nobody"),
      shop.stripe.checkout.sessions.retrieve("cs_nothing"),
      shop.stripe.subscriptions.retrieve("sub_nothing"),
      shop.stripe.prices.retrieve("price_nothing"),
      shop.stripe.products.retrieve("prod_nothing"),
      shop.stripe.invoices.retrieve("in_nothing"),
      shop.stripe.events.retrieve("evt_nothing"),
    ])
      await expect(missing).rejects.toMatchObject({
        ...{ type: "StripeInvalidRequestError", code: "resource_missing", statusCode: 404 },
      });
  });

  test("a session that is over cannot be expired again", async () => {
    const { session } = await shop.openCheckout();
    expect((await shop.stripe.checkout.sessions.expire(session.id)).status).toBe("expired");
    await expect(shop.stripe.checkout.sessions.expire(session.id)).rejects.toThrow(/"open"/);
    expect((await shop.post(session.url ?? "", { action: "pay" })).status).toBe(303);
    expect((await shop.stripe.subscriptions.list()).data).toEqual([]);
  });
});

describe("idempotency keys", () => {
  test("the same call again is answered the same and done once", async () => {
    const create = (email: string) =>
      shop.stripe.customers.create({ email }, { idempotencyKey: "customer/1" });
    const first = await create("a@example.org");
    const again = await create("a@example.org");
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
    expect((await shop.stripe.customers.list()).data).toHaveLength(1);

    await expect(create("b@example.org")).rejects.toMatchObject({
      type: "StripeIdempotencyError",
      rawType: "idempotency_error",
      statusCode: 400,
    });

    shop.time.now = new Date(shop.time.now.getTime() + 24 * 3_600_000);
    expect((await create("b@example.org")).id).not.toBe(first.id);
  });

  test("a refusal by the check of parameters is not remembered", async () => {
    const key = { "idempotency-key": "k" };
    expect((await call("POST", "/v1/customers", "nope=1", key)).status).toBe(400);
    expect((await call("POST", "/v1/customers", "name=N", key)).status).toBe(200);
  });

  test("a lost answer, asked for again under its key, is one customer", async () => {
    await shop.order({ calls: { match: "POST /v1/customers", fail: "lose-answer", count: 1 } });
    const customer = await shop.stripe.customers.create({ name: "N" }, { maxNetworkRetries: 1 });
    expect((await shop.stripe.customers.list()).data.map(({ id }) => id)).toEqual([customer.id]);
  });

  test("a call under a key that is still being answered", async () => {
    await shop.order({ calls: { match: "/v1/customers", delayMs: 700 } });
    const key = { "idempotency-key": "busy" };
    const first = call("POST", "/v1/customers", "name=N", key);
    await shop.waits.until(700);
    const [status, error] = await errorOf(await call("POST", "/v1/customers", "name=N", key));
    expect([status, error]).toMatchObject([409, { code: "idempotency_key_in_use" }]);
    shop.waits.pass(700);
    expect((await first).status).toBe(200);
  });
});

describe("calls that fail because they are told to", () => {
  test.each([
    [429, "StripeRateLimitError"],
    [500, "StripeAPIError"],
    [402, "StripeCardError"],
    ["refuse", "StripeConnectionError"],
  ])("%s", async (fail, type) => {
    await shop.order({
      calls: { match: "GET /v1/prices", fail, count: fail === "refuse" ? 2 : 1 },
    });
    await expect(shop.stripe.prices.list()).rejects.toMatchObject({ type });
    expect((await shop.stripe.prices.list()).data).toHaveLength(4);
  });

  test("an answer that never comes", async () => {
    await shop.order({ calls: { fail: "timeout", count: 1 } });
    await expect(shop.stripe.prices.list({}, { timeout: 50 })).rejects.toMatchObject({
      type: "StripeConnectionError",
      message: expect.stringMatching(/timeout/),
    });
    expect((await shop.stripe.prices.list()).data).toHaveLength(4);
  });
});
