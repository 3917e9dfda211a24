import { z } from "zod";
import type { Account } from "../account.ts";
import { endpoint } from "../endpoint.ts";
import { cardDeclined, invalidRequest, resourceMissing } from "../errors.ts";
import { chargeable, draftInvoice } from "../invoices.ts";
import { page, within } from "../lists.ts";
import type { Invoice, Line, Subscription } from "../model.ts";
import { expand, flag, oneOf, paging, range, text } from "../parameters.ts";
import { periodEnd } from "../periods.ts";
import { periodLine, planChange } from "../proration.ts";
import { changing, collect } from "../subscriptions.ts";
import { wireInvoice } from "../wire/invoice.ts";
import { findCustomer } from "./customers.ts";
import {
  beyondItems,
  changeParameters,
  findSubscription,
  prorationDate,
  wantedItem,
} from "./subscriptions.ts";

function findInvoice(account: Account, id: string): Invoice {
  const invoice = account.invoices.get(id);
  if (!invoice) throw resourceMissing("invoice", id, null);
  return invoice;
}

const preview = z.strictObject({
  customer: text().optional(),
  subscription: text(),
  subscription_details: z
    .strictObject({ ...changeParameters, cancel_at_period_end: flag.optional() })
    .optional(),
  preview_mode: oneOf("next", "recurring").optional(),
  expand,
});

export const invoiceEndpoints = [
  endpoint("GET", "/v1/invoices/:id", z.strictObject({ expand }), [], (account, _, { id }) =>
    wireInvoice(account, findInvoice(account, id)),
  ),

  endpoint(
    "GET",
    "/v1/invoices",
    z.strictObject({
      ...paging,
      customer: text().optional(),
      subscription: text().optional(),
      status: oneOf("draft", "open", "paid", "uncollectible", "void").optional(),
      created: range,
    }),
    ["collection_method", "customer_account", "due_date"],
    (account, input, { path }) => {
      const found = [...account.invoices.values()].filter(
        (one) =>
          (!input.customer || one.customer === input.customer) &&
          (!input.subscription || one.subscription === input.subscription) &&
          (!input.status || one.status === input.status) &&
          within(one.created, input.created),
      );
      return page(found, input, path, (one) => wireInvoice(account, one));
    },
  ),

  endpoint(
    "POST",
    "/v1/invoices/:id/pay",
    z.strictObject({ off_session: flag.optional(), expand }),
    ["forgive", "mandate", "paid_out_of_band", "payment_method", "source"],
    (account, _, { id }) => {
      const invoice = findInvoice(account, id);
      if (invoice.status === "paid") throw invalidRequest("Invoice is already paid");
      if (invoice.status !== "open")
        throw invalidRequest("The stand-in of Stripe collects open invoices alone.");
      const subscription = findSubscription(account, invoice.subscription, null);
      const declined = !chargeable(account.customer(invoice.customer));
      changing(account, subscription, () => void collect(account, subscription, invoice));
      if (declined) throw cardDeclined();
      return wireInvoice(account, invoice);
    },
  ),

  endpoint(
    "POST",
    "/v1/invoices/create_preview",
    preview,
    [
      ...["automatic_tax", "currency", "customer_account", "customer_details", "discounts"],
      ...["invoice_items", "issuer", "on_behalf_of", "schedule", "schedule_details"],
      ...["billing_mode", "cancel_at", "cancel_now", "default_tax_rates", "metadata", "trial_end"]
        .concat(["billing_schedules", "pause", "resume_at", "start_date"])
        .map((name) => `subscription_details[${name}]`),
      ...beyondItems.map((name) => name.replace("items", "subscription_details[items]")),
    ],
    (account, input) => {
      const subscription = findSubscription(account, input.subscription, "subscription");
      if (input.customer) findCustomer(account, input.customer, "customer");
      if (input.preview_mode === "recurring")
        throw invalidRequest("The stand-in of Stripe previews the next invoice alone.", {
          param: "preview_mode",
        });
      const details = input.subscription_details;
      const lines = details
        ? changedLines(account, subscription, details)
        : nextLines(account, subscription);
      if (subscription.status === "canceled" || lines.length === 0)
        throw invalidRequest("No upcoming invoices for customer", {
          code: "invoice_upcoming_none",
          status: 404,
        });
      const reason = details ? "subscription_update" : "subscription_cycle";
      const draft = draftInvoice(account, subscription, reason, lines);
      return { ...wireInvoice(account, draft), id: draft.id.replace(/^in_/, "upcoming_in_") };
    },
  ),
];

/** What the subscription will owe at the turn of the period, as it stands. */
function nextLines(account: Account, { item, anchor, cancelAt, pending }: Subscription): Line[] {
  if (cancelAt !== null && cancelAt <= item.periodEnd) return pending;
  const { interval } = account.price(item.price);
  const end = periodEnd(anchor, interval, item.periodEnd, account.periodSeconds);
  return [...pending, periodLine(account, item.price, item.quantity, item.periodEnd, end)];
}

/** What it will owe next if it is changed so. */
function changedLines(
  account: Account,
  subscription: Subscription,
  details: NonNullable<z.output<typeof preview>["subscription_details"]>,
): Line[] {
  const item = wantedItem(account, subscription, details.items, "subscription_details[items]");
  const { price, quantity } = item ?? subscription.item;
  const at = prorationDate(
    subscription,
    details.proration_date,
    account.clock.now(subscription.customer),
  );
  const behavior = details.proration_behavior;
  const resetAnchor = details.billing_cycle_anchor?.type === "now";
  const change = { price, quantity, resetAnchor, behavior, at };
  const outcome = planChange(account, subscription, change);
  const owed = [...subscription.pending, ...outcome.prorations];
  if (outcome.charge) return [...owed, outcome.charge];
  if (behavior === "always_invoice") return owed;
  const after = { ...subscription, item: { ...subscription.item, price, quantity }, pending: owed };
  if (details.cancel_at_period_end !== undefined)
    after.cancelAt = details.cancel_at_period_end ? subscription.item.periodEnd : null;
  return nextLines(account, after);
}
