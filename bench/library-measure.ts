import type { SqlBackend } from "#local/postgres/backend.ts";
import type { Database } from "#server/database.ts";
import { listFolderChips, listFolders } from "#server/folders/queries.ts";
import { listLectures } from "#server/lectures/list.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { searchLectures } from "#server/search/search.ts";
import { lecturePageSize } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import {
  createRandom,
  createZipf,
  type Library,
  toChineseWord,
  toEnglishWord,
} from "./library-data.ts";
import { percentile } from "./percentiles.ts";

const clock = { now: () => new Date() };

/** Number of measurements. */
export interface Repeats {
  pages: number;
  searches: number;
  appends: number;
  /** Rows that a transcript has before the auto-save is measured. */
  rowsBefore: number;
}
/** Share of additional calls that warm up and are not counted. */
const warmUpShare = 0.1;

const formatMs = (value: number) => value.toFixed(1);
const formatPercentiles = (values: readonly number[]) =>
  [0.5, 0.95, 0.99].map((part) => formatMs(percentile(values, part))).join(" / ");

/** @throws when the result of what was measured is not what the library has */
function expectCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found}, not ${expected}`);
}

async function measureTime<T>(run: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const began = performance.now();
  const result = await run();
  return [performance.now() - began, result];
}

/** Measures the size of tables and indexes. */
export async function measureSizes(backend: SqlBackend, { userId }: Library): Promise<string> {
  const { rows } = await backend.run({
    query: `select
      (select sum(octet_length(original) + octet_length(translated)) / count(distinct lecture_id) / 1e3
        from transcript_entries join lectures on lectures.id = lecture_id where user_id = $1)::int,
      (select sum(octet_length(original) + octet_length(translated)) / 1e6 from transcript_entries)::int,
      (pg_total_relation_size('transcript_entries') / 1e6)::int,
      ((pg_total_relation_size('search_passages') - pg_relation_size('search_passages_words_idx')) / 1e6)::int,
      (pg_relation_size('search_passages_words_idx') / 1e6)::int,
      (select count(*) from search_passages)`,
    params: [userId],
  });
  const [each, text, entries, passages, index, count] = rows[0] ?? [];
  if (!(Number(count) > 0)) throw new Error("no passage is indexed");
  return [
    "| text a lecture, KB | all text, MB | `transcript_entries` with its key, MB | passages | their words, MB | index of words, MB |",
    "| --- | --- | --- | --- | --- | --- |",
    `| ${each} | ${text} | ${entries} | ${count} | ${passages} | ${index} |`,
  ].join("\n");
}

/** Measures the library's first page, alternating between both libraries so that both see the same machine load. */
export async function measurePages(
  db: Database,
  { few, many }: { few: Library; many: Library },
  repeats: Repeats,
): Promise<string> {
  const first = { cursor: null, limit: lecturePageSize };
  const queries: [name: string, read: (userId: string) => Promise<object>][] = [
    ["first page of all lectures", (userId) => listLectures(db, { userId, ...first })],
    [
      "first page of those in no folder",
      (userId) => listLectures(db, { userId, ...first, folderId: null }),
    ],
    ["chips", (userId) => listFolderChips(db, { userId, cursor: null })],
    [
      "the home screen: page and chips",
      async (userId) =>
        Promise.all([
          listLectures(db, { userId, ...first }),
          listFolderChips(db, { userId, cursor: null }),
        ]),
    ],
    ["the whole tree", (userId) => listFolders(db, userId)],
    [
      "titles that contain a word",
      (userId) => listLectures(db, { userId, ...first, title: "bafu" }),
    ],
  ];
  const lines: string[] = [];
  for (const [name, read] of queries) {
    const times: { few: number[]; many: number[] } = { few: [], many: [] };
    let bytes = { few: 0, many: 0 };
    for (let turn = 0; turn < repeats.pages * (1 + warmUpShare); turn += 1) {
      const [fewMs, fewPage] = await measureTime(() => read(few.userId));
      const [manyMs, manyPage] = await measureTime(() => read(many.userId));
      if (name.startsWith("first page of all")) {
        expectFirstPage(few, fewPage);
        expectFirstPage(many, manyPage);
      }
      bytes = { few: JSON.stringify(fewPage).length, many: JSON.stringify(manyPage).length };
      if (turn < repeats.pages * warmUpShare) continue;
      times.few.push(fewMs);
      times.many.push(manyMs);
    }
    const ratio = percentile(times.many, 0.5) / percentile(times.few, 0.5);
    lines.push(
      `| ${name} | ${(bytes.few / 1e3).toFixed(1)} | ${formatPercentiles(times.few)} | ${(bytes.many / 1e3).toFixed(1)} | ${formatPercentiles(times.many)} | ${ratio.toFixed(2)} |`,
    );
  }
  return [
    `| | KB, ${few.lectures.length} lectures | p50 / p95 / p99 ms | KB, ${many.lectures.length} lectures | p50 / p95 / p99 ms | ratio of medians |`,
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

function expectFirstPage({ lectures }: Library, page: object): void {
  const count = "items" in page && Array.isArray(page.items) ? page.items.length : 0;
  expectCount("lectures of the first page", count, Math.min(lecturePageSize, lectures.length));
}

const frequentWord = "one of the 300 most frequent English words";
const missingWord = "a word that is not there";

/** Typical search queries, for rare and frequent words. */
function createQueryKinds(): [kind: string, make: () => string][] {
  const random = createRandom(7);
  const common = createZipf(300, random);
  const between = (from: number, to: number) => Math.floor(from + random() * (to - from));
  return [
    [frequentWord, () => toEnglishWord(common())],
    ["a rarer English word", () => toEnglishWord(between(300, 20_000))],
    [
      "two English words",
      () => `${toEnglishWord(between(50, 2_000))} ${toEnglishWord(between(50, 2_000))}`,
    ],
    ["the beginning of an English word", () => toEnglishWord(between(50, 5_000)).slice(0, 4)],
    ["a Chinese word (2 characters)", () => toChineseWord(between(0, 8_000))],
    ["one of the 300 most frequent Chinese words", () => toChineseWord(common())],
    ["two Chinese words side by side", () => toChineseWord(common()) + toChineseWord(common())],
    ["one Chinese character", () => toChineseWord(between(0, 8_000)).slice(0, 1)],
    [
      "English and Chinese",
      () => `${toEnglishWord(between(20, 2_000))} ${toChineseWord(between(0, 2_000))}`,
    ],
    [missingWord, () => `q${toEnglishWord(between(0, 20_000))}`],
  ];
}

export async function measureSearch(
  db: Database,
  { userId }: Library,
  repeats: Repeats,
): Promise<string> {
  const all: number[] = [];
  const lines: string[] = [];
  for (const [kind, make] of createQueryKinds()) {
    const times: number[] = [];
    let found = 0;
    for (let turn = 0; turn < repeats.searches * (1 + warmUpShare); turn += 1) {
      const query = make();
      const [took, page] = await measureTime(() =>
        searchLectures(db, { userId, query, cursor: null, clock }),
      );
      if (turn < repeats.searches * warmUpShare) continue;
      times.push(took);
      found += page.results.length;
    }
    if (kind === missingWord) expectCount(kind, found, 0);
    else if (kind === frequentWord && found === 0) throw new Error(`${kind}: nothing was found`);
    all.push(...times);
    lines.push(`| ${kind} | ${formatPercentiles(times)} | ${(found / times.length).toFixed(1)} |`);
  }
  return [
    "| search | p50 / p95 / p99 ms | results on the first page |",
    "| --- | --- | --- |",
    ...lines,
    `| all | ${formatPercentiles(all)} | |`,
  ].join("\n");
}

const sentence = (ordinal: number) =>
  createEntry(`Sentence ${ordinal} that was spoken just now.`, ordinal * 1_000, {
    ordinal,
    translated: `刚才说的第 ${ordinal} 句话。`,
    translatedInto: "zh-cn",
  });

/** Measures an auto-save of two rows in short and long transcripts, with and without the triggers of the search. */
export async function measureAppends(
  db: Database,
  backend: SqlBackend,
  { userId, lectures }: Library,
  repeats: Repeats,
): Promise<string> {
  const lectureId = lectures[0] ?? "";
  const run = async (query: string) => (await backend.run({ query, params: [] })).rows;
  const walAt = async () => String((await run("select pg_current_wal_lsn()"))[0]?.[0]);
  await run(`delete from transcript_entries where lecture_id = '${lectureId}'`);
  let next = 0;
  const append = async (count: number) => {
    const entries = Array.from({ length: count }, (_, i) => sentence(next + i));
    await saveRows(db, { userId, lectureId, entries, deleted: [], now: new Date() });
    next += count;
  };
  const measure = async () => {
    const times: number[] = [];
    const before = await walAt();
    for (let turn = 0; turn < repeats.appends; turn += 1)
      times.push((await measureTime(() => append(2)))[0]);
    const wal = await run(
      `select pg_wal_lsn_diff('${await walAt()}', '${before}') / ${repeats.appends}`,
    );
    return `${formatPercentiles(times)} | ${Math.round(Number(wal[0]?.[0]))}`;
  };
  await measure();
  const lines = [`| ${next} | ${await measure()} |`];
  while (next < repeats.rowsBefore) await append(500);
  lines.push(`| ${next} | ${await measure()} |`);
  const triggers = ["transcript_entries_inserted", "transcript_entries_updated"];
  for (const name of triggers) await run(`alter table transcript_entries disable trigger ${name}`);
  lines.push(`| ${next}, without the search's triggers | ${await measure()} |`);
  for (const name of triggers) await run(`alter table transcript_entries enable trigger ${name}`);
  const stored = await run(
    `select count(*) from transcript_entries where lecture_id = '${lectureId}'`,
  );
  expectCount("rows that were saved", Number(stored[0]?.[0]), next);
  return [
    "| rows before an auto-save of two | p50 / p95 / p99 ms | WAL bytes a save |",
    "| --- | --- | --- |",
    ...lines,
  ].join("\n");
}
