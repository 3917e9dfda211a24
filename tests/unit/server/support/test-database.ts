import { profiles, users } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { mainBackend } from "#tests/unit/local/postgres/backends.ts";
import { createDatabase } from "./production-driver.ts";

/**
 * An embedded Postgres for the tests of one file, with production's driver:
 * batches are transactions. `LOCAL_DATABASE_URL` replaces it by a PostgreSQL server.
 */
export function createTestDatabase(): () => Database {
  const getDatabase = createDatabase(mainBackend.open);
  return () => getDatabase().db;
}

/** A new user with a profile. */
export async function addUser(db: Database): Promise<{ id: string; email: string }> {
  const user = { id: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.org` };
  await db.batch([
    db.insert(users).values({ ...user, passwordHash: "unused" }),
    db.insert(profiles).values({ userId: user.id }),
  ]);
  return user;
}
