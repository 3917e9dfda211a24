import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { allowLongStatements } from "#server/database.ts";
import { toAppError, toLogFields } from "#server/errors.ts";
import { createDatabase, databases } from "#tests/unit/server/support/production-driver.ts";

// PGlite shares this process's only thread, so nothing could end its statements.
const servers = databases.filter(({ name }) => name === "PostgreSQL");

describe.each(servers)("an endless statement in $name", ({ open }) => {
  const database = createDatabase(open);

  it("is ended, answered with `unavailable`, and logged with its code", async () => {
    const { db, backend } = database();
    // Sessions from before the migration, such as this pool's first, do not have the setting.
    const { rows } = await backend.run({
      query: `select setconfig[1] from pg_db_role_setting setting
        join pg_database on pg_database.oid = setting.setdatabase
        where datname = current_database()`,
      params: [],
    });
    expect(rows).toEqual([["statement_timeout=5s"]]);
    const error = await db
      .batch([
        db.execute(sql`select set_config('statement_timeout', '50ms', true)`),
        db.execute(sql`select pg_sleep(60)`),
      ])
      .then(
        () => null,
        (failure: unknown) => failure,
      );
    expect(toAppError(error)).toMatchObject({ code: "unavailable", retryAfterSeconds: 2 });
    expect(toLogFields(error)).toMatchObject({ error: "database", sqlState: "57014" });
  });

  it("may run longer only in a batch that asks for it", async () => {
    const { db } = database();
    const setting = sql`select current_setting('statement_timeout') as value`;
    const [, { rows }] = await db.batch([
      db.execute(allowLongStatements),
      db.execute<{ value: string }>(setting),
    ]);
    const after = await db.execute<{ value: string }>(setting);
    expect([rows[0]?.value, after.rows[0]?.value === "14s"]).toEqual(["14s", false]);
  });
});
