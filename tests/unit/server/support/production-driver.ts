import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import { afterAll, beforeAll } from "vitest";
import * as schema from "#drizzle/schema.ts";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import type { Database } from "#server/database.ts";
import { connectionString } from "#tests/unit/local/postgres/backends.ts";
import { serve } from "#tests/unit/local/serve.ts";

export { backends as databases } from "#tests/unit/local/postgres/backends.ts";

/** A migrated database for the tests of one `describe`, with production's driver. */
export function createDatabase(
  open: () => Promise<SqlBackend>,
): () => { db: Database; backend: SqlBackend } {
  let instance: { db: Database; backend: SqlBackend; close(): Promise<void> } | undefined;
  beforeAll(async () => {
    const backend = await open();
    await migrateDatabase(backend.batch);
    const server = await serve(createNeonStandIn(backend));
    neonConfig.fetchEndpoint = `${server.url}/neon/sql`;
    instance = {
      backend,
      db: drizzle(neon(connectionString), { schema }),
      async close() {
        await server.close();
        await backend.close();
      },
    };
  }, 60_000);
  afterAll(() => instance?.close());
  return () => {
    if (!instance) throw new Error("The database is open inside tests only");
    return instance;
  };
}
