import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/pg-proxy";
import { plans } from "#drizzle/schema.ts";
import { planSeed } from "#drizzle/seed.ts";
import type { ExecuteBatch, SqlResult, Statement } from "./backend.ts";
import { checkText, limitStatements } from "./database-settings.ts";

interface JournalFile {
  entries: { tag: string }[];
}

const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

/** Drizzle's own journal table, so that its tools see which migrations were applied. */
const journal = `"drizzle"."__drizzle_migrations"`;

const journalTable: Statement[] = [
  { query: `create schema if not exists "drizzle"`, params: [] },
  {
    query: `create table if not exists ${journal} (id serial primary key, hash text not null, created_at bigint)`,
    params: [],
  },
  // Of two callers that apply a migration at the same time, one fails and leaves no trace.
  {
    query: `create unique index if not exists "__drizzle_migrations_hash" on ${journal} (hash)`,
    params: [],
  },
];

async function listAppliedHashes(execute: ExecuteBatch): Promise<string[]> {
  const [result] = await execute([
    { query: `select hash from ${journal} order by created_at, id`, params: [] },
  ]);
  return (result?.rows ?? []).map(([hash]) => hash ?? "");
}

const limits: Statement[] = [
  // The database limits the time of statements; migrations may take longer.
  { query: "set local statement_timeout = 0", params: [] },
  // While one waits for a table, all calls wait behind it. It fails instead, and can be applied again.
  { query: "set local lock_timeout = '5s'", params: [] },
];

/**
 * Begins a statement that changes a large table in slices: before the migration's own transaction, each time in
 * another one, with the value that it returned last (at first null), until it returns none. It may be applied again.
 */
const isSlice = (query: string) => /^\s*-- slice:/.test(query);

async function applySlices(execute: ExecuteBatch, query: string): Promise<void> {
  let last: string | null = null;
  do {
    const results: Pick<SqlResult, "rows">[] = await execute([
      ...limits,
      { query, params: [last] },
    ]);
    last = results.at(-1)?.rows[0]?.[0] ?? null;
  } while (last !== null);
}

/** The statements and the journal entry of one transaction: a failed migration leaves no trace. */
function toStatements(migration: MigrationMeta): Statement[] {
  return [
    ...limits,
    ...migration.sql.filter((query) => !isSlice(query)).map((query) => ({ query, params: [] })),
    {
      query: `insert into ${journal} (hash, created_at) values ($1, $2)`,
      params: [migration.hash, String(migration.folderMillis)],
    },
  ];
}

async function seedPlans(execute: ExecuteBatch): Promise<void> {
  const db = drizzle(async (query, params) => {
    const texts = params.map((param) => (param === null ? null : String(param)));
    const [result] = await execute([{ query, params: texts }]);
    return { rows: result?.rows ?? [] };
  });
  await db
    .insert(plans)
    .values([...planSeed])
    .onConflictDoNothing();
}

/** The number of applied migrations, and those that `migrateDatabase` would apply. Writes nothing. */
export async function listPendingMigrations(execute: ExecuteBatch) {
  const [found] = await execute([
    { query: "select to_regclass('drizzle.__drizzle_migrations') is not null", params: [] },
  ]);
  const { length: applied } = found?.rows[0]?.[0]?.startsWith("t")
    ? await listAppliedHashes(execute)
    : [];
  const file: JournalFile = JSON.parse(
    readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8"),
  );
  const pending = readMigrationFiles({ migrationsFolder })
    .map(({ sql }, index) => ({ name: file.entries[index]?.tag ?? "", statements: sql }))
    .slice(applied);
  return { applied, pending };
}

/**
 * Applies missing migrations of `migrations/`, inserts missing rows of `plans`, and sets what the role needs. Existing plan
 * rows stay unchanged. Two callers may run it at the same time.
 *
 * @param upTo how many migrations the database then has; default: all, and the plans.
 *
 * @returns the number of migrations applied.
 * @throws when the database contains a migration that is not in `migrations/` (or no longer), and as `checkText`.
 */
export async function migrateDatabase(
  execute: ExecuteBatch,
  { upTo }: { upTo?: number } = {},
): Promise<number> {
  await checkText(execute);
  const migrations = readMigrationFiles({ migrationsFolder });
  // `if not exists` takes no lock: with two callers, one may fail because the other just created the table.
  await execute(journalTable).catch(() => execute(journalTable));
  const applied = await listAppliedHashes(execute);
  const isNewer = applied.length > migrations.length;
  if (isNewer && migrations.every(({ hash }, index) => applied[index] === hash))
    throw new Error(
      `The database is of a newer version: it has ${applied.length} migrations, and this version knows ` +
        `${migrations.length}. Start that version, or restore a backup from before it.`,
    );
  applied.forEach((hash, index) => {
    if (migrations[index]?.hash !== hash) {
      throw new Error(
        `Migration ${index} of the database is not the one in migrations/: it was changed after it was applied. ` +
          "Start with an empty database (locally: remove its data directory).",
      );
    }
  });
  let count = 0;
  for (const migration of migrations.slice(applied.length, upTo)) {
    try {
      for (const query of migration.sql.filter(isSlice)) await applySlices(execute, query);
      await execute(toStatements(migration));
      count += 1;
    } catch (error) {
      const hashes = await listAppliedHashes(execute);
      if (!hashes.includes(migration.hash)) throw error;
    }
  }
  if (upTo === undefined) {
    await seedPlans(execute);
    await limitStatements(execute);
  }
  return count;
}
