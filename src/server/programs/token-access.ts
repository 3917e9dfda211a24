import type { TokenScope } from "#shared/programs.ts";

/**
 * What no personal token may do, by procedure or by router: change the account, its credentials or its plan, record, end
 * what the trash still holds, or decide what programs may do.
 */
const closed = new Set([
  "auth",
  "connections",
  "recording",
  "tokens",
  "webhooks",
  "subscriptions.checkout",
  "subscriptions.portal",
  "subscriptions.downgrade",
  "subscriptions.resume",
  "subscriptions.simulatePayment",
  "subscriptions.simulateDowngrade",
  "takes.store",
  "trash.empty",
  "trash.remove",
]);

/** The scope that a token needs for a procedure: a query reads, a mutation writes. Null: no token may call it. */
export function getNeededScope(
  path: string,
  type: "query" | "mutation" | "subscription",
): TokenScope | null {
  const [router = ""] = path.split(".");
  if (closed.has(router) || closed.has(path)) return null;
  return type === "query" ? "read" : "write";
}
