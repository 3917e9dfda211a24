import { type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "#drizzle/schema.ts";

/** Result of a raw statement, the same for every driver. */
export interface RawResult<Row> {
  rows: Row[];
}

interface RawResultHKT extends PgQueryResultHKT {
  type: RawResult<this["row"]>;
}

/**
 * The database, independent of the driver. There are no interactive transactions: an atomic operation is one
 * statement or one `batch`, which is one round trip and one transaction.
 */
export type Database = PgDatabase<RawResultHKT, typeof schema> & {
  batch<U extends BatchItem<"pg">, T extends Readonly<[U, ...U[]]>>(
    queries: T,
  ): Promise<BatchResponse<T>>;
};

/** `date` as a parameter of raw SQL. */
export const toTimestamp = (date: Date): SQL => sql`${date.toISOString()}::timestamptz`;

/**
 * First statement of a batch that may take longer than the usual 5 s, such as a delete that cascades to
 * many rows. The limit is below the driver's timeout.
 */
export const allowLongStatements = sql`select set_config('statement_timeout', '14s', true)`;

/**
 * First statement of a batch that changes the user's folder tree: serialises such batches per user. Locks
 * the user's row in a mode that does not block inserts of rows that reference it.
 */
export function lockLibrary(userId: string): SQL {
  return sql`select id from users where id = ${userId}::uuid for no key update`;
}
