import { env } from "cloudflare:test";
import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { subscriptions } from "#drizzle/schema.ts";
import { getServices } from "#worker/services.ts";
import { type openBrowser, origin } from "./browser.ts";

const { db, env: settings } = getServices(env);
const stripe = new Stripe(settings.stripe.secretKey);

/** Sets clock and failures of the embedded Stripe. */
export async function controlStripe(body: object): Promise<unknown> {
  const response = await fetch(`${settings.stripe.url}/stripe/control`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** Presses a button of Stripe's page; returns the address it leads to. */
async function press(page: string, form: Record<string, string>): Promise<string | null> {
  const body = new URLSearchParams(form);
  const response = await fetch(page, { method: "POST", body, redirect: "manual" });
  return response.headers.get("location");
}

export const getUnixSeconds = () => Math.floor(Date.now() / 1_000);

/** The signature header with which Stripe would send `payload`. */
export function signPayload(
  payload: string,
  { timestamp = getUnixSeconds(), secret = settings.stripe.webhookSecret } = {},
): Promise<string> {
  return stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
}

type Account = ReturnType<typeof openBrowser> & { user: { id: string } };

/** Buys `priceId` on the embedded Stripe's page without any webhook. */
export async function subscribe(
  { trpc, user }: Pick<Account, "trpc" | "user">,
  priceId = "price_pro_monthly",
): Promise<{ customerId: string }> {
  const result = await trpc.subscriptions.checkout.mutate({ priceId });
  if (result.kind !== "checkout") throw new Error("the user has a plan");
  const led = await press(result.url, { action: "pay" });
  if (led !== `${origin}/profile?checkout=success`) throw new Error(`led to ${led}`);
  const [row] = await db
    .select({ customerId: subscriptions.stripeCustomerId })
    .from(subscriptions)
    .where(eq(subscriptions.userId, user.id));
  if (!row?.customerId) throw new Error("no customer");
  return { customerId: row.customerId };
}

/** An event about a customer as Stripe would send it. */
export function createEventBody(
  customerId: string,
  type = "customer.subscription.updated",
): string {
  return JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: "event",
    type,
    created: getUnixSeconds(),
    data: { object: { id: "sub_x", object: "subscription", customer: customerId } },
  });
}
