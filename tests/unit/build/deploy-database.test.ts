import { neonConfig } from "@neondatabase/serverless";
import pg from "pg";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { checkMigrations, migrateSite, readDatabase } from "#build/deploy-database.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { findPrograms, startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer } from "#local/postgres/server.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { connectionString as url } from "#tests/unit/local/postgres/backends.ts";
import { serve } from "#tests/unit/local/serve.ts";

// A site's database with migrations pending, called as Neon is, and copies of it, in one PostgreSQL.

const former = 26;
const pending = ["0026_corrected_originals", "0027_search_sample"];
const [first] = pending;

const hasPostgres = findPrograms() !== null;
let server: NonNullable<Awaited<ReturnType<typeof startPrivateServer>>>;

const toUrl = (name: string) => server.url.replace(/postgres$/, name);

async function administer(query: string, name = "postgres"): Promise<void> {
  const client = new pg.Client(toUrl(name));
  await client.connect();
  await client.query(query).finally(() => client.end());
}

let count = 0;
/** A database with what the site had when it was deployed last. */
async function createCopy(): Promise<string> {
  count += 1;
  const name = `copy${count}`;
  await administer(`create database ${name} template deployed`);
  return name;
}

/** The site's database, behind Neon's protocol. */
async function createSite(): Promise<string> {
  const name = await createCopy();
  await serveSite(name);
  return name;
}

async function serveSite(name: string): Promise<void> {
  const backend = openServer(toUrl(name));
  const { url: neon, close } = await serve(createNeonStandIn(backend));
  onTestFinished(async () => {
    await close();
    await backend.close();
  });
  neonConfig.fetchEndpoint = `${neon}/neon/sql`;
}

const check = async (copy: string) =>
  checkMigrations(await readDatabase(url), { url, copyUrl: toUrl(copy) });

const isMigrated = async () => (await readDatabase(url)).pending.length === 0;

const addColumn = "alter table transcript_entries add column original_by_hand boolean";
const failure = `The migration ${first} fails: column "original_by_hand" of relation "transcript_entries" already exists`;

describe.runIf(hasPostgres)("migrations", () => {
  beforeAll(async () => {
    const started = await startPrivateServer({ fsync: "off" });
    if (!started) throw new Error("PostgreSQL is not installed");
    server = started;
    await administer("create database deployed template template0 encoding 'UTF8'");
    const backend = openServer(toUrl("deployed"));
    await migrateDatabase(backend.batch, { upTo: former });
    await backend.close();
    await administer(
      `with person as (insert into users (email, password_hash) values ('a@example.org', 'none') returning id)
        insert into usage_ledger (recording_id, segment, user_id, month, started_at, flushed_at)
        select gen_random_uuid(), 0, id, date_trunc('month', now()), now(), now() + interval '1 hour' from person`,
      "deployed",
    );
    return () => server.close();
  });

  test("are applied to the copy, and then to the site", async () => {
    await createSite();
    const state = await readDatabase(url);
    expect(state).toMatchObject({ applied: former, recordings: 1 });
    expect(state.pending.map(({ name }) => name).slice(0, 2)).toEqual(pending);
    expect(await check(await createCopy())).toMatch(/^the copy at DATABASE_COPY_URL in [\d.]+ s$/);
    expect(await isMigrated()).toBe(false);
    await migrateSite(url, state);
    expect(await isMigrated()).toBe(true);
  });

  test("set the time limit of statements, also where none is pending", async () => {
    const site = await createSite();
    const readLimit = async () => {
      const client = new pg.Client(toUrl(site));
      await client.connect();
      const { rows } = await client.query("show statement_timeout").finally(() => client.end());
      return rows;
    };
    await migrateSite(url, await readDatabase(url));
    await administer(`alter role dualect in database ${site} reset all`);
    expect(await readLimit()).toEqual([{ statement_timeout: "0" }]);
    await migrateSite(url, await readDatabase(url));
    expect(await readLimit()).toEqual([{ statement_timeout: "5s" }]);
  });

  test("are not begun on a database that cannot search every language", async () => {
    count += 1;
    await administer(`create database copy${count} template template0 encoding 'UTF8' locale 'C'`);
    await serveSite(`copy${count}`);
    await expect(readDatabase(url)).rejects.toThrow(
      /The locale of the database is C: .* Nothing was changed\.$/,
    );
  });

  test("that fail on the copy leave the site as it is", async () => {
    await createSite();
    const copy = await createCopy();
    await administer(addColumn, copy);
    await expect(check(copy)).rejects.toThrow(
      `${failure}, on the copy at DATABASE_COPY_URL. Nothing was changed.`,
    );
    expect(await readDatabase(url)).toMatchObject({ applied: former });
  });

  test("that fail on the site say how far it is", async () => {
    const site = await createSite();
    await administer(addColumn, site);
    await expect(migrateSite(url, await readDatabase(url))).rejects.toThrow(
      `${failure}. The site is at the version before`,
    );
    expect(await readDatabase(url)).toMatchObject({ applied: former });
  });

  test("are not tried on a copy with other ones, nor on the site itself", async () => {
    await createSite();
    const copy = await createCopy();
    await check(copy);
    await expect(check(copy)).rejects.toThrow(
      /has \d+ migrations and the site has 26: make a new copy/,
    );
    const state = await readDatabase(url);
    const site = "postgresql://a:b@ep-one-1.eu.aws.neon.tech/dualect";
    const copyUrl =
      "postgresql://a:c@ep-one-1-pooler.eu.aws.neon.tech:5432/dualect?sslmode=require";
    await expect(checkMigrations(state, { url: site, copyUrl })).rejects.toThrow(
      "is the site's own database",
    );
  });
});
