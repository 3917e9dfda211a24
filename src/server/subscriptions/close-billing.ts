import type { Database } from "#server/database.ts";
import { type Billing, UnknownCustomer } from "#server/ports.ts";
import { findCustomer } from "./customers.ts";

/**
 * Ends whatever the user pays for, at once and for good, and forgets the user at Stripe: also a customer
 * that was made and could not be written down. Calling it again does no harm.
 *
 * @returns the customer that the user's row named, or null where it named none.
 * @throws AppError `unavailable` when Stripe did not answer: then something may still be paid for.
 */
export async function closeBilling(
  { db, billing }: { db: Database; billing: Billing },
  { id: userId, email }: { id: string; email: string },
): Promise<string | null> {
  const { customerId, asked } = await findCustomer(db, { userId });
  if (!asked) return null;
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
