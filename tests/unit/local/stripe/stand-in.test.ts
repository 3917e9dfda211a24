import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { standInSecretKey } from "#local/stripe/api.ts";
import { createStripeStandIn } from "#local/stripe/stand-in.ts";
import { type StripeFixture, startStripe } from "./fixture.ts";

const seconds = (iso: string) => Date.parse(iso) / 1_000;

let fixture: StripeFixture;
beforeEach(async () => {
  fixture = await startStripe({ start: "2027-01-31T08:00:00Z" });
});
afterEach(() => fixture.close());

describe("the API", () => {
  const call = (path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${fixture.url}${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: new URLSearchParams(body) }),
      headers: { authorization: `Bearer ${standInSecretKey}`, ...headers },
    });
  const readError = async (response: Response) => [
    response.status,
    ((await response.json()) as { error: object }).error,
  ];

  it.each([
    ["/v1/customers", "email=a@b.test&metadata[a]=b&nope=1", "nope", "parameter_unknown"],
    ["/v1/customers", "metadata[a]=b", "email", "parameter_missing"],
    ["/v1/customers", "email=nobody&metadata[a]=b", "email", undefined],
    ["/v1/customers", "email[a]=b&metadata[a]=b", "email", undefined],
    ["/v1/customers", "email=a@b.test&email[a]=b", "email[a]", undefined],
    ["/v1/customers", "a]=b", "a]", undefined],
    ["/v1/customers", "__proto__[email]=a@b.test", "__proto__", "parameter_unknown"],
    ["/v1/billing_portal/sessions", "customer=cus_x", "return_url", "parameter_missing"],
    [
      "/v1/billing_portal/sessions",
      "customer=cus_x&return_url=https://a.test/",
      "customer",
      "resource_missing",
    ],
    [
      "/v1/checkout/sessions",
      "line_items[1][price]=price_pro_monthly&line_items[1][quantity]=1",
      "line_items[1]",
      "parameter_unknown",
    ],
    ["/v1/checkout/sessions", "automatic_tax[enabled]=true", "automatic_tax", "parameter_unknown"],
  ])("rejects POST %s with %s and reports %s", async (path, body, param, code) => {
    const [status, error] = await readError(await call(path, body));
    expect(status).toBe(400);
    expect(error).toEqual({
      type: "invalid_request_error",
      message: expect.any(String),
      param,
      ...(code ? { code } : {}),
    });
  });

  it("rejects calls that the product does not use", async () => {
    const missing = expect.objectContaining({ type: "invalid_request_error" });
    for (const path of ["/v1/events", "/v1/customers/cus_x/sources", "/v1/customers/"])
      expect(await readError(await call(path))).toEqual([404, missing]);
    await expect(fixture.stripe.invoices.list()).rejects.toMatchObject({ statusCode: 404 });
  });

  it("rejects other keys and API versions", async () => {
    const authorization = "Bearer sk_test_another";
    expect((await call("/v1/customers", undefined, { authorization })).status).toBe(401);
    const version = { "stripe-version": "2020-08-27" };
    expect((await call("/v1/customers", undefined, version)).status).toBe(400);
  });

  it("runs a request once for its idempotency key", async () => {
    const create = (email: string) =>
      fixture.stripe.customers.create({ email, metadata: { a: "b" } }, { idempotencyKey: "k" });
    const { id } = await create("a@example.org");
    expect((await create("a@example.org")).id).toBe(id);
    await expect(create("b@example.org")).rejects.toMatchObject({ type: "StripeIdempotencyError" });
    expect((await fixture.stripe.customers.list({ email: "a@example.org" })).data).toHaveLength(1);
  });

  it("fails `count` calls as configured", async () => {
    const list = () => fixture.stripe.customers.list({ email: "a@example.org" });
    for (const [fail, type, count] of [
      [429, "StripeRateLimitError", 1],
      // The client tries again by itself where a connection that was kept open is cut.
      ["refuse", "StripeConnectionError", 2],
    ] as const) {
      await fixture.control({ calls: { match: "GET /v1/customers", fail, count } });
      await expect(list()).rejects.toBeInstanceOf(Stripe.errors[type]);
      expect((await list()).data).toEqual([]);
    }
  });

  it("reports a missing subscription item", async () => {
    const customer = await fixture.subscribe();
    const { id, item } = await fixture.getSubscription(customer);
    const change = { proration_behavior: "always_invoice" } as const;
    const update = (items: Stripe.SubscriptionUpdateParams.Item[]) =>
      fixture.stripe.subscriptions.update(id, {
        ...change,
        items,
        payment_behavior: "error_if_incomplete",
      });
    await expect(update([{ price: "price_pro_annual" }])).rejects.toMatchObject({
      param: "items[0][id]",
    });
    await expect(update([{ id: "si_x", price: "price_pro_annual" }])).rejects.toMatchObject({
      param: "items[0][id]",
      code: "resource_missing",
    });
    const items = [{ id: item.id, price: "price_pro_annual" }];
    await expect(
      fixture.stripe.subscriptions.update(id, { ...change, items }),
    ).rejects.toMatchObject({
      param: "payment_behavior",
    });
  });
});

describe("a subscription", () => {
  it("renews on the last day of a short month, at the same second", async () => {
    const customer = await fixture.subscribe();
    const ends: number[] = [];
    for (let month = 0; month < 3; month += 1) {
      ends.push((await fixture.getSubscription(customer)).item.current_period_end);
      await fixture.advanceDays(customer, 31);
    }
    expect(ends).toEqual(
      ["2027-02-28T08:00:00Z", "2027-03-31T08:00:00Z", "2027-04-30T08:00:00Z"].map(seconds),
    );
    const paid = fixture.events.filter(({ type }) => type === "invoice.paid");
    expect(paid.map(({ created }) => created).slice(1)).toEqual(ends);
  });

  it.each([
    ["canceled", "canceled", "customer.subscription.deleted"],
    ["unpaid", "unpaid", "customer.subscription.updated"],
  ])("that is never paid becomes %s", async (afterRetries, status, type) => {
    const customer = await fixture.subscribe();
    await fixture.control({ afterRetries, card: { customer, declines: true } });
    await fixture.advanceDays(customer, 28);
    expect((await fixture.getSubscription(customer)).status).toBe("past_due");
    await fixture.advanceDays(customer, 14);
    expect((await fixture.getSubscription(customer)).status).toBe("past_due");
    await fixture.advanceDays(customer, 1);
    expect((await fixture.getSubscription(customer)).status).toBe(status);
    expect(fixture.types()).toEqual(expect.arrayContaining(["invoice.payment_failed", type]));
  });

  it("prorates a change by the second and keeps the rest as credit", async () => {
    const customer = await fixture.subscribe("price_premium_monthly");
    await fixture.advanceDays(customer, 14);
    const { id, item } = await fixture.getSubscription(customer);
    await fixture.stripe.subscriptions.update(id, {
      items: [{ id: item.id, price: "price_pro_monthly" }],
      proration_behavior: "always_invoice",
      payment_behavior: "error_if_incomplete",
    });
    await fixture.control({ settle: true });
    const { data } = fixture.events.findLast(({ type }) => type === "invoice.paid") ?? {};
    // Half of 13.99 less half of 34.99, each to the cent.
    expect(data?.object).toMatchObject({ total: 700 - 1_750, amount_due: 0 });
    const { balance } = (await fixture.stripe.customers.list({ email: "reader@example.org" }))
      .data[0] ?? { balance: null };
    expect(balance).toBe(-1_050);
  });
});

describe("the pages", () => {
  const read = async (url: string, language: string) =>
    (await fetch(url, { headers: { "accept-language": language } })).text();

  it("of checkout use the browser's language and accept one payment", async () => {
    const { customer, page } = await fixture.openCheckout("price_premium_annual");
    const original = await read(page, "en, zh;q=0.8");
    for (const text of ["Dualect Premium", "$335.90 per year", "reader@example.org"])
      expect(original).toContain(text);
    expect(await read(page, "fr, zh-CN;q=0.9, en;q=0.8")).toContain("支付 $335.90");
    const declined = await fixture.post(page, { action: "decline" });
    expect(await read(new URL(declined.headers.get("location") ?? "", page).href, "en")).toMatch(
      /role="alert">The card was declined/,
    );
    for (let times = 0; times < 2; times += 1) await fixture.post(page, { action: "pay" });
    expect(await fixture.getSubscription(customer)).toMatchObject({ status: "active" });
    expect(await read(page, "en")).toContain("This page has been paid");
    const late = await fixture.openCheckout();
    await fixture.advanceDays(late.customer, 1);
    expect(await read(late.page, "en")).toContain("This page has expired");
  });

  it("escape values from outside", async () => {
    const { customer } = await fixture.openCheckout();
    const { url } = await fixture.stripe.billingPortal.sessions.create({
      customer,
      return_url: 'https://dualect.test/?a="><script>',
    });
    expect(await read(url, "en")).not.toContain("<script>");
  });

  it("of the portal change only the customer's own subscription", async () => {
    const [one, other] = [await fixture.subscribe(), await fixture.subscribe()];
    const { url } = await fixture.stripe.billingPortal.sessions.create({
      customer: one,
      return_url: "https://dualect.test/profile",
    });
    const subscription = (await fixture.getSubscription(other)).id;
    await fixture.post(url, { action: "cancel", subscription });
    expect((await fixture.getSubscription(other)).cancel_at).toBeNull();
    expect((await fetch(`${fixture.url}/stripe/portal/x`)).status).toBe(404);
  });
});

describe("webhooks", () => {
  it("are signed, report a purchase, and are retried until they are accepted", async () => {
    fixture.answers.push(500, 500);
    await fixture.subscribe();
    await fixture.control({ settle: true });
    expect([...new Set(fixture.types())].sort()).toEqual([
      "checkout.session.completed",
      "customer.subscription.created",
      "invoice.paid",
    ]);
    expect(fixture.events).toHaveLength(5);
  });

  it("are held and then released in the requested order, repeatedly", async () => {
    const { customer, page } = await fixture.openCheckout();
    await fixture.control({ customer, webhooks: { hold: true } });
    await fixture.post(page, { action: "pay" });
    const { held } = await fixture.control({ settle: true });
    expect(fixture.events).toEqual([]);
    const order = held.map(({ id }) => id).toReversed();
    await fixture.control({ customer, release: { order, repeat: 2 } });
    expect(fixture.events.map(({ id }) => id)).toEqual(order.flatMap((id) => [id, id]));
  });

  it.each([{ nope: 1 }, { advanceSeconds: 5 }, { calls: { match: "x", fail: 200 } }])(
    "reject the control request %j",
    async (body) => {
      const control = { method: "POST", body: JSON.stringify(body) };
      expect((await fetch(`${fixture.url}/stripe/control`, control)).status).toBe(422);
    },
  );
});

describe("the file", () => {
  let folder: string;
  let dataFile: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "stripe-"));
    dataFile = join(folder, "stripe.json");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("keeps a paid plan and its clock, and catches up at the next start", async () => {
    const first = await startStripe({ dataFile });
    const customer = await first.subscribe();
    await first.advanceDays(customer, 5);
    await first.close();
    const second = await startStripe({ dataFile, start: "2026-12-15T12:00:00.000Z" });
    await second.control({ settle: true });
    expect(second.types()).toContain("invoice.paid");
    expect((await second.getSubscription(customer)).item.current_period_end).toBe(
      seconds("2027-01-20T12:00:00Z"),
    );
    await second.close();
  });

  it.each(["{", "{}", '{"version":2}'])(
    "is rejected and kept unchanged if it contains %s",
    async (text) => {
      await writeFile(dataFile, text);
      expect(() => createStripeStandIn({ dataFile })).toThrow(
        /stripe\.json holds the payments of the embedded Stripe and cannot be read.*Delete it/,
      );
      expect(await readFile(dataFile, "utf8")).toBe(text);
    },
  );
});
