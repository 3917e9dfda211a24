import { z } from "zod";
import { type Account, newId } from "../account.ts";
import { endpoint } from "../endpoint.ts";
import { invalidRequest, resourceMissing } from "../errors.ts";
import { page, within } from "../lists.ts";
import type { Checkout } from "../model.ts";
import {
  email,
  expand,
  flag,
  integer,
  metadata,
  oneOf,
  paging,
  range,
  text,
  webAddress,
} from "../parameters.ts";
import { wireCheckout, wireLineItems } from "../wire/session.ts";
import { findPrice } from "./catalogue.ts";
import { findCustomer, mergeMetadata } from "./customers.ts";

const hour = 3_600;

const create = z.strictObject({
  mode: oneOf("subscription", "payment", "setup").optional(),
  ui_mode: oneOf("hosted_page", "embedded_page", "elements", "form").optional(),
  line_items: z
    .array(z.strictObject({ price: text(), quantity: integer(1, 999_999).optional() }))
    .optional(),
  success_url: webAddress.optional(),
  cancel_url: webAddress.optional(),
  customer: text().optional(),
  customer_email: email.optional(),
  client_reference_id: text(200).optional(),
  metadata: metadata.optional(),
  subscription_data: z
    .strictObject({ metadata: metadata.optional(), description: text(500).optional() })
    .optional(),
  allow_promotion_codes: flag.optional(),
  billing_address_collection: oneOf("auto", "required").optional(),
  payment_method_collection: oneOf("always", "if_required").optional(),
  submit_type: oneOf("auto", "book", "donate", "pay", "subscribe").optional(),
  expires_at: integer().optional(),
  locale: text(10).optional(),
  expand,
});
const beyond = [
  ...["adaptive_pricing", "after_expiration", "allowed_payment_method_types", "automatic_tax"],
  ...["branding_settings", "consent_collection", "currency", "custom_fields", "custom_text"],
  ...["customer_account", "customer_creation", "customer_update", "discounts", "permissions"],
  ...["excluded_payment_method_types", "integration_identifier", "invoice_creation", "return_url"],
  ...["managed_payments", "name_collection", "optional_items", "origin_context", "wallet_options"],
  ...["payment_intent_data", "payment_method_configuration", "payment_method_data"],
  ...["payment_method_options", "phone_number_collection", "redirect_on_completion"],
  ...["saved_payment_method_options", "setup_intent_data", "shipping_address_collection"],
  ...["shipping_options", "tax_id_collection"],
  ...["adjustable_quantity", "metadata", "price_data", "tax_rates"].map(
    (n) => `line_items[][${n}]`,
  ),
  ...["application_fee_percent", "billing_cycle_anchor", "billing_cycle_anchor_config"].map(ofData),
  ...["billing_mode", "default_tax_rates", "invoice_settings", "on_behalf_of"].map(ofData),
  ...["pending_invoice_item_interval", "proration_behavior", "transfer_data"].map(ofData),
  ...["trial_end", "trial_period_days", "trial_settings"].map(ofData),
];
function ofData(name: string): string {
  return `subscription_data[${name}]`;
}

function findCheckout(account: Account, id: string): Checkout {
  const checkout = account.checkouts.get(id);
  if (!checkout) throw resourceMissing("checkout.session", id, null);
  return checkout;
}

export const checkoutEndpoints = [
  endpoint("POST", "/v1/checkout/sessions", create, beyond, (account, input) => {
    const { price, quantity } = lineOf(account, input);
    const { success_url: successUrl, cancel_url: cancelUrl } = input;
    if (!successUrl)
      throw invalidRequest("Missing required param: success_url.", {
        code: "parameter_missing",
        param: "success_url",
      });
    if (input.customer && input.customer_email)
      throw invalidRequest(
        "You may only specify one of these parameters: customer, customer_email.",
        { param: "customer" },
      );
    const customer = input.customer ? findCustomer(account, input.customer, "customer").id : null;
    const now = account.clock.now(customer);
    const id = newId("cs_test", 56);
    const checkout: Checkout = {
      id,
      created: now,
      expiresAt: expiryOf(input.expires_at, now),
      status: "open",
      customer,
      customerEmail: input.customer_email ?? null,
      clientReferenceId: input.client_reference_id ?? null,
      metadata: mergeMetadata({}, input.metadata),
      subscriptionMetadata: mergeMetadata({}, input.subscription_data?.metadata),
      subscriptionDescription: input.subscription_data?.description ?? null,
      price,
      quantity,
      successUrl,
      cancelUrl: cancelUrl ?? null,
      locale: input.locale ?? null,
      allowPromotionCodes: input.allow_promotion_codes ?? null,
      billingAddressCollection: input.billing_address_collection ?? null,
      submitType: input.submit_type ?? null,
      paymentMethodCollection: input.payment_method_collection ?? "always",
      subscription: null,
      invoice: null,
    };
    account.checkouts.set(id, checkout);
    return wireCheckout(account, checkout);
  }),

  endpoint(
    "GET",
    "/v1/checkout/sessions",
    z.strictObject({
      ...paging,
      customer: text().optional(),
      subscription: text().optional(),
      status: oneOf("open", "complete", "expired").optional(),
      created: range,
    }),
    ["customer_account", "customer_details", "payment_intent", "payment_link"],
    (account, input, { path }) => {
      const found = [...account.checkouts.values()].filter(
        (one) =>
          (!input.customer || one.customer === input.customer) &&
          (!input.subscription || one.subscription === input.subscription) &&
          (!input.status || one.status === input.status) &&
          within(one.created, input.created),
      );
      return page(found, input, path, (one) => wireCheckout(account, one));
    },
  ),

  endpoint(
    "GET",
    "/v1/checkout/sessions/:id",
    z.strictObject({ expand }),
    [],
    (account, _, { id }) => wireCheckout(account, findCheckout(account, id)),
  ),

  endpoint(
    "GET",
    "/v1/checkout/sessions/:id/line_items",
    z.strictObject(paging),
    [],
    (account, input, { id, path }) =>
      page(wireLineItems(account, findCheckout(account, id)), input, path, (one) => one),
  ),

  endpoint(
    "POST",
    "/v1/checkout/sessions/:id/expire",
    z.strictObject({ expand }),
    [],
    (account, _, { id }) => {
      const checkout = findCheckout(account, id);
      if (checkout.status !== "open")
        throw invalidRequest(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${checkout.status}\`.`,
        );
      checkout.status = "expired";
      const wire = wireCheckout(account, checkout);
      account.publish("checkout.session.expired", checkout.customer, wire);
      return wire;
    },
  ),
];

/** The one thing that is sold. */
function lineOf(account: Account, { mode, ui_mode, line_items }: z.output<typeof create>) {
  if (mode !== undefined && mode !== "subscription")
    throw invalidRequest(`The stand-in of Stripe does not have the mode: ${mode}`, {
      param: "mode",
    });
  if (ui_mode !== undefined && ui_mode !== "hosted_page")
    throw invalidRequest(`The stand-in of Stripe does not have the ui_mode: ${ui_mode}`, {
      param: "ui_mode",
    });
  const [line, ...others] = line_items ?? [];
  if (!line)
    throw invalidRequest("Missing required param: line_items.", {
      code: "parameter_missing",
      param: "line_items",
    });
  if (others.length > 0)
    throw invalidRequest("The stand-in of Stripe sells one price at a time.", {
      param: "line_items[1]",
    });
  if (line.quantity === undefined)
    throw invalidRequest("Quantity is required. Add `quantity` to `line_items[0]`", {
      param: "line_items[0]",
    });
  const price = findPrice(account, line.price, "line_items[0][price]");
  if (mode === undefined)
    throw invalidRequest(
      "You must provide `mode` when using prices. To learn more, see https://stripe.com/docs/payments/checkout",
      { code: "parameter_missing", param: "mode" },
    );
  return { price: price.id, quantity: line.quantity };
}

function expiryOf(wanted: number | undefined, now: number): number {
  if (wanted === undefined) return now + 24 * hour;
  if (wanted < now + hour / 2 || wanted > now + 24 * hour)
    throw invalidRequest(
      "The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.",
      { param: "expires_at" },
    );
  return wanted;
}
