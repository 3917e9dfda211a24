import { openEmbedded } from "#local/postgres/embedded.ts";
import { listPendingMigrations, migrateDatabase } from "#local/postgres/migrations.ts";
import { createNeonBatch } from "#local/postgres/neon.ts";
import { openServer } from "#local/postgres/server.ts";
import type { DatabaseState } from "./deploy-site.ts";

/** Reads what a deployment changes in the database at `url`, and for whom. Writes nothing. */
export async function readDatabase(url: string): Promise<DatabaseState> {
  const execute = createNeonBatch(url);
  const migrations = await listPendingMigrations(execute);
  if (migrations.applied === 0) return { ...migrations, recordings: 0 };
  const since = "now() - interval '45 seconds'";
  const [result] = await execute(
    [
      `select (select count(distinct recording_id) from usage_ledger where closed_at is null and flushed_at > ${since})
        + (select count(distinct recording_id) from guest_usage where closed_at is null and flushed_at > ${since})`,
    ].map((query) => ({ query, params: [] })),
  );
  return { ...migrations, recordings: Number(result?.rows[0]?.[0]) };
}

/**
 * Applies the pending migrations to the copy at `copyUrl`, which has the site's data, or to an empty database with the
 * schema of the deployed version.
 */
export async function checkMigrations(
  { applied }: DatabaseState,
  copyUrl: string | undefined,
): Promise<string> {
  const backend = copyUrl ? openServer(copyUrl) : await openEmbedded();
  try {
    if (!copyUrl) await migrateDatabase(backend.batch, { upTo: applied });
    await migrateDatabase(backend.batch);
    return copyUrl ? "the copy at DATABASE_COPY_URL" : "an empty database of the deployed version";
  } finally {
    await backend.close();
  }
}
