import { eq } from "drizzle-orm";
import { profiles, users } from "../../../drizzle/schema.ts";
import { AppError } from "../../shared/errors.ts";
import type { Database } from "../database.ts";
import { violates } from "../faults.ts";

/** One address, one account: the form in which addresses are stored and compared. */
export function accountEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Makes an account and its profile, both or neither.
 *
 * @throws AppError `email_in_use`
 */
export async function createAccount(
  db: Database,
  { id, email, passwordHash, now }: { id: string; email: string; passwordHash: string; now: Date },
): Promise<void> {
  const moments = { createdAt: now, updatedAt: now };
  try {
    await db.batch([
      db.insert(users).values({ id, email, passwordHash, ...moments }),
      db.insert(profiles).values({ userId: id, ...moments }),
    ]);
  } catch (error) {
    if (violates(error, "users_email_key")) throw new AppError("email_in_use", { cause: error });
    throw error;
  }
}

/** The account at `email` (in `accountEmail` form), or null. */
export async function findAccount(db: Database, { email }: { email: string }) {
  const [row] = await db
    .select({ id: users.id, email: users.email, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.email, email));
  return row ?? null;
}
