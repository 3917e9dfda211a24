import type { Database } from "#server/database.ts";
import { type Billing, UnknownCustomer } from "#server/ports.ts";
import { findCustomer } from "./customers.ts";

/**
 * Cancels all subscriptions of the user immediately and deletes the Stripe customers, including one whose id
 * could not be stored. Idempotent.
 *
 * @returns the customer id in the user's row, or null.
 * @throws AppError `unavailable` when Stripe does not answer; a subscription may still be active then.
 */
export async function closeBilling(
  { db, billing }: { db: Database; billing: Billing },
  { id: userId, email }: { id: string; email: string },
): Promise<string | null> {
  const { customerId, wasRequested } = await findCustomer(db, { userId });
  if (!wasRequested) return null;
  const found = await billing.findCustomers({ userId, email });
  for (const one of new Set(customerId ? [customerId, ...found] : found))
    await closeCustomer(billing, one);
  return customerId;
}

async function closeCustomer(billing: Billing, customerId: string): Promise<void> {
  try {
    await billing.closeCheckouts({ customerId, keepPriceId: null });
  } catch (error) {
    if (!(error instanceof UnknownCustomer)) throw error;
  }
  await billing.deleteCustomer({ customerId });
}
