import { and, eq, sql } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { violatesConstraint } from "#server/errors.ts";
import { type Billing, UnknownCustomer } from "#server/ports.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";

type CustomerOwner = Pick<SessionUser, "id" | "email">;
type CustomerServices = { db: Database; billing: Billing };

/** The user's Stripe customer, or null. `wasRequested`: a creation was started, so one may exist at Stripe only. */
export async function findCustomer(db: Database, userId: string) {
  const [row] = await db
    .select({ customerId: subscriptions.stripeCustomerId, syncStarted: subscriptions.syncStarted })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId));
  return {
    customerId: row?.customerId ?? null,
    syncStarted: row?.syncStarted ?? 0,
    wasRequested: row !== undefined,
  };
}

/**
 * Runs `use` with the user's customer, which is created if it does not exist (any more). Concurrent calls
 * get the same customer.
 */
export async function withCustomer<T>(
  services: CustomerServices,
  user: CustomerOwner,
  use: (customerId: string) => Promise<T>,
): Promise<T> {
  const customerId = await ensureCustomer(services, user);
  try {
    return await use(customerId);
  } catch (error) {
    if (!(error instanceof UnknownCustomer)) throw error;
    await services.db
      .update(subscriptions)
      .set({ stripeCustomerId: null, syncStarted: sql`${subscriptions.syncStarted} + 1` })
      .where(
        and(eq(subscriptions.userId, user.id), eq(subscriptions.stripeCustomerId, customerId)),
      );
    return use(await ensureCustomer(services, user));
  }
}

async function ensureCustomer(
  { db, billing }: CustomerServices,
  user: CustomerOwner,
): Promise<string> {
  const { customerId, syncStarted } = await findCustomer(db, user.id);
  if (customerId) return customerId;
  // Concurrent calls use the same idempotency key; after a customer was forgotten the key changes.
  const key = `customer-${user.id}-${syncStarted}`;
  const row = { userId: user.id, tier: "free", status: "inactive" } as const;
  let created: string | null = null;
  try {
    // The row comes first: if a later step fails, deleting the account still looks for a customer at Stripe.
    await db.insert(subscriptions).values(row).onConflictDoNothing();
    created = await billing.createCustomer({ userId: user.id, email: user.email, key });
    const [written] = await db
      .insert(subscriptions)
      .values({ ...row, stripeCustomerId: created })
      .onConflictDoUpdate({
        target: subscriptions.userId,
        set: {
          stripeCustomerId: sql`coalesce(${subscriptions.stripeCustomerId}, excluded.stripe_customer_id)`,
        },
      })
      .returning({ customerId: subscriptions.stripeCustomerId });
    const stored = written?.customerId ?? created;
    if (stored !== created) await billing.deleteCustomer({ customerId: created });
    return stored;
  } catch (error) {
    if (!violatesConstraint(error, "subscriptions_user_id_users_id_fk")) throw error;
    // The account was deleted in the meantime, so the customer is deleted too.
    if (created) await billing.deleteCustomer({ customerId: created });
    throw new AppError("unauthenticated", { cause: error });
  }
}

/**
 * Cancels all subscriptions of the user immediately and deletes the Stripe customers, including one whose id
 * could not be stored. Idempotent.
 *
 * @returns the customer id in the user's row, or null.
 * @throws AppError `unavailable` when Stripe does not answer; a subscription may still be active then.
 */
export async function closeBilling(
  { db, billing }: CustomerServices,
  { id: userId, email }: CustomerOwner,
): Promise<string | null> {
  const { customerId, wasRequested } = await findCustomer(db, userId);
  if (!wasRequested) return null;
  const found = await billing.findCustomers({ userId, email });
  for (const id of new Set(customerId ? [customerId, ...found] : found)) {
    await billing.closeCheckouts({ customerId: id, keepPriceId: null }).catch((error: unknown) => {
      if (!(error instanceof UnknownCustomer)) throw error;
    });
    await billing.deleteCustomer({ customerId: id });
  }
  return customerId;
}
