import { createPooledBackend, type SqlBackend } from "./backend.ts";

const connections = 8;

/**
 * A running PostgreSQL. Connects on first use.
 *
 * @param databaseUrl `postgres://user:password@host:port/database`
 */
export function openServer(databaseUrl: string): SqlBackend {
  return createPooledBackend({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: 10_000,
    // The output format that Neon's service is set to, whatever this server's own settings are.
    options: "-c TimeZone=UTC -c DateStyle=ISO,MDY -c IntervalStyle=postgres -c bytea_output=hex",
  });
}
