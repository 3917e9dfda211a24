import { fileURLToPath } from "node:url";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/pg-proxy";
import { plans } from "#drizzle/schema.ts";
import { planSeed } from "#drizzle/seed.ts";
import type { SqlResult, Statement } from "./backend.ts";

/** Runs statements in one transaction. `SqlBackend.batch` is one. */
export type ExecuteBatch = (statements: Statement[]) => Promise<Pick<SqlResult, "rows">[]>;

const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

/** Drizzle's own journal table, so that its tools see what was applied. */
const journal = `"drizzle"."__drizzle_migrations"`;

const journalTable: Statement[] = [
  { query: `create schema if not exists "drizzle"`, params: [] },
  {
    query: `create table if not exists ${journal} (id serial primary key, hash text not null, created_at bigint)`,
    params: [],
  },
];

async function listAppliedHashes(execute: ExecuteBatch): Promise<string[]> {
  const [result] = await execute([
    { query: `select hash from ${journal} order by created_at, id`, params: [] },
  ]);
  return (result?.rows ?? []).map(([hash]) => hash ?? "");
}

/** Statements and journal entry are one transaction: a migration that fails leaves nothing behind. */
function toStatements(migration: MigrationMeta): Statement[] {
  return [
    // Ordinary statements have a time limit, which a migration sets itself.
    { query: "set local statement_timeout = 0", params: [] },
    ...migration.sql.map((query) => ({ query, params: [] })),
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

/**
 * Brings a database up to `migrations/` and makes sure that every plan has its row. What was applied
 * before is left alone, plans that were changed since too; two callers at once do no harm.
 *
 * @returns how many migrations were applied.
 * @throws when the database holds a migration that `migrations/` does not (or not any more).
 */
export async function migrateDatabase(execute: ExecuteBatch): Promise<number> {
  const migrations = readMigrationFiles({ migrationsFolder });
  // `if not exists` is no lock: of two callers at once, one may fail on what the other just made.
  await execute(journalTable).catch(() => execute(journalTable));
  const applied = await listAppliedHashes(execute);
  applied.forEach((hash, index) => {
    if (migrations[index]?.hash !== hash) {
      throw new Error(
        `Migration ${index} of the database is not the one in migrations/: it was changed after it was applied. ` +
          "Start with an empty database (locally: remove its data directory).",
      );
    }
  });
  let count = 0;
  for (const migration of migrations.slice(applied.length)) {
    try {
      await execute(toStatements(migration));
      count += 1;
    } catch (error) {
      const others = await listAppliedHashes(execute);
      if (!others.includes(migration.hash)) throw error;
    }
  }
  await seedPlans(execute);
  return count;
}
