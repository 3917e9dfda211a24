import {
  createRandom,
  createZipf,
  type Library,
  toChineseWord,
  toEnglishWord,
  vocabulary,
} from "#bench/library-data.ts";
import { percentile } from "#bench/percentiles.ts";
import { type FoundRow, retrieveRows } from "#server/ask/retrieve-rows.ts";
import type { Database } from "#server/database.ts";
import { searchLectures } from "#server/search/search.ts";
import type { QuestionScope } from "#shared/question.ts";
import { type AskQuestion, askQuestions, type FactPlace } from "./lectures.ts";

/** How often the row that answers a question is found, and how long it takes in a large library. */

const clock = { now: () => new Date() };
export const everything: QuestionScope = { lectureId: null, folderId: null };

/** The place of the row's group among the first hits' groups, from 1 on; null if it was not found. */
function findRank(found: readonly FoundRow[], { lectureId, position }: FactPlace): number | null {
  let hits = 0;
  for (const [at, row] of found.entries()) {
    const before = found[at - 1];
    const isNext = before?.lectureId === row.lectureId && before.position + 1 === row.position;
    if (!isNext) hits += 1;
    if (row.lectureId === lectureId && row.position === position) return hits;
  }
  return null;
}

export interface Recall {
  kind: string;
  questions: number;
  /** Questions whose row is in the first group, and in the first ten. */
  first: number;
  ten: number;
  /** Those that are not. */
  missed: string[];
}

export async function measureRecall(
  db: Database,
  userId: string,
  facts: ReadonlyMap<string, FactPlace>,
  questions: readonly AskQuestion[] = askQuestions,
): Promise<Recall[]> {
  const results = new Map<string, Recall>();
  for (const { kind, question, fact } of questions) {
    const place = facts.get(fact ?? "");
    if (!place) continue;
    const result = results.get(kind) ?? { kind, questions: 0, first: 0, ten: 0, missed: [] };
    results.set(kind, result);
    const rank = findRank(
      await retrieveRows(db, { userId, scope: everything, question, clock }),
      place,
    );
    result.questions += 1;
    if (rank === 1) result.first += 1;
    if (rank !== null && rank <= 10) result.ten += 1;
    else result.missed.push(question);
  }
  return [...results.values()];
}

export interface Times {
  name: string;
  p50: number;
  p95: number;
  /** Rows, or results, on average. */
  found: number;
}

const grammarWords = 100;

/** Questions of words as frequent as those of a lecture, in turns with the search for one word. */
export async function measureTimes(
  db: Database,
  { userId, lectures }: Library,
  { folders, repeats }: { folders: readonly string[]; repeats: number },
): Promise<Times[]> {
  const random = createRandom(11);
  /** Ranks as frequent as in lectures, without the most frequent words: these are of grammar, and are not searched. */
  const createRank = (size: number) => {
    const rank = createZipf(size, random);
    return () => {
      for (;;) {
        const one = rank();
        if (one >= grammarWords) return one;
      }
    };
  };
  const any = { english: createRank(vocabulary.english), chinese: createRank(vocabulary.chinese) };
  const common = createZipf(300, random);
  const rare = () => 500 + Math.floor(random() * 10_000);
  const choose = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const list = (count: number, make: () => string) => Array.from({ length: count }, make);
  const inEnglish = (count: number) =>
    `What does the lecturer say about ${list(count, () => toEnglishWord(any.english())).join(" ")}?`;
  const inChinese = (count: number) =>
    `${list(count, () => toChineseWord(any.chinese())).join("的")}是什么？`;
  const ask = async (question: string, scope = everything) =>
    (await retrieveRows(db, { userId, scope, question, clock })).length;
  const kinds: [name: string, run: () => Promise<number>][] = [
    [
      "baseline: the search, one word",
      async () =>
        (await searchLectures(db, { userId, query: toEnglishWord(common()), cursor: null, clock }))
          .results.length,
    ],
    ["three English words", () => ask(inEnglish(3))],
    ["seven English words", () => ask(inEnglish(7))],
    ["three rare English words", () => ask(list(3, () => toEnglishWord(rare())).join(" "))],
    [
      "three of the 300 most frequent words",
      () => ask(list(3, () => toEnglishWord(common())).join(" ")),
    ],
    ["three Chinese words", () => ask(inChinese(3))],
    [
      "six Chinese words, without a break",
      () => ask(list(6, () => toChineseWord(any.chinese())).join("")),
    ],
    [
      "a folder with those below it",
      () => ask(inEnglish(5), { lectureId: null, folderId: choose(folders) ?? null }),
    ],
    ["a lecture", () => ask(inEnglish(5), { lectureId: choose(lectures) ?? null, folderId: null })],
  ];
  const results = kinds.map(([name]) => ({ name, times: [] as number[], found: 0 }));
  for (let turn = -Math.ceil(repeats / 10); turn < repeats; turn += 1)
    for (const [at, [, run]] of kinds.entries()) {
      const began = performance.now();
      const found = await run();
      const result = results[at];
      if (turn < 0 || !result) continue;
      result.times.push(performance.now() - began);
      result.found += found / repeats;
    }
  const all = {
    name: "all questions",
    times: results.slice(1).flatMap(({ times }) => times),
    found: 0,
  };
  all.found = results.slice(1).reduce((sum, { found }) => sum + found / (results.length - 1), 0);
  return [...results, all].map(({ name, times, found }) => ({
    name,
    found,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  }));
}
