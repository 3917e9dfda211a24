import { z } from "zod";
import { type Account, newId } from "../account.ts";
import { endpoint } from "../endpoint.ts";
import { invalidRequest, resourceMissing } from "../errors.ts";
import { page, within } from "../lists.ts";
import type { Customer } from "../model.ts";
import {
  email,
  emptyable,
  expand,
  integer,
  type MetadataInput,
  metadata,
  paging,
  range,
  text,
} from "../parameters.ts";
import { customerQuery } from "../search-query.ts";
import { changing, end } from "../subscriptions.ts";
import { wireCustomer, wireDeletedCustomer } from "../wire/customer.ts";

const details = {
  email: emptyable(email).optional(),
  name: emptyable(text(256)).optional(),
  description: emptyable(text(350)).optional(),
  phone: emptyable(text(20)).optional(),
  preferred_locales: emptyable(z.array(text())).optional(),
  metadata: metadata.optional(),
  expand,
};
const beyond = [
  ...["address", "balance", "business_name", "cash_balance", "individual_name", "invoice_prefix"],
  ...["invoice_settings", "next_invoice_sequence", "payment_method", "shipping", "source", "tax"],
  ...["tax_exempt", "tax_id_data", "test_clock", "validate", "default_source"],
];

/**
 * The customer that a path or a parameter names.
 *
 * @param param null where it is in the path.
 * @throws ApiError resource_missing, for a deleted one too.
 */
export function findCustomer(account: Account, id: string, param: string | null): Customer {
  const customer = account.customers.get(id);
  if (!customer || customer.deleted) throw resourceMissing("customer", id, param);
  return customer;
}

/** What `changes` make of `labels`: an empty value unsets its key, null all of them. */
export function mergeMetadata(
  labels: Record<string, string>,
  changes: MetadataInput | undefined,
): Record<string, string> {
  if (changes === undefined) return labels;
  if (changes === null) return {};
  return Object.fromEntries(
    Object.entries({ ...labels, ...changes }).filter(([, value]) => value !== ""),
  );
}

export const customerEndpoints = [
  endpoint("POST", "/v1/customers", z.strictObject(details), beyond, (account, input) => {
    const customer: Customer = {
      id: newId("cus", 14),
      created: account.clock.now(),
      email: input.email ?? null,
      name: input.name ?? null,
      description: input.description ?? null,
      phone: input.phone ?? null,
      preferredLocales: input.preferred_locales ?? [],
      metadata: mergeMetadata({}, input.metadata),
      balance: 0,
      card: null,
      invoiceCount: 0,
      deleted: false,
    };
    account.customers.set(customer.id, customer);
    account.publish("customer.created", customer.id, wireCustomer(account, customer));
    return wireCustomer(account, customer);
  }),

  endpoint(
    "GET",
    "/v1/customers/search",
    z.strictObject({
      query: text(),
      limit: integer(1, 100).default(10),
      page: text().optional(),
      expand,
    }),
    [],
    (account, { query, limit, page: cursor }) => {
      const matches = customerQuery(query);
      const found = living(account).filter(matches).toReversed();
      const from = cursor ? found.findIndex(({ id }) => id === cursor) + 1 : 0;
      if (cursor && from === 0) throw invalidRequest("Invalid page token", { param: "page" });
      const shown = found.slice(from, from + limit);
      const more = found.length > from + limit;
      return {
        object: "search_result",
        url: "/v1/customers/search",
        has_more: more,
        next_page: more ? (shown.at(-1)?.id ?? null) : null,
        data: shown.map((customer) => wireCustomer(account, customer)),
      };
    },
  ),

  endpoint("GET", "/v1/customers/:id", z.strictObject({ expand }), [], (account, _, { id }) => {
    const customer = account.customers.get(id);
    if (!customer) throw resourceMissing("customer", id, null);
    return customer.deleted ? wireDeletedCustomer(customer) : wireCustomer(account, customer);
  }),

  endpoint(
    "POST",
    "/v1/customers/:id",
    z.strictObject(details),
    beyond,
    (account, input, { id }) => {
      const customer = findCustomer(account, id, null);
      const before = wireCustomer(account, customer);
      if (input.email !== undefined) customer.email = input.email;
      if (input.name !== undefined) customer.name = input.name;
      if (input.description !== undefined) customer.description = input.description;
      if (input.phone !== undefined) customer.phone = input.phone;
      if (input.preferred_locales !== undefined)
        customer.preferredLocales = input.preferred_locales ?? [];
      customer.metadata = mergeMetadata(customer.metadata, input.metadata);
      const after = wireCustomer(account, customer);
      if (JSON.stringify(before) !== JSON.stringify(after))
        account.publish("customer.updated", customer.id, after, before);
      return after;
    },
  ),

  endpoint("DELETE", "/v1/customers/:id", z.strictObject({}), [], (account, _, { id }) => {
    const customer = findCustomer(account, id, null);
    for (const subscription of account.subscriptions.values()) {
      if (subscription.customer !== id || subscription.status === "canceled") continue;
      changing(account, subscription, () => end(account, subscription, "cancellation_requested"));
    }
    const before = wireCustomer(account, customer);
    customer.deleted = true;
    account.publish("customer.deleted", id, before);
    return wireDeletedCustomer(customer);
  }),

  endpoint(
    "GET",
    "/v1/customers",
    z.strictObject({
      ...paging,
      email: text().optional(),
      created: range,
    }),
    ["test_clock"],
    (account, input, { path }) => {
      const found = living(account).filter(
        (one) =>
          (input.email === undefined || one.email === input.email) &&
          within(one.created, input.created),
      );
      return page(found, input, path, (one) => wireCustomer(account, one));
    },
  ),
];

const living = ({ customers }: Account) => [...customers.values()].filter((one) => !one.deleted);
