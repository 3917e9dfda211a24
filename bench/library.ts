import { once } from "node:events";
import { createServer } from "node:http";
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
const smoke = process.argv.includes("--smoke");
const onServer = process.argv.includes("--pglite")
  ? null
  : await startPrivateServer({
      fsync: "off",
      shared_buffers: "1GB",
      max_wal_size: "8GB",
      maintenance_work_mem: "2GB",
    });
const small = onServer === null || process.argv.includes("--quick");
/** 375 rows of the pool's sentences are 100 KB. */
const full = { few: 100, rows: 375, sentences: 20_000 };
const plan = smoke
  ? { lectures: 20, folders: 20, depth: 20, sources: 5, few: 5, rows: 20, sentences: 500 }
  : small
    ? { lectures: 500, folders: 100, depth: 20, sources: 50, ...full }
    : { lectures: 10_000, folders: 1_000, depth: 20, sources: 500, ...full };
const repeats: Repeats = smoke
  ? { pages: 2, searches: 2, appends: 5, rowsBefore: 600 }
  : { pages: 200, searches: 40, appends: 100, rowsBefore: 19_000 };
const wordsIndex = "search_passages_words_idx";

const backend = onServer ? openServer(onServer.url) : await openEmbedded();
const standIn = createNeonStandIn(backend);
const http = createServer((request, response) => void standIn.handle(request, response));
http.listen(0, "127.0.0.1");
await once(http, "listening");
try {
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  neonConfig.fetchEndpoint = `http://127.0.0.1:${address.port}/neon/sql`;
  const db: Database = drizzle(neon("postgresql://bench:bench@localhost/bench"), { schema });
  console.log(await run(db, backend));
} finally {
  http.close();
  await standIn.close();
  await backend.close();
  await onServer?.close();
}

/** Indexes all queued passages, 500 at a time. */
async function refreshAll(db: Database, { userId }: Library): Promise<void> {
  while ((await refreshSearchIndex(db, { userId, limit: 500 })) > 0);
}

async function fill(db: Database, backend: SqlBackend) {
  const logProgress = (what: string) =>
    console.error(`${(performance.now() / 1000).toFixed(0)} s: ${what}`);
  await migrateDatabase(backend.batch);
  const run = (query: string) => backend.run({ query, params: [] });
  await writeSentences(backend, plan.sentences);
  const few = await writeLibrary(backend, { lectures: plan.few, folders: 20, depth: 20 });
  await writeTranscripts(backend, few.lectures, plan.rows);
  await refreshAll(db, few);
  logProgress(`${plan.few} lectures`);
  const many = await writeLibrary(backend, plan);
  const definition = await run(`select indexdef from pg_indexes where indexname = '${wordsIndex}'`);
  // Building the index after all inserts is faster than updating it row by row.
  await run(`drop index ${wordsIndex}`);
  await writeTranscripts(backend, many.lectures.slice(0, plan.sources), plan.rows);
  await refreshAll(db, many);
  logProgress(`${plan.sources} transcripts, indexed`);
  await repeatTranscripts(backend, many, plan.sources);
  logProgress(`${plan.lectures} lectures`);
  await run(String(definition.rows[0]?.[0]));
  await run("vacuum analyze");
  logProgress("index and statistics");
  return { few, many };
}

async function run(db: Database, backend: SqlBackend): Promise<string> {
  const { few, many } = await fill(db, backend);
  const url = onServer?.url ?? null;
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
  const where = onServer ? `PostgreSQL ${onServer.version}` : "PGlite";
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${where}, ` +
      `${availableParallelism()} cores, ${plan.lectures} lectures of ${plan.rows} rows, ` +
      `${plan.folders} folders ${plan.depth} deep, load average ${loadavg()[0]?.toFixed(1)} at the end`,
    ...sections,
  ].join("\n\n");
}
