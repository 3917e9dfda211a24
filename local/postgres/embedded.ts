import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import type { PoolConfig } from "pg";
import { createPooledBackend, type SqlBackend } from "./backend.ts";
import { claimDataDirectory } from "./data-directory.ts";
import { migrateDatabase } from "./migrations.ts";

/** Postgres' own default, 128 MB, is a quarter of what a small machine has for the product. */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];

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
 * @param image from `createImage`, with which data in memory begins.
 * @throws DataDirectoryInUseError when `directory` is open elsewhere.
 */
export async function openEmbedded(directory?: string, image?: Blob): Promise<SqlBackend> {
  if (directory === undefined) {
    const database = await PGlite.create({ startParams, ...(image && { loadDataDir: image }) });
    return createEmbeddedBackend(database, () => {});
  }
  const data = claimDataDirectory(directory);
  try {
    const database = await PGlite.create({ startParams, dataDir: data.path });
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

/** The data of an up-to-date database without users. Beginning with it takes a sixth of the time. */
export async function createImage(): Promise<Blob> {
  const database = await PGlite.create({ startParams });
  const backend = createEmbeddedBackend(database, () => {});
  await migrateDatabase(backend.batch);
  const image = await database.dumpDataDir("none");
  await backend.close();
  return image;
}
