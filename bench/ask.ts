import { randomUUID } from "node:crypto";
import { availableParallelism, loadavg } from "node:os";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import type { QuestionScope } from "#shared/question.ts";
import { measureAnswers } from "./ask/answers.ts";
import { type AskQuestion, askQuestions, writeAskLectures } from "./ask/lectures.ts";
import { measureRecaps } from "./ask/recap.ts";
import { everything, measureRecall, measureTimes } from "./ask/retrieval.ts";
import { writeSentences } from "./library-data.ts";
import { openBenchDatabase, refreshAll, writeLargeLibrary } from "./library-database.ts";
import { openModel } from "./terms/translation.ts";

/**
 * `npm run bench:ask`: 60 questions, a third of which nobody has answered, about 20 lectures in English and Chinese: how often
 * the row with the answer is found, and what a model answers, which is the stand-in or that of `LLM_BASE_URL`,
 * `LLM_API_KEY` and `LLM_MODEL`. Then the time until a recap's first words, through the built worker, and the time that
 * finding rows takes in a library of 10,000 lectures.
 *
 * Fails if fewer than 90 % of the rows are found, or none in the large library, if no question is answered, if a row is named that is not there or that the model was not given, if a
 * quotation is not verbatim, if the stand-in answers what nobody has said, if finding takes longer than 60 ms, or if a
 * recap's first words take longer than 2 s besides the model (p95).
 *
 * It starts a PostgreSQL of its own; `--pglite`, `--quick` and `--smoke` are as in `bench:library`.
 */
const isSmoke = process.argv.includes("--smoke");
const database = await openBenchDatabase({
  isPglite: isSmoke || process.argv.includes("--pglite"),
});
const isSmall = database.server === null || process.argv.includes("--quick");
const sizes = isSmoke
  ? { lectures: 20, folders: 20, depth: 5, sources: 5, rows: 40, sentences: 500 }
  : isSmall
    ? { lectures: 500, folders: 100, depth: 20, sources: 50, rows: 375, sentences: 20_000 }
    : { lectures: 10_000, folders: 1_000, depth: 20, sources: 500, rows: 375, sentences: 20_000 };
const repeats = isSmoke ? 1 : 40;
const recallMin = 0.9;
const p95MaxMs = 60;
const firstWordsMaxMs = 2_000;

const faults: string[] = [];
const toPercent = (part: number, whole: number) =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;

function printTable(
  head: readonly string[],
  lines: readonly (readonly (string | number)[])[],
): void {
  const toLine = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  console.log([toLine(head), toLine(head.map(() => "---")), ...lines.map(toLine)].join("\n"), "\n");
}

try {
  await migrateDatabase(database.backend.batch);
  await measureQuestions();
  await measureFirstWords();
  await measureLargeLibrary();
} finally {
  await database.close();
}
if (faults.length > 0) throw new Error(`Not as it should be: ${faults.join(", ")}`);

async function measureQuestions(): Promise<void> {
  const { db, backend } = database;
  const userId = randomUUID();
  await backend.run({
    query: "insert into users (id, email, password_hash) values ($1, $2, 'none')",
    params: [userId, `${userId}@bench.invalid`],
  });
  const { facts, lectureIds } = await writeAskLectures(backend, userId);
  await refreshAll(db, { userId });
  const recall = await measureRecall(db, userId, facts);
  const all = { kind: "all", questions: 0, first: 0, ten: 0 };
  for (const { questions, first, ten } of recall) {
    all.questions += questions;
    all.first += first;
    all.ten += ten;
  }
  if (all.questions === 0 || all.ten < recallMin * all.questions) faults.push("recall@10");
  printTable(
    ["answerable questions", "number", "recall@1", "recall@10"],
    [...recall, all].map(({ kind, questions, first, ten }) => [
      kind,
      questions,
      toPercent(first, questions),
      toPercent(ten, questions),
    ]),
  );
  for (const { missed } of recall)
    for (const question of missed) console.log(`Not found: ${question}\n`);

  const model = await openModel();
  const unanswerable = askQuestions.filter(({ fact }) => fact === null);
  const scopes: [name: string, getScope: (question: AskQuestion) => QuestionScope][] = [
    ["everything", () => everything],
    [
      "its lecture",
      (question) => ({
        // One question without an answer for each lecture.
        lectureId:
          facts.get(question.fact ?? "")?.lectureId ??
          lectureIds[unanswerable.indexOf(question)] ??
          null,
        folderId: null,
      }),
    ],
  ];
  const questions = isSmoke ? askQuestions.filter((_, n) => n % 6 === 0) : askQuestions;
  const lines: (string | number)[][] = [];
  for (const [name, getScope] of scopes) {
    const services = { db, llm: model.llm };
    const one = await measureAnswers(services, userId, { facts, lectureIds }, questions, getScope);
    lines.push([
      name,
      toPercent(one.answered, one.answerable),
      toPercent(one.found, one.answerable),
      toPercent(one.right, one.cited),
      toPercent(one.refused, one.unanswerable),
      one.cited,
      toPercent(one.given, one.cited),
      one.quotes,
      toPercent(one.verbatim, one.quotes),
    ]);
    if (one.answerable === 0 || one.answered === 0) faults.push(`no answer (${name})`);
    if (one.given < one.cited) faults.push(`rows that were not given (${name})`);
    if (one.verbatim < one.quotes) faults.push(`quotations (${name})`);
    if (model.name === "stand-in" && one.refused < one.unanswerable)
      faults.push(`answers that nobody gave (${name})`);
  }
  await model.close();
  console.log(`Answered by ${model.name}:\n`);
  printTable(
    [
      "asked of",
      "answered",
      "recall of citations",
      "precision of citations",
      "unanswerable, refused",
      "rows cited",
      "there and given",
      "quotations",
      "verbatim",
    ],
    lines,
  );
}

async function measureFirstWords(): Promise<void> {
  const times = await measureRecaps([10, 60, 600], isSmoke ? 2 : 20);
  if (!isSmoke && times.some(({ p95 }) => p95 > firstWordsMaxMs))
    faults.push("first words of a recap");
  console.log("Recap, time to first words without the model's:\n");
  printTable(
    [
      "lecture",
      "about",
      "calls of the model, before",
      "in a run",
      "characters",
      "p50 ms",
      "p95 ms",
    ],
    times.map(({ minutes, range, firstCalls, calls, characters, p50, p95 }) => [
      `${minutes} min`,
      range,
      firstCalls,
      calls,
      characters,
      p50.toFixed(1),
      p95.toFixed(1),
    ]),
  );
}

async function measureLargeLibrary(): Promise<void> {
  const { db, backend, server } = database;
  await writeSentences(backend, sizes.sentences);
  const library = await writeLargeLibrary(database, sizes, (step) =>
    console.error(`${(performance.now() / 1000).toFixed(0)} s: ${step}`),
  );
  const { rows } = await backend.run({
    query: "select id from folders where user_id = $1 order by id",
    params: [library.userId],
  });
  const folders = rows.map(([id]) => String(id));
  const times = await measureTimes(db, library, { folders, repeats });
  const product = server ? `PostgreSQL ${server.version}` : "PGlite";
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${product}, ${availableParallelism()} cores, ` +
      `${sizes.lectures} lectures of ${sizes.rows} rows, load average ${loadavg()[0]?.toFixed(1)} at the end\n`,
  );
  printTable(
    ["finding rows", "p50 ms", "p95 ms", "rows, or lectures"],
    times.map(({ name, p50, p95, found }) => [
      name,
      p50.toFixed(1),
      p95.toFixed(1),
      found.toFixed(0),
    ]),
  );
  const all = times.at(-1);
  if (!all || all.found === 0) faults.push("rows that are found");
  if (!isSmall && all && all.p95 > p95MaxMs) faults.push("p95");
}
