import { z } from "zod";
import { newId } from "../account.ts";
import { endpoint } from "../endpoint.ts";
import type { Portal } from "../model.ts";
import { expand, text, webAddress } from "../parameters.ts";
import { wirePortal } from "../wire/session.ts";
import { findCustomer } from "./customers.ts";

const beyond = [
  "after_expiration",
  "configuration",
  "customer_account",
  "flow_data",
  "on_behalf_of",
];

export const portalEndpoints = [
  endpoint(
    "POST",
    "/v1/billing_portal/sessions",
    z.strictObject({
      customer: text(),
      return_url: webAddress.optional(),
      locale: text(10).optional(),
      expand,
    }),
    beyond,
    (account, input) => {
      const customer = findCustomer(account, input.customer, "customer");
      const id = newId("bps");
      const portal: Portal = {
        id,
        created: account.clock.now(customer.id),
        customer: customer.id,
        returnUrl: input.return_url ?? null,
        locale: input.locale ?? null,
      };
      account.portals.set(id, portal);
      account.publish("billing_portal.session.created", customer.id, wirePortal(account, portal));
      return wirePortal(account, portal);
    },
  ),
];
