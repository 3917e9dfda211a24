import { neon } from "@neondatabase/serverless";
import type { ExecuteBatch } from "./migrations.ts";

/** Batches against Neon itself, over HTTP. */
export function neonBatch(databaseUrl: string): ExecuteBatch {
  const sql = neon(databaseUrl, { arrayMode: true, fullResults: true });
  // The rows of a migration's bookkeeping are text already; the driver parses other types.
  const types = { getTypeParser: () => (text: string) => text };
  return async (statements) => {
    const results = await sql.transaction(
      statements.map(({ query, params }) => sql.query(query, params, { types })),
    );
    return results.map(({ rows }) => ({ rows: rows as (string | null)[][] }));
  };
}
