import { neonConfig } from "@neondatabase/serverless";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { createNeonBatch } from "#local/postgres/neon.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { isThorough } from "#tests/fixtures/property-runs.ts";
import { serve } from "#tests/unit/local/serve.ts";
import { backends, connectionString, mainBackend } from "./backends.ts";

/** An empty database for each test. */
function useEmptyDatabase({ open }: (typeof backends)[number]) {
  const opened: SqlBackend[] = [];
  beforeEach(async () => {
    opened.push(await open());
  }, 60_000);
  afterEach(() => opened.pop()?.close());
  const get = (): SqlBackend => {
    const [backend] = opened;
    if (!backend) throw new Error("The database is open inside tests only");
    return backend;
  };
  const run = async (query: string) => (await get().run({ query, params: [] })).rows;
  const journal = () => run('select hash from "drizzle"."__drizzle_migrations"');
  return { get, run, journal };
}

describe.each(backends)("migrations on $name", (backend) => {
  const { get, run, journal } = useEmptyDatabase(backend);

  test("allows two runs at once", async () => {
    const [one, other] = await Promise.all([
      migrateDatabase(get().batch),
      migrateDatabase(get().batch),
    ]);
    expect(one + other).toBe((await journal()).length);
    expect(await run("select count(*) from plans")).toEqual([["3"]]);
  });
});

describe.each(isThorough ? backends : [mainBackend])("a migration on $name", (backend) => {
  const { get, run, journal } = useEmptyDatabase(backend);
  const tables = () =>
    run("select tablename from pg_tables where schemaname = 'public' order by tablename");

  test("applies nothing in a second run and keeps changed plans", async () => {
    expect(await migrateDatabase(get().batch)).toBeGreaterThan(0);
    const [made, entries] = [await tables(), await journal()];
    expect(made).toContainEqual(["transcript_entries"]);
    await run("update plans set monthly_price_cents = 1 where tier = 'pro'");
    await run("delete from plans where tier = 'premium'");
    expect(await migrateDatabase(get().batch)).toBe(0);
    expect([await tables(), await journal()]).toEqual([made, entries]);
    expect(await run("select tier, monthly_price_cents from plans order by tier")).toEqual([
      ["free", "0"],
      ["pro", "1"],
      ["premium", "3499"],
    ]);
  });

  test("rolls back a failed migration, which can be applied later", async () => {
    await run("create table webhook_events (mine int)");
    await expect(migrateDatabase(get().batch)).rejects.toMatchObject({ code: "42P07" });
    expect(await tables()).toEqual([["webhook_events"]]);
    expect(await journal()).toEqual([]);
    await run("drop table webhook_events");
    expect(await migrateDatabase(get().batch)).toBeGreaterThan(0);
  });

  test("refuses a database of a newer version, and changes nothing there", async () => {
    await migrateDatabase(get().batch);
    await run(
      `insert into "drizzle"."__drizzle_migrations" (hash, created_at) values ('newer', 9e12)`,
    );
    const before = await journal();
    await expect(migrateDatabase(get().batch)).rejects.toThrow(/is of a newer version/);
    expect(await journal()).toEqual(before);
  });

  test("reports a migration that was changed after it was applied", async () => {
    await migrateDatabase(get().batch);
    await run(`update "drizzle"."__drizzle_migrations" set hash = 'other' where id = 1`);
    await expect(migrateDatabase(get().batch)).rejects.toThrow("Migration 0 of the database");
  });

  test("migrates over Neon's protocol", async () => {
    const server = await serve(createNeonStandIn(get()));
    neonConfig.fetchEndpoint = `${server.url}/neon/sql`;
    const execute = createNeonBatch(connectionString);
    expect(await migrateDatabase(execute)).toBeGreaterThan(0);
    expect(await migrateDatabase(execute)).toBe(0);
    expect(await migrateDatabase(get().batch)).toBe(0);
    await server.close();
  });
});
