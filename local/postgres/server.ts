import { createPooledBackend, type SqlBackend } from "./backend.ts";

const maxConnections = 8;

/** The address for statements that may take longer than the site's: they prepare a measurement. */
export const withoutTimeout = (databaseUrl: string): string =>
  `${databaseUrl}?options=${encodeURIComponent("-c statement_timeout=0")}`;

/**
 * A backend on a running PostgreSQL. It connects on first use.
 *
 * @param databaseUrl `postgres://user:password@host:port/database`
 */
export function openServer(databaseUrl: string): SqlBackend {
  return createPooledBackend({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    // The output format of Neon, independent of this server's settings.
    options: "-c TimeZone=UTC -c DateStyle=ISO,MDY -c IntervalStyle=postgres -c bytea_output=hex",
  });
}
