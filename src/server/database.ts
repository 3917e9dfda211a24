import { type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "#drizzle/schema.ts";

/** What a raw statement answers, whichever driver ran it. */
interface RawResult<Row> {
  rows: Row[];
}

interface RawResultHKT extends PgQueryResultHKT {
  type: RawResult<this["row"]>;
}

/**
 * The database as the rules see it. There is no interactive transaction: what must be atomic is one
 * statement or one `batch`, which is one round trip and one transaction.
 */
export type Database = PgDatabase<RawResultHKT, typeof schema> & {
  batch<U extends BatchItem<"pg">, T extends Readonly<[U, ...U[]]>>(
    queries: T,
  ): Promise<BatchResponse<T>>;
};

/**
 * Begins a batch whose statements may take longer than the 5 s of ordinary ones, and no longer than the
 * driver waits for an answer: removals of what cascades to many rows.
 */
export function allowLongStatements(): SQL {
  return sql`select set_config('statement_timeout', '14s', true)`;
}
