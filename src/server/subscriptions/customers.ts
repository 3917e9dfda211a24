import { and, eq, sql } from "drizzle-orm";
import { subscriptions } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { violatesConstraint } from "#server/errors.ts";
import { type Billing, UnknownCustomer } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";

interface CustomerOwner {
  id: string;
  email: string;
}

type CustomerServices = { db: Database; billing: Billing };

/** The user's Stripe customer, or null; `asked`: one was asked for, and may be there unknown to us. */
export async function findCustomer(db: Database, { userId }: { userId: string }) {
  const [row] = await db
    .select({ customerId: subscriptions.stripeCustomerId, syncStarted: subscriptions.syncStarted })
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId));
  return {
    customerId: row?.customerId ?? null,
    syncStarted: row?.syncStarted ?? 0,
    asked: row !== undefined,
  };
}

/**
 * Runs `use` with the user's customer, which is made where there is none, and made again where Stripe
 * knows it no longer. Calls at the same time get the same customer.
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
    await forgetCustomer(services.db, { userId: user.id, customerId });
    return use(await ensureCustomer(services, user));
  }
}

async function ensureCustomer(
  { db, billing }: CustomerServices,
  user: CustomerOwner,
): Promise<string> {
  const { customerId, syncStarted } = await findCustomer(db, { userId: user.id });
  if (customerId) return customerId;
  // Two tabs ask with the same key; after a customer was forgotten the key is another.
  const key = `customer-${user.id}-${syncStarted}`;
  const row = { userId: user.id, tier: "free", status: "inactive" } as const;
  let made: string | null = null;
  try {
    // First, so that whatever fails from here on, deleting the account asks Stripe for a customer.
    await db.insert(subscriptions).values(row).onConflictDoNothing();
    made = await billing.createCustomer({ userId: user.id, email: user.email, key });
    const [written] = await db
      .insert(subscriptions)
      .values({ ...row, stripeCustomerId: made })
      .onConflictDoUpdate({
        target: subscriptions.userId,
        set: {
          stripeCustomerId: sql`coalesce(${subscriptions.stripeCustomerId}, excluded.stripe_customer_id)`,
        },
      })
      .returning({ customerId: subscriptions.stripeCustomerId });
    const kept = written?.customerId ?? made;
    if (kept !== made) await billing.deleteCustomer({ customerId: made });
    return kept;
  } catch (error) {
    if (!violatesConstraint(error, "subscriptions_user_id_users_id_fk")) throw error;
    // The account was deleted in the meantime: nothing of it may stay behind at Stripe.
    if (made) await billing.deleteCustomer({ customerId: made });
    throw new AppError("unauthenticated", { cause: error });
  }
}

async function forgetCustomer(
  db: Database,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<void> {
  await db
    .update(subscriptions)
    .set({ stripeCustomerId: null, syncStarted: sql`${subscriptions.syncStarted} + 1` })
    .where(and(eq(subscriptions.userId, userId), eq(subscriptions.stripeCustomerId, customerId)));
}
