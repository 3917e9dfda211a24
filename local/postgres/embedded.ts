import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import type { PoolConfig } from "pg";
import { createPooledBackend, type SqlBackend } from "./backend.ts";
import { claimDataDirectory } from "./data-directory.ts";

/** PGlite has a single session, so the pool has one connection and statements are queued. */
function createEmbeddedBackend(database: PGlite, afterClose: () => void): SqlBackend {
  // The declared type lacks the `Connection` that `pg` accepts here.
  const config = createPgConfig(database) as unknown as PoolConfig;
  return createPooledBackend({ ...config, max: 1, idleTimeoutMillis: 0 }, async () => {
    await database.close();
    afterClose();
  });
}

/**
 * Opens a Postgres inside this process (PGlite).
 *
 * @param directory of its data; undefined keeps the data in memory.
 * @throws DataDirectoryInUseError when `directory` is open elsewhere.
 */
export async function openEmbedded(directory?: string): Promise<SqlBackend> {
  if (directory === undefined) return createEmbeddedBackend(await PGlite.create(), () => {});
  const data = claimDataDirectory(directory);
  try {
    const database = await PGlite.create({ dataDir: data.path });
    data.markComplete();
    return createEmbeddedBackend(database, data.release);
  } catch (cause) {
    data.release();
    throw new Error(
      `The database in ${directory} does not open. Remove the directory to start with an empty one.`,
      { cause },
    );
  }
}
