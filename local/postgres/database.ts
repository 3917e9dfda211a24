import type { StandIn } from "#local/stand-in.ts";
import { openEmbedded } from "./embedded.ts";
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
 * Opens the local database and brings it up to date: migrations and plans.
 *
 * @throws DataDirectoryInUseError when `dataDir` is open in another process.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const { dataDir, image, databaseUrl } = options;
  const backend =
    databaseUrl === undefined ? await openEmbedded(dataDir, image) : openServer(databaseUrl);
  try {
    await migrateDatabase(backend.batch);
  } catch (error) {
    await backend.close();
    throw error;
  }
  const standIn = createNeonStandIn(backend);
  return {
    standIn,
    async close() {
      await standIn.close();
      await backend.close();
    },
  };
}
