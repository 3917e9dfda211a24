import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import { afterAll, beforeAll } from "vitest";
import * as schema from "../../../../drizzle/schema.ts";
import { profiles, users } from "../../../../drizzle/schema.ts";
import { openDatabase } from "../../../../local/postgres/database.ts";
import type { Database } from "../../../../src/server/database.ts";
import { serve } from "../../local/serve.ts";

/**
 * An embedded Postgres for the tests of one file, reached through the driver that production has:
 * batches are transactions. `LOCAL_DATABASE_URL` puts a PostgreSQL server in its place.
 */
export function testDatabase(): () => Database {
  let opened: { db: Database; close(): Promise<void> } | undefined;

  beforeAll(async () => {
    const database = await openDatabase({ databaseUrl: process.env.LOCAL_DATABASE_URL });
    const server = await serve(database.standIn);
    neonConfig.fetchEndpoint = `${server.url}/neon/sql`;
    opened = {
      db: drizzle(neon("postgresql://dualect:local@localhost/dualect"), { schema }),
      async close() {
        await server.close();
        await database.close();
      },
    };
  });
  afterAll(() => opened?.close());

  return () => {
    if (!opened) throw new Error("The database is open inside tests only");
    return opened.db;
  };
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
