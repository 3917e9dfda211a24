import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { resourceMissing } from "../errors.ts";
import { page, within } from "../lists.ts";
import { expand, flag, paging, range, text } from "../parameters.ts";
import { wireEvent } from "../wire/session.ts";

export const eventEndpoints = [
  endpoint("GET", "/v1/events/:id", z.strictObject({ expand }), [], (account, _, { id }) => {
    const event = account.events.get(id);
    if (!event) throw resourceMissing("event", id, null);
    return wireEvent(event);
  }),

  endpoint(
    "GET",
    "/v1/events",
    z.strictObject({
      ...paging,
      type: text().optional(),
      types: z.array(text()).max(20).optional(),
      delivery_success: flag.optional(),
      created: range,
    }),
    [],
    (account, input, { path }) => {
      const found = [...account.events.values()].filter(
        ({ type, pending, created }) =>
          (!input.type || matches(type, input.type)) &&
          (!input.types || input.types.some((pattern) => matches(type, pattern))) &&
          (input.delivery_success === undefined || pending !== input.delivery_success) &&
          within(created, input.created),
      );
      return page(found, input, path, wireEvent);
    },
  ),
];

/** `customer.subscription.*` stands for all of them. */
const matches = (type: string, pattern: string) =>
  pattern === "*" ||
  (pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern);
