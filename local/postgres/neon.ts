import { neon } from "@neondatabase/serverless";
import type { ExecuteBatch } from "./backend.ts";

/** Runs batches on Neon itself, over HTTP. */
export function createNeonBatch(databaseUrl: string): ExecuteBatch {
  const sql = neon(databaseUrl, { arrayMode: true, fullResults: true });
  // Callers expect values as text; by default the driver parses them.
  const types = { getTypeParser: () => (text: string) => text };
  return async (statements) => {
    const results = await sql.transaction(
      statements.map(({ query, params }) => sql.query(query, params, { types })),
    );
    return results.map(({ rows }) => ({ rows: rows as (string | null)[][] }));
  };
}
