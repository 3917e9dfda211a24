import type { Database } from "../database.ts";
import { type Billing, UnknownCustomer } from "../ports.ts";
import { findCustomer } from "./customers.ts";

/**
 * Ends whatever the user pays for, at once and for good, and forgets the user at Stripe. Calling it
 * again does no harm.
 *
 * @returns the customer that is gone, or null for a user who never was one.
 * @throws AppError `unavailable` when Stripe did not answer: then something may still be paid for.
 */
export async function closeBilling(
  { db, billing }: { db: Database; billing: Billing },
  { userId }: { userId: string },
): Promise<string | null> {
  const { customerId } = await findCustomer(db, { userId });
  if (!customerId) return null;
  try {
    await billing.closeCheckouts({ customerId, keepPriceId: null });
  } catch (error) {
    if (!(error instanceof UnknownCustomer)) throw error;
  }
  await billing.deleteCustomer({ customerId });
  return customerId;
}
