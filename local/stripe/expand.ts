import type { Account } from "./account.ts";
import { invalidRequest } from "./errors.ts";
import { wirePrice, wireProduct } from "./wire/catalogue.ts";
import { wireCustomer, wireDeletedCustomer } from "./wire/customer.ts";
import { wireInvoice } from "./wire/invoice.ts";
import { wireCheckout, wireLineItems } from "./wire/session.ts";
import { wireSubscription } from "./wire/subscription.ts";

type Wire = { [name: string]: unknown };

const deepest = 4;

/**
 * Puts objects in the place of ids, as `expand` asks: `latest_invoice`, `data.customer`, …
 *
 * @throws ApiError where there is nothing to expand.
 */
export function expanded(account: Account, answer: object, paths: readonly string[]): object {
  // A copy, so that what was asked for by one request is not seen by another.
  const copy = structuredClone(answer);
  for (const path of paths) {
    const names = path.split(".");
    if (names.length > deepest)
      throw invalidRequest(`You cannot expand more than ${deepest} levels of a property.`);
    expandAt(account, copy, names, path);
  }
  return copy;
}

function expandAt(account: Account, at: unknown, [name, ...rest]: string[], path: string): void {
  if (name === undefined) return;
  if (Array.isArray(at)) {
    for (const one of at) expandAt(account, one, [name, ...rest], path);
    return;
  }
  if (!isWire(at)) throw cannotExpand(path);
  if (at[name] === undefined) at[name] = included(account, at, name);
  const value = at[name];
  if (value === null) return;
  if (typeof value === "string") at[name] = byId(account, value, path);
  else if (value === undefined || typeof value !== "object") throw cannotExpand(path);
  expandAt(account, at[name], rest, path);
}

/** What an object has only where it is asked for. */
function included(account: Account, { object, id }: Wire, name: string): unknown {
  const checkout = account.checkouts.get(String(id));
  if (object === "checkout.session" && name === "line_items" && checkout)
    return list(wireLineItems(account, checkout), `/v1/checkout/sessions/${id}/line_items`);
  if (object === "customer" && name === "subscriptions") {
    const own = [...account.subscriptions.values()].filter(
      ({ customer, status }) => customer === id && status !== "canceled",
    );
    const data = own.toReversed().map((one) => wireSubscription(account, one));
    return list(data, `/v1/customers/${id}/subscriptions`);
  }
  return undefined;
}

const list = (data: object[], url: string) => ({ object: "list", data, has_more: false, url });

function byId(account: Account, id: string, path: string): object {
  const customer = account.customers.get(id);
  if (customer)
    return customer.deleted ? wireDeletedCustomer(customer) : wireCustomer(account, customer);
  const subscription = account.subscriptions.get(id);
  if (subscription) return wireSubscription(account, subscription);
  const invoice = account.invoices.get(id);
  if (invoice) return wireInvoice(account, invoice);
  const checkout = account.checkouts.get(id);
  if (checkout) return wireCheckout(account, checkout);
  const price = account.prices.get(id);
  if (price) return wirePrice(price, account.catalogue);
  const product = account.products.get(id);
  if (product) return wireProduct(product, account.catalogue);
  throw cannotExpand(path);
}

const isWire = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const cannotExpand = (path: string) =>
  invalidRequest(
    `This property cannot be expanded (${path}). You may want to try expanding another.`,
  );
