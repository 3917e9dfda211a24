import { availableParallelism, loadavg } from "node:os";
import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import * as schema from "#drizzle/schema.ts";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { openEmbedded } from "#local/postgres/embedded.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer } from "#local/postgres/server.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { serveStandIns } from "#local/stand-in.ts";
import type { Database } from "#server/database.ts";
import { refreshSearchIndex } from "#server/search/refresh.ts";
import {
  type Library,
  repeatTranscripts,
  writeLibrary,
  writeSentences,
  writeTranscripts,
} from "./library-data.ts";
import {
  measureAppends,
  measurePages,
  measureSearch,
  measureSizes,
  type Repeats,
} from "./library-measure.ts";
import { measurePlain } from "./library-plain.ts";

/**
 * `npm run bench:library`: compares a library of 10,000 lectures (100 KB each, 1,000 folders, 20 levels) with
 * one of 100 lectures: the first page, full-text search, auto-saves, and a plain list that selects all texts.
 *
 * It starts a PostgreSQL of its own. Without one, or with `--pglite`, it uses PGlite and a smaller library.
 * `--quick`: smaller library. `--smoke`: takes seconds; the figures are meaningless.
 */
const isSmoke = process.argv.includes("--smoke");
const server = process.argv.includes("--pglite")
  ? null
  : await startPrivateServer({
      fsync: "off",
      shared_buffers: "1GB",
      max_wal_size: "8GB",
      maintenance_work_mem: "2GB",
    });
const isSmall = server === null || process.argv.includes("--quick");
/** 375 rows of the pool's sentences are 100 KB. */
const lectureSize = { few: 100, rows: 375, sentences: 20_000 };
const sizes = isSmoke
  ? { lectures: 20, folders: 20, depth: 20, sources: 5, few: 5, rows: 20, sentences: 500 }
  : isSmall
    ? { lectures: 500, folders: 100, depth: 20, sources: 50, ...lectureSize }
    : { lectures: 10_000, folders: 1_000, depth: 20, sources: 500, ...lectureSize };
const repeats: Repeats = isSmoke
  ? { pages: 2, searches: 2, appends: 5, rowsBefore: 600 }
  : { pages: 200, searches: 40, appends: 100, rowsBefore: 19_000 };
const wordsIndex = "search_passages_words_idx";

const backend = server ? openServer(server.url) : await openEmbedded();
const standIn = await serveStandIns([createNeonStandIn(backend)], 0);
try {
  neonConfig.fetchEndpoint = `${standIn.url}/neon/sql`;
  const db: Database = drizzle(neon("postgresql://bench:bench@localhost/bench"), { schema });
  console.log(await measureAll(db, backend));
} finally {
  await standIn.close();
  await backend.close();
  await server?.close();
}

/** Indexes all queued passages, 500 at a time. */
async function refreshAll(db: Database, { userId }: Library): Promise<void> {
  while ((await refreshSearchIndex(db, { userId, limit: 500 })) > 0);
}

async function writeLibraries(db: Database, backend: SqlBackend) {
  const logProgress = (step: string) =>
    console.error(`${(performance.now() / 1000).toFixed(0)} s: ${step}`);
  await migrateDatabase(backend.batch);
  const query = (sql: string) => backend.run({ query: sql, params: [] });
  await writeSentences(backend, sizes.sentences);
  const few = await writeLibrary(backend, { lectures: sizes.few, folders: 20, depth: 20 });
  await writeTranscripts(backend, few.lectures, sizes.rows);
  await refreshAll(db, few);
  logProgress(`${sizes.few} lectures`);
  const many = await writeLibrary(backend, sizes);
  const definition = await query(
    `select indexdef from pg_indexes where indexname = '${wordsIndex}'`,
  );
  // Building the index after all inserts is faster than updating it row by row.
  await query(`drop index ${wordsIndex}`);
  await writeTranscripts(backend, many.lectures.slice(0, sizes.sources), sizes.rows);
  await refreshAll(db, many);
  logProgress(`${sizes.sources} transcripts, indexed`);
  await repeatTranscripts(backend, many, sizes.sources);
  logProgress(`${sizes.lectures} lectures`);
  await query(String(definition.rows[0]?.[0]));
  await query("vacuum analyze");
  logProgress("index and statistics");
  return { few, many };
}

async function measureAll(db: Database, backend: SqlBackend): Promise<string> {
  const { few, many } = await writeLibraries(db, backend);
  const url = server?.url ?? null;
  const sections: string[] = [];
  for (const measure of [
    () => measureSizes(backend, many),
    () => measurePages(db, { few, many }, repeats),
    () => measureSearch(db, many, repeats),
    () => measureAppends(db, backend, few, repeats),
    () => measurePlain(backend, { few, many, url }),
  ]) {
    const section = await measure();
    // The benchmark takes minutes, so each section is shown when it is ready.
    console.error(section);
    sections.push(section);
  }
  const database = server ? `PostgreSQL ${server.version}` : "PGlite";
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${database}, ` +
      `${availableParallelism()} cores, ${sizes.lectures} lectures of ${sizes.rows} rows, ` +
      `${sizes.folders} folders ${sizes.depth} deep, load average ${loadavg()[0]?.toFixed(1)} at the end`,
    ...sections,
  ].join("\n\n");
}
