import { Hono } from "hono";
import { hasPlans } from "#server/subscriptions/queries.ts";
import { applyEvent } from "#server/subscriptions/sync.ts";
import { AppError } from "#shared/errors.ts";
import { limitBody } from "#worker/http/middleware/early-calls.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";

/** An event contains one object; the largest, an invoice with its lines, has some ten kilobytes. */
const bodyMaxBytes = 256 * 1024;

/**
 * `POST /api/stripe/webhook`: Stripe's events. Stripe retries after any status but 2xx, so 2xx is returned
 * only after the event's effects were written.
 */
export const stripeWebhook = new Hono<AppEnv>();

stripeWebhook.post("/", limitBody(bodyMaxBytes), async (c) => {
  const { env, ...services } = c.get("services");
  const { billing, clock, logger } = services;
  if (!hasPlans(env.billing.mode)) throw new AppError("not_found");
  const body = new Uint8Array(await c.req.arrayBuffer());
  const signature = c.req.header("stripe-signature") ?? "";
  const event = await billing
    .readEvent({ body, signature, now: clock.now() })
    .catch((error: unknown) => {
      const detail = error instanceof AppError ? error.message : null;
      logger.warn("webhook_refused", { requestId: c.get("requestId"), detail });
      throw error;
    });
  await applyEvent({ ...services, settings: { billing: env.billing } }, event);
  return c.json({ received: true });
});
