import type { Account } from "../account.ts";
import type { Customer, Invoice, Portal, Subscription } from "../model.ts";
import { escapeHtml, layout } from "./layout.ts";
import { dayOf, fill, type Language, money, type Words, words } from "./words.ts";

/** What the last form did: it was saved, or its payment failed. */
export type PortalNews = "saved" | "failed" | null;

/** The page on which a customer looks after plan, card and invoices. */
export function portalPage(
  account: Account,
  portal: Portal,
  { language, news }: { language: Language; news: PortalNews },
): string {
  const says = words[language];
  const customer = account.customer(portal.customer);
  const back = portal.returnUrl
    ? `<a class="button" href="${escapeHtml(portal.returnUrl)}">${says.goBack}</a>`
    : "";
  const plans = runningOf(account, customer.id);
  return layout(
    language,
    says.portalTitle,
    `<h1>${says.portalTitle}</h1>
     ${customer.email ? `<p class="quiet">${escapeHtml(fill(says.account, { email: customer.email }))}</p>` : ""}
     ${news === "saved" ? `<p class="done" role="status">${says.saved}</p>` : ""}
     ${news === "failed" ? `<p class="alert" role="alert">${says.payFailed}</p>` : ""}
     <section aria-labelledby="plan"><h2 id="plan">${says.plan}</h2>
       ${plans.map((one) => planPart(account, one, language)).join("") || `<p>${says.noPlan}</p>`}
     </section>
     <section aria-labelledby="card"><h2 id="card">${says.paymentMethod}</h2>
       <p>${cardWords(customer, says)}</p>
       <form method="post">
         <button name="action" value="good-card">${says.goodCard}</button>
         <button name="action" value="bad-card">${says.badCard}</button>
       </form>
     </section>
     <section aria-labelledby="invoices"><h2 id="invoices">${says.invoices}</h2>
       ${invoicePart(invoicesOf(account, customer.id), language)}
     </section>
     ${back}`,
  );
}

/** A customer's subscriptions that have not ended, newest first. */
export const runningOf = (account: Account, id: string): Subscription[] =>
  [...account.subscriptions.values()]
    .filter(({ customer, status }) => customer === id && status !== "canceled")
    .toReversed();

const invoicesOf = ({ invoices }: Account, id: string): Invoice[] =>
  [...invoices.values()].filter(({ customer }) => customer === id).toReversed();

function planPart(account: Account, subscription: Subscription, language: Language): string {
  const says = words[language];
  const { id, item, status, cancelAt } = subscription;
  const price = account.price(item.price);
  const per = price.interval === "year" ? says.perYear : says.perMonth;
  const state =
    status === "past_due"
      ? `<p class="alert">${says.pastDue}</p>`
      : status === "unpaid"
        ? `<p class="alert">${says.unpaid}</p>`
        : "";
  const date = dayOf(cancelAt ?? item.periodEnd, language);
  const [action, label] =
    cancelAt === null ? ["cancel", says.cancelPlan] : ["resume", says.resumePlan];
  return `<p><strong>${escapeHtml(account.products.get(price.product)?.name ?? "")}</strong> · ${fill(per, { price: money(price.amount * item.quantity) })}</p>
    ${state}<p>${fill(cancelAt === null ? says.active : says.ending, { date })}</p>
    <form method="post"><input type="hidden" name="subscription" value="${id}"><button name="action" value="${action}">${label}</button></form>`;
}

function cardWords({ card }: Customer, says: Words): string {
  if (!card) return says.noCard;
  return fill(card.declines ? says.failingCard : says.card, { last4: card.last4 });
}

function invoicePart(invoices: Invoice[], language: Language): string {
  const says = words[language];
  if (invoices.length === 0) return `<p>${says.noInvoices}</p>`;
  const rows = invoices.map(({ id, number, created, total, status }) => {
    const pay =
      status === "open"
        ? `<form method="post"><input type="hidden" name="invoice" value="${id}"><button name="action" value="pay" aria-describedby="${id}">${says.payNow}</button></form>`
        : `<span class="quiet">${says.statuses[status]}</span>`;
    return `<li><span id="${id}">${dayOf(created, language)}<small class="quiet">${number}</small></span><span>${money(total)}</span>${pay}</li>`;
  });
  return `<ul>${rows.join("")}</ul>`;
}
