import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHtml, sendHtml, toHtml } from "#local/html.ts";
import { readBody } from "#local/json-body.ts";
import type { Account } from "./account.ts";
import type { Price } from "./catalogue.ts";
import { createTranslate, type Language, type Translate, toLanguage } from "./messages.ts";
import type { Checkout, Customer, Invoice, Portal, Subscription } from "./model.ts";
import { collect, completeCheckout, updateAndPublish } from "./subscriptions.ts";

const maxBytes = 16 * 1024;

/** A form's answer may redirect to the product, whose origin is not known here. */
const policy = "frame-ancestors 'none'; form-action 'self' http: https:";

/** Serves the pages `/stripe/checkout/:session` and `/stripe/portal/:session`. */
export async function handlePage(
  account: Account,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const { checkouts, portals, customers } = account.state;
  const [, kind, id] = /^\/stripe\/(checkout|portal)\/([^/]+)$/.exec(pathname) ?? [];
  const checkout = kind === "checkout" ? checkouts.find((one) => one.id === id) : null;
  const portal = kind === "portal" ? portals.find((one) => one.id === id) : null;
  const customer = customers.find((one) => one.id === portal?.customer && !one.deleted);
  if (request.method === "POST" && (checkout || customer)) {
    const form = new URLSearchParams(await readBody(request, maxBytes));
    if (customer) submitPortal(account, customer, form);
    const location = checkout ? submitCheckout(account, checkout, form) : null;
    response.writeHead(303, { location: location ?? pathname, "cache-control": "no-store" }).end();
    return;
  }
  const language = toLanguage(request.headers["accept-language"]);
  const t = createTranslate(language);
  const view = { account, t, language, isDeclined: search === "?declined" };
  const [title, body] = checkout
    ? toCheckoutPage(view, checkout)
    : portal && customer
      ? toPortalPage(view, portal, customer)
      : [t("notFound"), ""];
  const status = checkout || customer ? 200 : 404;
  const main = `<main><p class="notice">${t("notice")}</p><h1>${title}</h1>${body}</main>`;
  const lang = language === "zh" ? "zh-Hans" : "en";
  sendHtml(response, status, toHtml({ lang, title, body: main }), policy);
}

/** Handles a form of the checkout page; returns the address to redirect to, or null for the page itself. */
function submitCheckout(account: Account, checkout: Checkout, form: URLSearchParams) {
  // A session that was paid or has expired may still be open in a tab.
  if (checkout.status !== "open") return null;
  if (form.get("action") !== "pay") return "?declined";
  completeCheckout(account, checkout);
  return checkout.successUrl;
}

/** Handles a form of the portal. Ignores subscriptions and invoices of other customers. */
function submitPortal(account: Account, customer: Customer, form: URLSearchParams): void {
  const action = form.get("action");
  if (action === "good-card" || action === "bad-card")
    customer.card = { declines: action === "bad-card" };
  const { invoices, subscriptions } = account.state;
  const invoice = invoices.find(({ id }) => id === form.get("invoice"));
  const subscriptionId = invoice?.subscription ?? form.get("subscription");
  const one = subscriptions.find(({ id }) => id === subscriptionId);
  if (one?.customer !== customer.id || one.status === "canceled") return;
  updateAndPublish(account, one, () => {
    if (invoice?.status === "open") collect(account, one, invoice);
    if (action !== "cancel" && action !== "resume") return;
    // With flexible billing, the default, Stripe's portal sets `cancel_at` and not `cancel_at_period_end`.
    one.cancelAt = action === "cancel" ? one.item.periodEnd : null;
    one.cancelAtPeriodEnd = false;
  });
}

interface View {
  account: Account;
  t: Translate;
  language: Language;
  isDeclined: boolean;
}

function toCheckoutPage({ account, t, isDeclined }: View, checkout: Checkout): [string, string] {
  const { status, successUrl, cancelUrl } = checkout;
  if (status !== "open")
    return [t(status), toLink(status === "complete" ? successUrl : cancelUrl, t("back"))];
  const price = account.getPrice(checkout.price);
  const { email } = account.customer(checkout.customer);
  const body = `<section>
      <p class="price">${toPrice(price, t)}</p>
      <p class="quiet">${escapeHtml(t("account", { email }))}</p>
      ${isDeclined ? `<p class="alert" role="alert">${t("declined")}</p>` : ""}
      <form method="post">
        <button class="primary" name="action" value="pay">${t("pay", { price: toMoney(price.amountCents) })}</button>
        <button name="action" value="decline">${t("decline")}</button>
      </form>
      ${toLink(cancelUrl, t("cancel"))}
    </section>`;
  return [t("checkoutTitle", { plan: price.productName }), body];
}

/** Title and body of the page for a customer's plan, card and invoices. */
function toPortalPage(view: View, portal: Portal, { id, email }: Customer): [string, string] {
  const { account, t } = view;
  const { subscriptions, invoices } = account.state;
  const plans = subscriptions.filter((one) => one.customer === id && one.status !== "canceled");
  const bills = invoices.filter(({ customer }) => customer === id).toReversed();
  const body = `<p class="quiet">${escapeHtml(t("account", { email }))}</p>
    <section aria-labelledby="plan"><h2 id="plan">${t("plan")}</h2>
      ${plans.map((one) => toPlan(view, one)).join("") || `<p>${t("noPlan")}</p>`}
    </section>
    <section aria-labelledby="card"><h2 id="card">${t("paymentMethod")}</h2>
      <form method="post">
        <button name="action" value="good-card">${t("goodCard")}</button>
        <button name="action" value="bad-card">${t("badCard")}</button>
      </form>
    </section>
    <section aria-labelledby="invoices"><h2 id="invoices">${t("invoices")}</h2>
      <ul>${bills.map((one) => toInvoiceRow(view, one)).join("")}</ul>
    </section>
    ${toLink(portal.returnUrl, t("back"))}`;
  return [t("portalTitle"), body];
}

function toPlan({ account, t, language }: View, one: Subscription): string {
  const { id, item, status, cancelAt } = one;
  const date = toDay(cancelAt ?? item.periodEnd, language);
  const isOwed = status === "past_due" || status === "unpaid";
  const action = cancelAt === null ? "cancel" : "resume";
  const price = account.getPrice(item.price);
  return `<p><strong>${price.productName}</strong> · ${toPrice(price, t)}</p>
    ${isOwed ? `<p class="alert">${t(status)}</p>` : ""}
    <p>${t(cancelAt === null ? "renews" : "ends", { date })}</p>
    <form method="post"><input type="hidden" name="subscription" value="${id}"><button name="action" value="${action}">${t(`${action}Plan`)}</button></form>`;
}

function toInvoiceRow({ t, language }: View, { id, created, total, status }: Invoice): string {
  const pay = `<form method="post"><input type="hidden" name="invoice" value="${id}"><button aria-describedby="${id}">${t("payNow")}</button></form>`;
  const state = status === "open" ? pay : `<span class="quiet">${t("paid")}</span>`;
  return `<li><span id="${id}">${toDay(created, language)}</span><span>${toMoney(total)}</span>${state}</li>`;
}

const toPrice = ({ interval, amountCents }: Price, t: Translate) =>
  t(interval === "year" ? "perYear" : "perMonth", { price: toMoney(amountCents) });

const toMoney = (cents: number) => `${cents < 0 ? "-" : ""}$${(Math.abs(cents) / 100).toFixed(2)}`;

const toDay = (second: number, language: Language) =>
  new Date(second * 1_000).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });

const toLink = (url: string, text: string) =>
  `<a class="button" href="${escapeHtml(url)}">${text}</a>`;
