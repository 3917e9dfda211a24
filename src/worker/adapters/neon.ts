import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import * as schema from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import type { Env } from "#worker/env.ts";

/** Longest time for a database response. */
const answerTimeoutMs = 15_000;

const { fetchEndpoint: neonEndpoint } = neonConfig;

/** The driver has one such function for all connections: it may depend on nothing but the address. */
const getEndpoint: typeof neonEndpoint = (host, port, options) => {
  if (host === "127.0.0.1") return `http://${host}:${port}/neon/sql`;
  return typeof neonEndpoint === "string" ? neonEndpoint : neonEndpoint(host, port, options);
};

/**
 * Postgres over Neon's HTTP protocol: one request a statement or batch, no connection to keep. On 127.0.0.1 the
 * embedded stack answers.
 */
export function connectDatabase({ url }: Env["database"]): Database {
  neonConfig.fetchEndpoint = getEndpoint;
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
