import { neon, neonConfig } from "@neondatabase/serverless";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#local/postgres/database.ts";
import { checkText } from "#local/postgres/database-settings.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { findPrograms, startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer, withoutTimeout } from "#local/postgres/server.ts";
import { serve } from "#tests/unit/local/serve.ts";
import { connectionString, pglite } from "./backends.ts";

let server: NonNullable<Awaited<ReturnType<typeof startPrivateServer>>>;

const toUrl = (name: string) => server.url.replace(/postgres$/, name);

/** Runs `query` in a session of its own; the first column of the first row. */
async function ask(url: string, query: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client
    .query({ text: query, rowMode: "array" })
    .finally(() => client.end());
  return rows[0]?.[0];
}

let count = 0;
/** A database that was created with these settings, and its address. */
async function createDatabase(settings = "encoding 'UTF8'"): Promise<string> {
  count += 1;
  await ask(server.url, `create database site${count} template template0 ${settings}`);
  return toUrl(`site${count}`);
}

async function migrate(url: string): Promise<void> {
  const backend = openServer(url);
  await migrateDatabase(backend.batch).finally(() => backend.close());
}

const readLimit = (url: string) => ask(url, "show statement_timeout");

/** As a restored dump: the tables, without the settings of the role. */
const forget = (url: string) =>
  ask(url, `alter role dualect in database ${new URL(url).pathname.slice(1)} reset all`);

test("PGlite stores and searches every language", { timeout: 60_000 }, async () => {
  const backend = await pglite.open();
  await checkText(backend.batch);
  await backend.close();
});

describe.runIf(findPrograms() !== null)("a migrated database", () => {
  beforeAll(async () => {
    const started = await startPrivateServer({ fsync: "off" });
    if (!started) throw new Error("PostgreSQL is not installed");
    server = started;
    return () => server.close();
  });

  test("ends statements after 5 s, whether it is new or restored", async () => {
    const url = await createDatabase();
    await migrate(url);
    expect(await readLimit(url)).toBe("5s");
    await forget(url);
    expect(await readLimit(url)).toBe("0");
    await migrate(url);
    expect(await readLimit(url)).toBe("5s");
  });

  test.each([
    ["2s", "2s"],
    ["0", "5s"],
    ["0s", "5s"],
  ])("has of a limit of %s that an operator has set: %s", async (chosen, limit) => {
    const url = await createDatabase();
    const name = new URL(url).pathname.slice(1);
    await ask(url, `alter role dualect in database ${name} set statement_timeout = '${chosen}'`);
    const backend = openServer(url);
    // Without the migration that sets it too.
    await migrateDatabase(backend.batch, { upTo: 7 });
    await migrateDatabase(backend.batch);
    await ask(url, `alter role dualect in database ${name} set statement_timeout = '${chosen}'`);
    await migrateDatabase(backend.batch);
    await backend.close();
    expect(await readLimit(url)).toBe(limit);
  });

  test.each([
    [
      "SQL_ASCII",
      "encoding 'SQL_ASCII' locale 'C'",
      /encoding of the database is SQL_ASCII.*createdb/,
    ],
    ["LATIN1", "encoding 'LATIN1' locale 'C'", /encoding of the database is LATIN1/],
    ["the locale C", "encoding 'UTF8' locale 'C'", /locale of the database is C: .*createdb/],
  ])("is refused with %s before anything is created in it", async (_, settings, message) => {
    const url = await createDatabase(settings);
    await expect(migrate(url)).rejects.toThrow(message);
    expect(await ask(url, "select count(*)::int from pg_tables where schemaname = 'drizzle'")).toBe(
      0,
    );
  });

  test("is opened with sessions that have the limit, also right after it was restored", async () => {
    const url = await createDatabase();
    await migrate(url);
    await forget(url);
    const database = await openDatabase({ databaseUrl: url });
    onTestFinished(() => database.close());
    const { url: neonUrl, close } = await serve(database.standIn);
    onTestFinished(close);
    neonConfig.fetchEndpoint = `${neonUrl}/neon/sql`;
    const [row] = await neon(connectionString)`show statement_timeout`;
    expect(row).toEqual({ statement_timeout: "5s" });
  });

  test("is not opened by a connection that undoes the limit", async () => {
    const url = await createDatabase();
    await expect(openDatabase({ databaseUrl: withoutTimeout(url) })).rejects.toThrow(
      /role "dualect" have no time limit.*remove "statement_timeout"/,
    );
  });
});
