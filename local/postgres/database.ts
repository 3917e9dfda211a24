import type { StandIn } from "#local/stand-in.ts";
import type { SqlBackend } from "./backend.ts";
import { checkTimeLimit } from "./database-settings.ts";
import { migrateDatabase } from "./migrations.ts";
import { openServer } from "./server.ts";
import { createNeonStandIn } from "./stand-in.ts";

interface DatabaseOptions {
  /** Directory of the embedded Postgres; without this and `databaseUrl`, data is kept in memory. */
  dataDir?: string | undefined;
  /** With which data in memory begins, from `createImage`. */
  image?: Blob | undefined;
  /** A running PostgreSQL that replaces the embedded one. */
  databaseUrl?: string | undefined;
}

export interface Database {
  /** Neon's protocol under `/neon/`. */
  standIn: StandIn;
  /** Waits for running requests, then closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the local database and brings it up to date: migrations, plans, and what the role needs.
 *
 * @throws DataDirectoryInUseError when `dataDir` is open in another process.
 * @throws Error that says what the database at `databaseUrl` lacks.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const { dataDir, image, databaseUrl } = options;
  const backend = await (databaseUrl === undefined
    ? prepareEmbedded(dataDir, image)
    : prepareServer(databaseUrl));
  const standIn = createNeonStandIn(backend);
  return {
    standIn,
    async close() {
      await standIn.close();
      await backend.close();
    },
  };
}

const migrate = ({ batch }: SqlBackend) => migrateDatabase(batch);

/** Loaded where it is used: a site that serves others does not have it. */
async function prepareEmbedded(dataDir?: string, image?: Blob): Promise<SqlBackend> {
  const { openEmbedded } = await import("./embedded.ts");
  return prepare(await openEmbedded(dataDir, image), migrate);
}

/** The sessions that migrate a server may be older than the limits that they set, so others serve the site. */
async function prepareServer(databaseUrl: string): Promise<SqlBackend> {
  const first = await prepare(openServer(databaseUrl), migrate);
  await first.close();
  return prepare(openServer(databaseUrl), ({ batch }) => checkTimeLimit(batch));
}

/** Closes the backend if `run` fails. */
async function prepare(
  backend: SqlBackend,
  run: (backend: SqlBackend) => Promise<unknown>,
): Promise<SqlBackend> {
  try {
    await run(backend);
  } catch (error) {
    await backend.close();
    throw error;
  }
  return backend;
}
