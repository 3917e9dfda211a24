import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import * as schema from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import type { Env } from "#worker/env.ts";

/** Longest time for a database response. */
const answerTimeoutMs = 15_000;

/** Postgres over Neon's HTTP protocol: one request a statement or batch, no connection to keep. */
export function connectDatabase({ url, fetchEndpoint }: Env["database"]): Database {
  if (fetchEndpoint) neonConfig.fetchEndpoint = fetchEndpoint;
  neonConfig.fetchFunction = fetchWithTimeout;
  return drizzle(neon(url), { schema });
}

/** Reads the complete response within the timeout. The timer is cleared, because a pending one keeps a Durable Object awake. */
async function fetchWithTimeout(input: RequestInfo, init: RequestInit): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), answerTimeoutMs);
  try {
    const response = await fetch(input, { ...init, signal: abort.signal });
    return new Response(await response.arrayBuffer(), response);
  } finally {
    clearTimeout(timer);
  }
}
