import { eq } from "drizzle-orm";
import { sessions, subscriptions } from "#drizzle/schema.ts";
import { appRouter } from "#server/app-router.ts";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { FakeBilling } from "#tests/unit/server/support/fake-billing.ts";
import { createFakeContext, createSession } from "#tests/unit/server/support/fake-context.ts";
import { prices } from "#tests/unit/server/support/prices.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";

export const now = new Date("2026-11-20T12:00:00.000Z");

/** A signed-in user with a separate payment provider. */
export async function openUser(db: Database, over: Partial<Context> = {}) {
  const user = await addUser(db);
  const session = createSession(user);
  // The check for a recent sign-in reads the session's start.
  await db
    .insert(sessions)
    .values({ id: session.id, userId: user.id, expiresAt: session.expiresAt, createdAt: now });
  const billing = new FakeBilling();
  const { context, logged, changed } = createFakeContext(db, {
    session,
    billing,
    ...over,
  });
  const caller = createCallerFactory(appRouter)(context);
  const events = () => logged.map(({ event }) => event);
  return { user, billing, caller, context, services: context, logged, changed, events };
}

export type OpenUser = Awaited<ReturnType<typeof openUser>>;

/** The user's row, or undefined. */
export async function readSubscriptionRow(db: Database, userId: string) {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  return row;
}

/** Makes the user a customer with a checkout page. */
export async function openCustomer(db: Database, account: OpenUser): Promise<string> {
  await account.caller.subscriptions.checkout({ priceId: prices.pro.month });
  const row = await readSubscriptionRow(db, account.user.id);
  if (!row?.stripeCustomerId) throw new Error("no customer");
  return row.stripeCustomerId;
}
