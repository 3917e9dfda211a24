import { availableParallelism, loadavg } from "node:os";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { writeLibrary, writeSentences, writeTranscripts } from "./library-data.ts";
import { openBenchDatabase, refreshAll, writeLargeLibrary } from "./library-database.ts";
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
const database = await openBenchDatabase({ isPglite: process.argv.includes("--pglite") });
const { server } = database;
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

try {
  console.log(await measureAll());
} finally {
  await database.close();
}

async function writeLibraries() {
  const { db, backend } = database;
  const logProgress = (step: string) =>
    console.error(`${(performance.now() / 1000).toFixed(0)} s: ${step}`);
  await migrateDatabase(backend.batch);
  await writeSentences(backend, sizes.sentences);
  const few = await writeLibrary(backend, { lectures: sizes.few, folders: 20, depth: 20 });
  await writeTranscripts(backend, few.lectures, sizes.rows);
  await refreshAll(db, few);
  logProgress(`${sizes.few} lectures`);
  return { few, many: await writeLargeLibrary(database, sizes, logProgress) };
}

async function measureAll(): Promise<string> {
  const { db, backend } = database;
  const { few, many } = await writeLibraries();
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
  const product = server ? `PostgreSQL ${server.version}` : "PGlite";
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${product}, ` +
      `${availableParallelism()} cores, ${sizes.lectures} lectures of ${sizes.rows} rows, ` +
      `${sizes.folders} folders ${sizes.depth} deep, load average ${loadavg()[0]?.toFixed(1)} at the end`,
    ...sections,
  ].join("\n\n");
}
