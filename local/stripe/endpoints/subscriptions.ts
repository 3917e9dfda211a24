import { z } from "zod";
import type { Account } from "../account.ts";
import { endpoint } from "../endpoint.ts";
import { invalidRequest, resourceMissing } from "../errors.ts";
import { page, within } from "../lists.ts";
import type { Subscription } from "../model.ts";
import {
  emptyable,
  expand,
  flag,
  integer,
  metadata,
  oneOf,
  paging,
  range,
  text,
} from "../parameters.ts";
import {
  changePrice,
  changing,
  creditUnused,
  end,
  invoicePending,
  planEnd,
  setCancelAtPeriodEnd,
} from "../subscriptions.ts";
import { wireSubscription } from "../wire/subscription.ts";
import { findPrice } from "./catalogue.ts";
import { mergeMetadata } from "./customers.ts";

const cancellationDetails = z
  .strictObject({
    comment: emptyable(text()).optional(),
    feedback: emptyable(
      oneOf(
        ...(["customer_service", "low_quality", "missing_features", "other"] as const),
        ...(["switched_service", "too_complex", "too_expensive", "unused"] as const),
      ),
    ).optional(),
  })
  .optional();

/** What a change of price is made of, in an update and in a preview. */
export const changeParameters = {
  items: z
    .array(
      z.strictObject({
        id: text().optional(),
        price: text().optional(),
        quantity: integer(1, 999_999).optional(),
      }),
    )
    .max(20)
    .optional(),
  proration_behavior: oneOf("create_prorations", "always_invoice", "none").default(
    "create_prorations",
  ),
  proration_date: integer().optional(),
  billing_cycle_anchor: z.strictObject({ type: oneOf("now", "unchanged") }).optional(),
};
export const beyondItems = [
  ...["billing_thresholds", "clear_usage", "current_trial", "deleted", "discounts", "metadata"],
  ...["plan", "price_data", "tax_rates"],
].map((name) => `items[][${name}]`);

const update = z.strictObject({
  ...changeParameters,
  cancel_at: emptyable(integer()).optional(),
  cancel_at_period_end: flag.optional(),
  cancellation_details: cancellationDetails,
  description: emptyable(text(500)).optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: oneOf("allow_incomplete", "error_if_incomplete").default("allow_incomplete"),
  expand,
});
const beyond = [
  ...["add_invoice_items", "application_fee_percent", "automatic_tax", "billing_schedules"],
  ...["billing_thresholds", "collection_method", "days_until_due", "default_payment_method"],
  ...["default_source", "default_tax_rates", "discounts", "invoice_settings", "on_behalf_of"],
  ...["pause_collection", "payment_settings", "pending_invoice_item_interval", "transfer_data"],
  ...["trial_end", "trial_from_plan", "trial_settings", "cancellation_details[feedback_option]"],
  ...beyondItems,
];

/** @throws ApiError resource_missing. `param` is null where the path names it. */
export function findSubscription(account: Account, id: string, param: string | null): Subscription {
  const subscription = account.subscriptions.get(id);
  if (!subscription) throw resourceMissing("subscription", id, param);
  return subscription;
}

/** The price and quantity that `items` ask for. @throws ApiError */
export function wantedItem(
  account: Account,
  { item }: Subscription,
  items: z.output<typeof update>["items"],
  name = "items",
) {
  const [wanted, ...others] = items ?? [];
  if (!wanted) return null;
  const { id } = wanted;
  if (id !== undefined && id !== item.id)
    throw resourceMissing("subscription item", id, `${name}[0][id]`);
  // Stripe would add a second item beside the first, and charge for both.
  if (id === undefined || others.length > 0)
    throw invalidRequest(
      `A subscription of the stand-in has one item: name it with ${name}[0][id], or Stripe adds another beside it.`,
      { param: id === undefined ? `${name}[0]` : `${name}[1]` },
    );
  const price = wanted.price
    ? findPrice(account, wanted.price, `${name}[0][price]`).id
    : item.price;
  return { price, quantity: wanted.quantity ?? item.quantity };
}

export const subscriptionEndpoints = [
  endpoint("GET", "/v1/subscriptions/:id", z.strictObject({ expand }), [], (account, _, { id }) =>
    wireSubscription(account, findSubscription(account, id, null)),
  ),

  endpoint(
    "GET",
    "/v1/subscriptions",
    z.strictObject({
      ...paging,
      customer: text().optional(),
      price: text().optional(),
      status: oneOf(
        ...(["active", "all", "canceled", "ended", "incomplete", "incomplete_expired"] as const),
        ...(["past_due", "paused", "trialing", "unpaid"] as const),
      ).optional(),
      created: range,
      current_period_end: range,
      current_period_start: range,
    }),
    ["automatic_tax", "collection_method", "customer_account", "plan", "test_clock"],
    (account, input, { path }) => {
      if (input.customer && !account.customers.has(input.customer))
        throw resourceMissing("customer", input.customer, "customer");
      const found = [...account.subscriptions.values()].filter(
        ({ customer, item, status, created }) =>
          (!input.customer || customer === input.customer) &&
          (!input.price || item.price === input.price) &&
          hasStatus(status, input.status) &&
          within(created, input.created) &&
          within(item.periodEnd, input.current_period_end) &&
          within(item.periodStart, input.current_period_start),
      );
      return page(found, input, path, (one) => wireSubscription(account, one));
    },
  ),

  endpoint("POST", "/v1/subscriptions/:id", update, beyond, (account, input, { id }) => {
    const subscription = findSubscription(account, id, null);
    refuseWhatIsOver(subscription, input);
    if (input.cancel_at !== undefined && input.cancel_at_period_end !== undefined)
      throw invalidRequest(
        "You may only specify one of these parameters: cancel_at, cancel_at_period_end.",
        { param: "cancel_at" },
      );
    const item = wantedItem(account, subscription, input.items);
    const now = account.clock.now(subscription.customer);
    if (input.cancel_at && input.cancel_at <= now)
      throw invalidRequest("`cancel_at` must be in the future.", { param: "cancel_at" });
    const resetAnchor = input.billing_cycle_anchor?.type === "now";
    changing(account, subscription, () => {
      if (item || resetAnchor) {
        const { price, quantity } = item ?? subscription.item;
        changePrice(
          account,
          subscription,
          {
            price,
            quantity,
            resetAnchor,
            behavior: input.proration_behavior,
            at: prorationDate(subscription, input.proration_date, now),
          },
          input.payment_behavior === "error_if_incomplete",
        );
      }
      if (input.cancel_at_period_end !== undefined)
        setCancelAtPeriodEnd(account, subscription, input.cancel_at_period_end);
      if (input.cancel_at !== undefined) planEnd(account, subscription, input.cancel_at);
      if (input.description !== undefined) subscription.description = input.description;
      Object.assign(subscription.cancellation, given(input.cancellation_details));
      subscription.metadata = mergeMetadata(subscription.metadata, input.metadata);
    });
    return wireSubscription(account, subscription);
  }),

  endpoint(
    "DELETE",
    "/v1/subscriptions/:id",
    z.strictObject({
      cancellation_details: cancellationDetails,
      invoice_now: flag.optional(),
      prorate: flag.optional(),
      expand,
    }),
    [],
    (account, input, { id }) => {
      const subscription = findSubscription(account, id, null);
      if (subscription.status === "canceled") throw resourceMissing("subscription", id, null);
      changing(account, subscription, () => {
        if (input.prorate) creditUnused(account, subscription);
        if (input.invoice_now) invoicePending(account, subscription);
        end(account, subscription, "cancellation_requested");
        Object.assign(subscription.cancellation, given(input.cancellation_details));
      });
      return wireSubscription(account, subscription);
    },
  ),
];

/** Without a status: all that have not ended. */
function hasStatus(status: Subscription["status"], wanted: string | undefined): boolean {
  if (wanted === undefined) return status !== "canceled";
  if (wanted === "all") return true;
  return wanted === "ended" ? status === "canceled" : status === wanted;
}

function refuseWhatIsOver({ status }: Subscription, input: z.output<typeof update>): void {
  const asks =
    input.items !== undefined ||
    input.billing_cycle_anchor !== undefined ||
    input.cancel_at !== undefined ||
    input.cancel_at_period_end !== undefined ||
    input.description !== undefined;
  if (status === "canceled" && asks)
    throw invalidRequest(
      "A canceled subscription can only update its cancellation_details and metadata.",
    );
}

/** @throws ApiError where the date is not within the period. */
export function prorationDate(
  { item }: Subscription,
  wanted: number | undefined,
  now: number,
): number {
  if (wanted === undefined) return now;
  if (wanted < item.periodStart || wanted > item.periodEnd)
    throw invalidRequest(
      "Invalid proration_date: it must be within the current period of the subscription.",
      { param: "proration_date" },
    );
  return wanted;
}

const given = (details: z.output<typeof cancellationDetails>) =>
  Object.fromEntries(Object.entries(details ?? {}).filter(([, value]) => value !== undefined));
