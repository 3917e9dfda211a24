import type { ExecuteBatch, SqlBackend } from "#local/postgres/backend.ts";
import { checkText } from "#local/postgres/database-settings.ts";
import { openEmbedded } from "#local/postgres/embedded.ts";
import { listPendingMigrations, migrateDatabase } from "#local/postgres/migrations.ts";
import { createNeonBatch } from "#local/postgres/neon.ts";
import { openServer } from "#local/postgres/server.ts";
import { DeployError } from "./deploy-rules.ts";
import type { DatabaseState } from "./deploy-site.ts";

/**
 * Reads what a deployment changes in the database at `url`, and for whom. Writes nothing.
 *
 * @throws DeployError for a database that cannot store or search the site's text
 */
export async function readDatabase(url: string): Promise<DatabaseState> {
  const execute = createNeonBatch(url);
  await checkText(execute).catch((cause: unknown) => {
    throw new DeployError(`${toMessage(cause)} Nothing was changed.`, { cause });
  });
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
 * Applies the pending migrations to the copy at `copyUrl`, which has the data and the migrations of the site's database at
 * `url`, or to an empty database with the schema of the deployed version.
 *
 * @throws DeployError
 */
export async function checkMigrations(
  state: DatabaseState,
  { url, copyUrl }: { url: string; copyUrl: string | undefined },
): Promise<string> {
  if (copyUrl && toDatabaseName(copyUrl) === toDatabaseName(url))
    throw new DeployError("DATABASE_COPY_URL is the site's own database. Nothing was changed.");
  const backend = copyUrl ? openServer(copyUrl) : await openEmbedded();
  try {
    await (copyUrl
      ? checkCopy(backend, state)
      : migrateDatabase(backend.batch, { upTo: state.applied }));
    const place = copyUrl ? "the copy at DATABASE_COPY_URL" : "an empty database of that version";
    const began = performance.now();
    await apply(backend.batch, state, (problem) => `${problem}, on ${place}. Nothing was changed.`);
    return `${place} in ${((performance.now() - began) / 1_000).toFixed(1)} s`;
  } finally {
    await backend.close();
  }
}

/** Host and database. Neon has two hosts for one: with a pool of connections, and without. */
function toDatabaseName(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname.replace("-pooler.", ".")}:${port || 5432}${pathname}`;
}

async function checkCopy({ batch }: SqlBackend, { applied }: DatabaseState): Promise<void> {
  const copy = await listPendingMigrations(batch);
  if (copy.applied !== applied)
    throw new DeployError(
      `The copy at DATABASE_COPY_URL has ${copy.applied} migrations and the site has ${applied}: make a new copy. ` +
        "Nothing was changed.",
    );
}

/** Applies the pending migrations to the site's database, and sets what its role needs. @throws DeployError */
export const migrateSite = (url: string, state: DatabaseState): Promise<void> =>
  apply(
    createNeonBatch(url),
    state,
    (problem) =>
      `${problem}. The site is at the version before, which works with those that were applied. Correct it, and deploy again.`,
  );

/** @throws DeployError that names the migration which fails. Those before it are applied. */
async function apply(
  execute: ExecuteBatch,
  { applied, pending }: DatabaseState,
  describe: (problem: string) => string,
): Promise<void> {
  try {
    await migrateDatabase(execute);
  } catch (cause) {
    const done = await listPendingMigrations(execute).catch(() => null);
    const failed = done && pending[done.applied - applied]?.name;
    const what = failed ? `The migration ${failed} fails` : "The migrations fail";
    throw new DeployError(describe(`${what}: ${toMessage(cause)}`), { cause });
  }
}

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
