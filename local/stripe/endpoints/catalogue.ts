import { z } from "zod";
import type { Account } from "../account.ts";
import type { Price } from "../catalogue.ts";
import { endpoint } from "../endpoint.ts";
import { resourceMissing } from "../errors.ts";
import { page } from "../lists.ts";
import { expand, flag, oneOf, paging, text } from "../parameters.ts";
import { wirePrice, wireProduct } from "../wire/catalogue.ts";

/** @throws ApiError resource_missing. `param` is null where the path names the price. */
export function findPrice(account: Account, id: string, param: string | null): Price {
  const price = account.prices.get(id);
  if (!price) throw resourceMissing("price", id, param);
  return price;
}

export const catalogueEndpoints = [
  endpoint("GET", "/v1/prices/:id", z.strictObject({ expand }), [], (account, _, { id }) =>
    wirePrice(findPrice(account, id, null), account.catalogue),
  ),

  endpoint(
    "GET",
    "/v1/prices",
    z.strictObject({
      ...paging,
      active: flag.optional(),
      currency: text(3).optional(),
      lookup_keys: z.array(text(200)).max(10).optional(),
      product: text().optional(),
      recurring: z
        .strictObject({
          interval: oneOf("day", "week", "month", "year").optional(),
          usage_type: oneOf("licensed", "metered").optional(),
        })
        .optional(),
      type: oneOf("one_time", "recurring").optional(),
    }),
    ["created", "recurring[meter]"],
    (account, input, { path }) => {
      const found = account.catalogue.prices.filter(
        (price) =>
          input.active !== false &&
          (!input.currency || input.currency === "usd") &&
          (!input.lookup_keys || input.lookup_keys.includes(price.lookupKey)) &&
          (!input.product || price.product === input.product) &&
          (!input.recurring?.interval || price.interval === input.recurring.interval) &&
          input.recurring?.usage_type !== "metered" &&
          input.type !== "one_time",
      );
      return page(found, input, path, (price) => wirePrice(price, account.catalogue));
    },
  ),

  endpoint("GET", "/v1/products/:id", z.strictObject({ expand }), [], (account, _, { id }) => {
    const product = account.products.get(id);
    if (!product) throw resourceMissing("product", id, null);
    return wireProduct(product, account.catalogue);
  }),

  endpoint(
    "GET",
    "/v1/products",
    z.strictObject({ ...paging, active: flag.optional(), ids: z.array(text()).optional() }),
    ["created", "shippable", "type", "url"],
    (account, input, { path }) => {
      const found = account.catalogue.products.filter(
        ({ id }) => input.active !== false && (!input.ids || input.ids.includes(id)),
      );
      return page(found, input, path, (product) => wireProduct(product, account.catalogue));
    },
  ),
];
