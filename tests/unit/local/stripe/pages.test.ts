import { afterEach, beforeEach, expect, test } from "vitest";
import { day, openShop, type Shop } from "./shop.ts";

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const read = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return { response, html: await response.text() };
};
/** Follows a form's answer as a browser does. */
async function submit(page: string, form: Record<string, string>) {
  const answer = await shop.post(page, form);
  expect(answer.status).toBe(303);
  return read(new URL(answer.headers.get("location") ?? "", page).href);
}

test("the checkout page says what it is, what it costs and whom it is for", async () => {
  const { page } = await shop.openCheckout("price_premium_annual");
  const { response, html } = await read(page);
  expect(response.status).toBe(200);
  expect(html).toMatch(/<html lang="en">/);
  expect(html).toMatch(/stands in for Stripe/);
  expect(html).toMatch(/Dualect Premium/);
  expect(html).toMatch(/\$335\.90 per year/);
  expect(html).toMatch(/reader@example\.org/);
  expect(html).toContain('href="https://dualect.test/profile?checkout=cancel"');
  const policy = response.headers.get("content-security-policy");
  expect(policy).toMatch(/default-src 'none'/);
  // A browser holds a form's redirect against this, too.
  expect(policy).toMatch(/form-action 'self' https:\/\/dualect\.test$/);
});

test("a declined card stays on the page, is told, and can be followed by one that pays", async () => {
  const { customer, page } = await shop.openCheckout();
  const { html } = await submit(page, { action: "decline" });
  expect(html).toMatch(/role="alert">The card was declined/);
  expect((await shop.stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
  await shop.post(page, { action: "pay" });
  expect((await shop.stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);
});

test("a page that was paid cannot be paid again", async () => {
  const { customer, session, page } = await shop.openCheckout();
  await shop.post(page, { action: "pay" });
  const { html } = await submit(page, { action: "pay" });
  expect(html).toMatch(/has been paid/);
  expect(html).toContain(`id=${session.id}"`);
  expect((await shop.stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);
  await shop.later(2 * day);
  const late = await shop.openCheckout();
  await shop.later(day);
  expect((await read(late.page)).html).toMatch(/has expired/);
});

test("speaks the language of the session, of the address, or of the browser", async () => {
  const english = await shop.openCheckout();
  const accept = { "accept-language": "fr, zh-CN;q=0.9, en;q=0.8" };
  expect((await read(english.page, accept)).html).toMatch(/<html lang="zh-Hans">.*演示页面/s);
  expect((await read(`${english.page}?locale=en`, accept)).html).toMatch(/<html lang="en">/);
  const chinese = await shop.openCheckout("price_pro_monthly", { locale: "zh" });
  const { html } = await read(chinese.page, { "accept-language": "en" });
  expect(html).toMatch(/支付 \$13\.99/);
});

test("shows what others wrote as text", async () => {
  const customer = await shop.stripe.customers.create({ email: '"<b>"@x.test' });
  const { page } = await shop.openCheckout("price_pro_monthly", {
    customer: customer.id,
    cancel_url: 'https://dualect.test/?a="><script>',
  });
  const { html } = await read(page);
  expect(html).not.toContain("<b>");
  expect(html).not.toContain("<script>");
});

test("without a customer one is made", async () => {
  const { session } = await shop.openCheckout("price_pro_monthly", {
    customer: undefined,
    customer_email: "new@example.org",
  });
  await shop.post(session.url ?? "", { action: "pay" });
  const [customer] = (await shop.stripe.customers.list({ email: "new@example.org" })).data;
  const done = await shop.stripe.checkout.sessions.retrieve(session.id);
  expect(done.customer).toBe(customer?.id);
});

test("the portal cancels on a date, takes it back, changes the card and pays what is open", async () => {
  const { customer, subscription } = await shop.subscribe();
  const portal = await shop.stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: "https://dualect.test/profile",
  });
  const page = portal.url;
  const now = () => shop.stripe.subscriptions.retrieve(subscription.id);
  const first = (await read(page)).html;
  expect(first).toMatch(/Dualect Pro.*\$13\.99 per month.*Renews on December 20, 2026/s);
  expect(first).toContain('href="https://dualect.test/profile"');
  expect(first).toMatch(/Paid/);

  const form = { subscription: subscription.id };
  const cancelled = await submit(page, { ...form, action: "cancel" });
  expect(cancelled.html).toMatch(/role="status">Saved.*Ends on December 20, 2026/s);
  expect(await now()).toMatchObject({
    cancel_at: Date.UTC(2026, 11, 20, 12) / 1_000,
    cancel_at_period_end: false,
  });
  // As with Stripe, only what is set can be unset.
  await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  expect((await now()).cancel_at).not.toBeNull();
  await submit(page, { ...form, action: "resume" });
  expect(await now()).toMatchObject({ cancel_at: null, canceled_at: null });

  await submit(page, { action: "bad-card" });
  await shop.later(30 * day);
  expect((await now()).status).toBe("past_due");
  expect((await read(page)).html).toMatch(/The last payment failed/);
  const invoice = String((await now()).latest_invoice);
  expect((await submit(page, { action: "pay", invoice })).html).toMatch(/role="alert"/);
  await submit(page, { action: "good-card" });
  await submit(page, { action: "pay", invoice });
  expect((await now()).status).toBe("active");
  expect((await submit(page, { action: "unheard-of" })).html).not.toMatch(/Saved/);
});

test("one customer's portal does not reach another's subscription or invoice", async () => {
  const one = await shop.subscribe();
  const other = await shop.subscribe();
  const { url } = await shop.stripe.billingPortal.sessions.create({ customer: one.customer.id });
  await shop.post(url, { action: "cancel", subscription: other.subscription.id });
  const untouched = await shop.stripe.subscriptions.retrieve(other.subscription.id);
  expect(untouched.cancel_at).toBeNull();
});

test("an address of nothing is told in words", async () => {
  for (const path of ["", "checkout/cs_test_x", "portal/x", "checkout/", "x/y/z"]) {
    const { response, html } = await read(`${shop.url}/stripe/${path}`);
    expect(response.status).toBe(404);
    expect(html).toMatch(/There is no such page/);
  }
});
