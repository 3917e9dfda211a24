import type { StandIn } from "#local/stand-in.ts";
import { openEmbedded } from "./embedded.ts";
import { migrateDatabase } from "./migrations.ts";
import { openServer } from "./server.ts";
import { createNeonStandIn } from "./stand-in.ts";

interface DatabaseOptions {
  /** Where the embedded Postgres keeps its data; in memory when neither this nor `databaseUrl` is given. */
  dataDir?: string | undefined;
  /** A running PostgreSQL to use in place of the embedded one. */
  databaseUrl?: string | undefined;
}

export interface Database {
  /** Neon's wire under `/neon/`. */
  standIn: StandIn;
  /** Ends what is running, then the database itself. */
  close(): Promise<void>;
}

/**
 * Opens the local database, migrated and seeded.
 *
 * @throws DataDirectoryInUseError when `dataDir` is open in another process.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const { dataDir, databaseUrl } = options;
  const backend = databaseUrl === undefined ? await openEmbedded(dataDir) : openServer(databaseUrl);
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
