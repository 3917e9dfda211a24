import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import * as schema from "#drizzle/schema.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { findPrograms, startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer } from "#local/postgres/server.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { serve } from "#tests/unit/local/serve.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";
import { addEverything, createMark } from "#tests/worker/support/owned-rows.ts";
import { connectionString } from "./backends.ts";

const run = promisify(execFile);
const programs = findPrograms();
const hasDump = programs !== null && existsSync(join(programs, "pg_dump"));

/** All rows of all tables, by the table's name. */
async function readTables(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`);
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select to_jsonb(one)::text as row from ${name} one order by 1`,
    );
    content[name] = rows.map(({ row }) => row);
  }
  await client.end();
  return content;
}

/** An empty database in a server of its own, as a restored site's. */
async function createDatabase(): Promise<string> {
  const server = await startPrivateServer({ fsync: "off" });
  if (!server) throw new Error("PostgreSQL is not installed");
  onTestFinished(() => server.close());
  return server.url;
}

// As docs/operations.md describes it.
test.runIf(hasDump)("a dump restores into another server whole", { timeout: 60_000 }, async () => {
  const [siteUrl, copyUrl] = [await createDatabase(), await createDatabase()];
  const backend = openServer(siteUrl);
  await migrateDatabase(backend.batch);
  const http = await serve(createNeonStandIn(backend));
  neonConfig.fetchEndpoint = `${http.url}/neon/sql`;
  const db = drizzle(neon(connectionString), { schema });
  const { id } = await addUser(db);
  await addEverything(db, id, createMark());
  await http.close();
  await backend.close();

  const file = join(programs ?? "", "pg_dump");
  const dump = join(process.env.TMPDIR ?? "/tmp", `dualect-${crypto.randomUUID()}.dump`);
  onTestFinished(async () => (await import("node:fs/promises")).rm(dump, { force: true }));
  await run(file, ["--format=custom", "--no-owner", `--file=${dump}`, siteUrl]);
  const restore = ["--no-owner", "--exit-on-error", `--dbname=${copyUrl}`, dump];
  await run(join(programs ?? "", "pg_restore"), restore);

  const site = await readTables(siteUrl);
  expect(Object.values(site).filter((rows) => rows.length > 0).length).toBeGreaterThan(20);
  expect(await readTables(copyUrl)).toEqual(site);

  // Migrations find nothing to apply, and set the limit that a dump does not have. The triggers are there.
  const copy = openServer(copyUrl);
  await migrateDatabase(copy.batch);
  const limit = new pg.Client(copyUrl);
  await limit.connect();
  const { rows: limits } = await limit.query("show statement_timeout");
  await limit.end();
  expect(limits).toEqual([{ statement_timeout: "5s" }]);
  await copy.run({ query: "delete from users", params: [] });
  const { rows } = await copy.run({ query: "select count(*) from user_storage", params: [] });
  expect(rows).toEqual([["0"]]);
  await copy.close();
});
