import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import * as schema from "#drizzle/schema.ts";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { openEmbedded } from "#local/postgres/embedded.ts";
import { startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer, withoutTimeout } from "#local/postgres/server.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { serveStandIns } from "#local/stand-in.ts";
import type { Database } from "#server/database.ts";
import { refreshSearchIndex } from "#server/search/refresh.ts";
import {
  type Library,
  type LibraryPlan,
  repeatTranscripts,
  writeLibrary,
  writeTranscripts,
} from "./library-data.ts";

interface BenchDatabase {
  /** Called through the Neon protocol, as in production. */
  db: Database;
  /** Without the time limit of the site's statements. */
  backend: SqlBackend;
  /** Null for PGlite. */
  server: { url: string; version: string } | null;
  close(): Promise<void>;
}

/** Starts a PostgreSQL of its own, or PGlite where none is installed. */
export async function openBenchDatabase({
  isPglite,
}: {
  isPglite: boolean;
}): Promise<BenchDatabase> {
  const server = isPglite
    ? null
    : await startPrivateServer({
        fsync: "off",
        shared_buffers: "1GB",
        max_wal_size: "8GB",
        maintenance_work_mem: "2GB",
        autovacuum: "off",
      });
  const site = server ? openServer(server.url) : await openEmbedded();
  const backend = server ? openServer(withoutTimeout(server.url)) : site;
  const standIn = await serveStandIns([createNeonStandIn(site)], 0);
  neonConfig.fetchEndpoint = `${standIn.url}/neon/sql`;
  return {
    db: drizzle(neon("postgresql://bench:bench@localhost/bench"), { schema }),
    backend,
    server,
    async close() {
      await standIn.close();
      await Promise.all([site.close(), server && backend.close()]);
      await server?.close();
    },
  };
}

/** Indexes all queued passages, 500 at a time. */
export async function refreshAll(db: Database, { userId }: { userId: string }): Promise<void> {
  while ((await refreshSearchIndex(db, userId, 500)).count > 0);
}

const wordsIndex = "search_passages_words_idx";

/** Writes a library of which `sources` transcripts of `rows` rows are random; the others repeat them. */
export async function writeLargeLibrary(
  { db, backend }: Pick<BenchDatabase, "db" | "backend">,
  plan: LibraryPlan & { sources: number; rows: number },
  logProgress: (step: string) => void,
): Promise<Library> {
  const query = (sql: string) => backend.run({ query: sql, params: [] });
  const library = await writeLibrary(backend, plan);
  const definition = await query(
    `select indexdef from pg_indexes where indexname = '${wordsIndex}'`,
  );
  // Building the index after all inserts is faster than updating it row by row.
  await query(`drop index ${wordsIndex}`);
  await writeTranscripts(backend, library.lectures.slice(0, plan.sources), plan.rows);
  await refreshAll(db, library);
  logProgress(`${plan.sources} transcripts, indexed`);
  await repeatTranscripts(backend, library, plan.sources);
  logProgress(`${plan.lectures} lectures`);
  await query(String(definition.rows[0]?.[0]));
  // Without autovacuum, what filling the library leaves to be done is done before the measurement.
  await query("vacuum analyze");
  await query("checkpoint");
  logProgress("index and statistics");
  return library;
}
