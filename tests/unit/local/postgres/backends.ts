import { randomUUID } from "node:crypto";
import pg from "pg";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { openEmbedded } from "#local/postgres/embedded.ts";
import { findPrograms, startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer } from "#local/postgres/server.ts";
import { readDatabaseImage } from "#tests/fixtures/database-image.ts";

interface TestBackend {
  name: string;
  /** Opens an empty database, which `close` removes. Only one PGlite database is open at a time. */
  open(): Promise<SqlBackend>;
  /** As `open`, perhaps with the tables of the migrations, which are empty. */
  openTables(): Promise<SqlBackend>;
}

/** Shared by the test files of a process: starting one takes seconds, emptying it milliseconds. */
let embedded: Promise<SqlBackend> | undefined;
/** The embedded database has the tables as the migrations make them. */
let hasTables = true;

const dropAll = `do $$
  begin
    drop schema public cascade;
    drop schema if exists drizzle cascade;
    create schema public;
    execute format('alter database %I reset all', current_database());
  end $$`;

const emptyTables = `do $$
  begin
    execute (select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity cascade'
      from pg_tables where schemaname = 'public');
  end $$`;

async function openPglite(query: string): Promise<SqlBackend> {
  embedded ??= readDatabaseImage().then((image) => openEmbedded(undefined, image));
  const backend = await embedded;
  await backend.run({ query, params: [] });
  // Whoever opens it next empties it.
  return { ...backend, close: async () => {} };
}

export const pglite: TestBackend = {
  name: "PGlite",
  open() {
    hasTables = false;
    return openPglite(dropAll);
  },
  openTables() {
    const query = hasTables ? emptyTables : dropAll;
    hasTables = true;
    return openPglite(query);
  },
};

const givenServer = process.env.LOCAL_DATABASE_URL;
let privateServer: ReturnType<typeof startPrivateServer> | undefined;

/** The server of `LOCAL_DATABASE_URL`, or a private server of this process. */
async function getServerUrl(): Promise<string> {
  if (givenServer !== undefined) return givenServer;
  // A vacuum between filling and planning would change a plan.
  privateServer ??= startPrivateServer({ fsync: "off", autovacuum: "off" });
  const server = await privateServer;
  if (!server) throw new Error("PostgreSQL is not installed");
  return server.url;
}

async function openPostgres(): Promise<SqlBackend> {
  const given = await getServerUrl();
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
    ...backend,
    async close() {
      await backend.close();
      await administer(`drop database ${name}`);
    },
  };
}

const postgres: TestBackend = {
  name: "PostgreSQL",
  open: openPostgres,
  openTables: openPostgres,
};

/** PGlite with one connection, and, if available, a PostgreSQL with eight. */
export const backends =
  givenServer !== undefined || findPrograms() !== null ? [pglite, postgres] : [pglite];

/** For tests that need only one backend. */
export const mainBackend = givenServer === undefined ? pglite : postgres;

/** The driver sends it; the stand-in checks only its format. */
export const connectionString = "postgresql://dualect:dualect@localhost/dualect";
