import { randomUUID } from "node:crypto";
import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import * as schema from "../../../../drizzle/schema.ts";
import type { SqlBackend } from "../../../../local/postgres/backend.ts";
import { openEmbedded } from "../../../../local/postgres/embedded.ts";
import { createNeonStandIn } from "../../../../local/postgres/endpoint.ts";
import { migrateDatabase } from "../../../../local/postgres/migrations.ts";
import { findPrograms, startPrivateServer } from "../../../../local/postgres/private-server.ts";
import { openServer } from "../../../../local/postgres/server.ts";
import type { Database } from "../../../../src/server/database.ts";
import { serve } from "../../local/serve.ts";

interface Opened {
  backend: SqlBackend;
  close(): Promise<void>;
}

async function openPglite(): Promise<Opened> {
  const backend = await openEmbedded();
  return { backend, close: () => backend.close() };
}

/** The server of `LOCAL_DATABASE_URL`, in a database of its own, or one that is started for the suite. */
async function openPostgres(): Promise<Opened> {
  const given = process.env.LOCAL_DATABASE_URL;
  if (given === undefined) {
    const server = await startPrivateServer({ fsync: "off" });
    if (!server) throw new Error("PostgreSQL is not installed");
    const backend = openServer(server.url);
    return {
      backend,
      async close() {
        await backend.close();
        await server.close();
      },
    };
  }
  const administer = async (query: string) => {
    const client = new pg.Client(given);
    await client.connect();
    await client.query(query).finally(() => client.end());
  };
  const name = `dualect_test_${randomUUID().replaceAll("-", "")}`;
  await administer(`create database ${name} template template0 encoding 'UTF8'`);
  const url = new URL(given);
  url.pathname = `/${name}`;
  const backend = openServer(url.href);
  return {
    backend,
    async close() {
      await backend.close();
      await administer(`drop database ${name}`);
    },
  };
}

const hasPostgres = process.env.LOCAL_DATABASE_URL !== undefined || findPrograms() !== null;

/** PGlite, whose callers wait in line, and where it can be had a PostgreSQL with eight connections. */
export const databases = [
  { name: "PGlite", open: openPglite },
  ...(hasPostgres ? [{ name: "PostgreSQL", open: openPostgres }] : []),
];

/** The database for the tests of one `describe`, migrated, through the driver that production has. */
export function databaseOf(
  open: () => Promise<Opened>,
): () => { db: Database; backend: SqlBackend } {
  let opened: { db: Database; backend: SqlBackend; close(): Promise<void> } | undefined;
  beforeAll(async () => {
    const { backend, close } = await open();
    await migrateDatabase(backend.batch);
    const server = await serve(createNeonStandIn(backend));
    neonConfig.fetchEndpoint = `${server.url}/neon/sql`;
    opened = {
      backend,
      db: drizzle(neon("postgresql://dualect:local@localhost/dualect"), { schema }),
      async close() {
        await server.close();
        await close();
      },
    };
  }, 60_000);
  afterAll(() => opened?.close());
  return () => {
    if (!opened) throw new Error("The database is open inside tests only");
    return opened;
  };
}
