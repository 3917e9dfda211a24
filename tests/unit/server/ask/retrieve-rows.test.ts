import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lectures, transcriptEntries } from "#drizzle/schema.ts";
import type { FoundRow } from "#server/ask/retrieve-rows.ts";
import { retrieveRows } from "#server/ask/retrieve-rows.ts";
import { createFolder } from "#server/folders/folder-changes.ts";
import { createLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { getUserTag } from "#server/search/lexemes.ts";
import { refreshSearchIndex } from "#server/search/refresh.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { QuestionScope } from "#shared/question.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date(Date.UTC(2026, 10, 1));
const clock = { now: () => new Date() };
const everything: QuestionScope = { lectureId: null, folderId: null };

type Row = [original: string, translated?: string];
interface Options {
  title?: string;
  folderId?: string;
  spokenIn?: SpokenLanguage;
  into?: TranslationLanguage;
}

async function openLibrary() {
  const db = database();
  const { id: userId } = await addUser(db);
  return {
    db,
    userId,
    async addFolder(name: string, parentFolderId: string | null = null) {
      const id = crypto.randomUUID();
      await createFolder(db, { userId, id, name, parentFolderId, now });
      return id;
    },
    async addLecture(rows: readonly Row[], options: Options = {}) {
      const { title = "Title", folderId, spokenIn = "en", into = "zh-cn" } = options;
      const id = crypto.randomUUID();
      const lecture = { userId, id, title, sourceLanguage: spokenIn, targetLanguage: into, now };
      await createLecture(db, { ...lecture, ...(folderId !== undefined && { folderId }) });
      const entries = rows.map(([original, translated = ""], n) =>
        createEntry(original, n * 5_000, { spokenIn, translated, endMs: n * 5_000 + 4_000 }),
      );
      await saveRows(db, {
        userId,
        lectureId: id,
        entries: numberRows(entries),
        deleted: [],
        now,
      });
      return id;
    },
    ask: (question: string, scope = everything) =>
      retrieveRows(db, { userId, scope, question, clock }),
  };
}

const filler = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) => [`We look at slide ${n + 1} now.`, "我们看一下。"]);
const listHits = (rows: readonly FoundRow[]) => rows.filter(({ isHit }) => isHit);

describe("rows of a question", () => {
  test("are those with any of its words, in any form and in both languages", async () => {
    const { addLecture, ask } = await openLibrary();
    const rows: Row[] = [
      ...filler(40),
      ["Glaciers are retreating about nine metres a year.", "冰川每年后退约九米。"],
      ...filler(3),
    ];
    const lectureId = await addLecture(rows, { title: "Ice" });
    for (const question of [
      "How fast does a glacier retreat, and what drives the process?",
      "冰川每年后退多少？",
    ]) {
      const found = await ask(question);
      const [hit] = listHits(found);
      expect(hit).toMatchObject({
        lectureId,
        title: "Ice",
        position: 40,
        startMs: 200_000,
        endMs: 204_000,
        spokenIn: "en",
        translatedInto: "zh-cn",
        translated: "冰川每年后退约九米。",
      });
      expect(found.map(({ position }) => position).slice(0, 5)).toEqual([38, 39, 40, 41, 42]);
    }
  });

  test.each<[spokenIn: SpokenLanguage, row: string, question: string]>([
    ["zh", "光合作用发生在叶绿体里。", "光合作用在哪里发生的？"],
    ["ja", "学習率は小さくします。", "学習率はどのように決めますか"],
    ["ko", "광합성은 엽록체에서 일어난다.", "광합성을 설명했나요?"],
    ["de", "Die Häuser wurden 1911 gebaut.", "Wann wurde das Haus gebaut?"],
    [
      "fr",
      "Les équations différentielles sont linéaires.",
      "Quelle équation différentielle est-ce ?",
    ],
    ["ru", "Эти уравнения решают методом Гаусса.", "Как решить уравнение Гаусса?"],
    ["ar", "تحدث عملية التمثيل الضوئي في النباتات.", "أين يحدث التمثيل الضوئي؟"],
    ["th", "การสังเคราะห์แสงเกิดในใบไม้", "การสังเคราะห์แสงคืออะไร"],
  ])("are found in %s", async (spokenIn, text, question) => {
    const { addLecture, ask } = await openLibrary();
    await addLecture([["…"], ["…"], ["…"], [text], ["…"]], { spokenIn, into: "en" });
    expect(listHits(await ask(question)).map(({ original }) => original)).toEqual([text]);
  });

  test("are none without words that are searched, and without rows that have them", async () => {
    const { addLecture, ask } = await openLibrary();
    await addLecture([["The enzyme unfolds.", "酶会展开。"]]);
    for (const question of [
      "What did the lecturer say?",
      "是什么？",
      "?!",
      "Volcano?",
      "火山在哪里",
    ])
      expect(await ask(question)).toEqual([]);
  });

  test("are the first ones of a lecture whose title alone has the words", async () => {
    const { addLecture, ask } = await openLibrary();
    await addLecture([["Welcome back."], ["Let us begin."]], { title: "Volcanoes" });
    await addLecture([["Nothing of it."]]);
    const found = await ask("What was the lecture on volcanoes about?");
    expect(found.map(({ original, isHit }) => [original, isHit])).toEqual([
      ["Welcome back.", false],
      ["Let us begin.", false],
    ]);
  });

  test("are at most 60, each once, the best group first and its rows in order", async () => {
    const { addLecture, ask } = await openLibrary();
    const rows: Row[] = Array.from({ length: 300 }, (_, n) => [
      n % 9 === 0 ? `Example ${n} of entropy.` : "So.",
    ]);
    rows[100] = ["The entropy of the black hole is its area."];
    await addLecture(rows);
    const found = await ask("What is the entropy of a black hole?");
    expect(found.map(({ position }) => position).slice(0, 6)).toEqual([97, 98, 99, 100, 101, 102]);
    expect(found.length).toBeGreaterThan(50);
    expect(found.length).toBeLessThanOrEqual(60);
    expect(new Set(found.map(({ position }) => position)).size).toBe(found.length);
  });

  test("are cut, and rows without a translation say so", async () => {
    const { addLecture, ask } = await openLibrary();
    await addLecture([[`Entropy ${"grows ".repeat(300)}`]]);
    const [row] = await ask("entropy");
    expect(row?.original).toHaveLength(500);
    expect(row).toMatchObject({ translated: "", translatedInto: null });
  });
});

describe("the scope", () => {
  test("is a lecture, a folder with those below it, or everything outside the trash", async () => {
    const { addFolder, addLecture, ask, db, userId } = await openLibrary();
    const course = await addFolder("Course");
    const week = await addFolder("Week", course);
    const day = await addFolder("Day", week);
    const other = await addFolder("Other");
    const rows: Row[] = [["Entropy grows.", "熵会增加。"]];
    const inCourse = await addLecture(rows, { folderId: course });
    const inDay = await addLecture(rows, { folderId: day });
    const inOther = await addLecture(rows, { folderId: other });
    const inNone = await addLecture(rows);
    const inTrash = await addLecture(rows, { folderId: week });
    await deleteToTrash(db, { userId, target: { kind: "lecture", id: inTrash }, now });
    const list = async (scope: QuestionScope) =>
      new Set((await ask("entropy", scope)).map(({ lectureId }) => lectureId));
    const inFolder = (folderId: string) => list({ lectureId: null, folderId });
    expect(await list({ lectureId: inDay, folderId: null })).toEqual(new Set([inDay]));
    expect(await list({ lectureId: inTrash, folderId: null })).toEqual(new Set());
    expect(await inFolder(course)).toEqual(new Set([inCourse, inDay]));
    expect(await inFolder(week)).toEqual(new Set([inDay]));
    expect(await list(everything)).toEqual(new Set([inCourse, inDay, inOther, inNone]));
    await deleteToTrash(db, { userId, target: { kind: "folder", id: course }, now });
    expect(await inFolder(course)).toEqual(new Set());
    expect(await list(everything)).toEqual(new Set([inOther, inNone]));
  });

  test("has nothing of other users, whose lectures and folders are not found", async () => {
    const mine = await openLibrary();
    const theirs = await openLibrary();
    const folderId = await theirs.addFolder("Course");
    const lectureId = await theirs.addLecture([["Entropy grows."]], { folderId });
    for (const scope of [
      everything,
      { lectureId, folderId: null },
      { lectureId: null, folderId },
    ]) {
      expect(await theirs.ask("entropy", scope)).toHaveLength(1);
      expect(await mine.ask("entropy", scope)).toEqual([]);
    }
  });
});

describe("a word that is in more passages than one word fetches", () => {
  const toSampled = (id: string) => `${id.slice(0, -2)}00`;
  test.each([
    { by: "what it fetches", count: 2_100, toId: (id: string) => `${id.slice(0, -2)}01` },
    { by: "the sample", count: 100, toId: toSampled },
  ])(
    "by $by ranks those of rarer words, and is found alone and with others",
    async ({ count, toId }) => {
      const { ask, db, userId } = await openLibrary();
      const texts: string[] = Array.from({ length: count }, (_, n) =>
        n % 2 === 0 ? "Common words." : "Usual things.",
      );
      texts[7] = "Rare things.";
      texts[count - 20] = "Rare, common, usual things.";
      texts[count - 15] = "Usual, common words.";
      const ids = texts.map(() => toId(crypto.randomUUID()));
      await db
        .insert(lectures)
        .values(ids.map((id) => ({ id, userId, title: "Title", targetLanguage: "none" as const })));
      const row = { ordinal: 0, translated: "", startMs: 0, endMs: 1 };
      await db
        .insert(transcriptEntries)
        .values(texts.map((original, n) => ({ ...row, lectureId: ids[n] ?? "", original })));
      while ((await refreshSearchIndex(db, userId, 5_000)).isMore);
      const first = async (question: string) => listHits(await ask(question))[0]?.original;
      expect(await first("rare, common and usual")).toBe("Rare, common, usual things.");
      expect(await first("common, usual")).toMatch(/common, usual|usual, common/i);
      expect(await first("common")).toMatch(/common/i);
    },
  );

  test("is counted in a sample of the passages, by the same rule for those from before it", async () => {
    const { addLecture, db, userId } = await openLibrary();
    const rows = Array.from({ length: 64 * 32 + 40 }, (): Row => ["Common words."]);
    const lectureId = await addLecture(rows);
    while ((await refreshSearchIndex(db, userId, 5_000)).isMore);
    const read = async () =>
      (
        await db.execute<{ passage: number; words: string }>(sql`
          select passage, words::text as words from search_passages
          where lecture_id = ${lectureId}::uuid order by passage`)
      ).rows;
    const indexed = await read();
    const sampled = indexed.filter(({ words }) => words.includes(`'${getUserTag(userId)}#'`));
    expect([1, 2]).toContain(sampled.length);
    expect(sampled.every(({ passage }) => passage >= 0)).toBe(true);
    await db.execute(sql`update search_passages set words = ts_delete(words, ${`${getUserTag(userId)}#`}::text)
      where lecture_id = ${lectureId}::uuid`);
    expect(await read()).not.toEqual(indexed);
    const migration = readFileSync("migrations/0027_search_sample.sql", "utf8");
    await db.execute(sql.raw(migration.replaceAll("$1", `'${lectureId}/-1'`)));
    expect(await read()).toEqual(indexed);
  });
});
