import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { lectures, searchQueue, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { changeLecture, createLecture, readLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { changeMarks } from "#server/marks/queries.ts";
import { parseTerms } from "#server/search/parse-query.ts";
import { refreshAllSearchIndexes, refreshSearchIndex } from "#server/search/refresh.ts";
import { searchLectures } from "#server/search/search.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { restoreFromTrash } from "#server/trash/queries.ts";
import type { Mark } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const clock = { now: () => new Date() };

const database = createTestDatabase();
const day = (n: number) => new Date(Date.UTC(2026, 10, n));

const row = (n: number, original: string, translated = "") =>
  createEntry(original, n * 1_000, { ordinal: n, translated });

/** A new user with a library to search. */
async function openLibrary() {
  const db = database();
  const { id: userId } = await addUser(db);
  const search = async (query: string) =>
    (await searchLectures(db, { userId, query, cursor: null, clock })).results;
  return {
    db,
    userId,
    search,
    searchIds: async (query: string) => (await search(query)).map(({ lectureId }) => lectureId),
    async readRows(id: string) {
      const lecture = await readLecture(db, { userId, id, from: 0, maxBytes: 1e6 });
      const [first, ...others] = lecture?.entries ?? [];
      if (!first) throw new Error("no rows");
      return { first, others };
    },
    async addLecture(
      title: string,
      rows: [original: string, translated?: string][] = [],
      now = day(1),
    ) {
      const id = crypto.randomUUID();
      await createLecture(db, { userId, id, title, targetLanguage: "zh-cn", now });
      const entries = rows.map(([original, translated], n) => row(n, original, translated));
      if (entries.length > 0)
        await saveRows(db, { userId, lectureId: id, entries, deleted: [], now });
      return id;
    },
  };
}

/** Adds `count` lectures of one row. Returns their ids. */
async function addMany(
  db: Database,
  count: number,
  { userId, translated, now }: { userId: string; translated: string; now: Date },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  const shared = {
    title: "Title",
    targetLanguage: "zh-cn",
    createdAt: now,
    updatedAt: now,
  } as const;
  await db.insert(lectures).values(ids.map((id) => ({ id, userId, ...shared })));
  await db
    .insert(transcriptEntries)
    .values(ids.map((lectureId) => ({ lectureId, ...row(0, "", translated) })));
  return ids;
}

describe("a query", () => {
  let search: Awaited<ReturnType<typeof openLibrary>>["search"];
  let optics: string;
  let learning: string;
  beforeAll(async () => {
    const library = await openLibrary();
    const { db, userId, addLecture } = library;
    search = library.search;
    optics = await addLecture("Optics, part 2", [
      ["Light bends at the surface.", "光在表面弯曲。"],
      ["We studied refraction/dispersion in 3.14 experiments.", "我们研究了折射。"],
      ["The eye's lens, e.g. café-like.", "プリズムは光を曲げる。"],
    ]);
    learning = await addLecture("机器学习入门", [
      ["Machines learn.", "기계는 배웁니다."],
      ["That is all.", "L'été, les lettres françaises; МОСКВА; ﾌﾟﾘｽﾞﾑ ＡＢＣ"],
    ]);
    await changeLecture(
      db,
      { userId, id: learning },
      {
        summary: "# Summary\nGradients descend. Networks overfit!\n过拟合很常见。",
        updatedAt: day(2),
      },
    );
    await addLecture("Neither", [["Nothing of it.", "没有。"]]);
  });

  const entry = (position: number) => expect.objectContaining({ kind: "entry", position });
  const title = { kind: "title" };
  test.each<[query: string, of: "optics" | "learning" | null, hit: object]>([
    ["OPTICS", "optics", title],
    ["bending", "optics", entry(0)],
    ["study", "optics", entry(1)],
    ["refrac", "optics", entry(1)],
    ["dispersion", "optics", entry(1)],
    ["eye's", "optics", entry(2)],
    ["the lens", "optics", entry(2)],
    ["CAFÉ", "optics", entry(2)],
    ["弯曲", "optics", entry(0)],
    ["弯", "optics", entry(0)],
    ["曲", "optics", entry(0)],
    ["折射", "optics", entry(1)],
    ["プリズムは", "optics", entry(2)],
    ["light 折射", "optics", entry(0)],
    ["机器学习", "learning", title],
    ["机器 machines", "learning", entry(0)],
    ["배웁니다", "learning", entry(0)],
    ["기", "learning", entry(0)],
    ["lettre", "learning", entry(1)],
    ["москва", "learning", entry(1)],
    ["abc", "learning", entry(1)],
    ["overfitted", "learning", { kind: "summary", text: ["Networks ", "overfit", "!"] }],
    ["过拟合", "learning", { kind: "summary", text: ["", "过拟合", "很常见。"] }],
    ["曲弯", null, {}],
    ["学机", null, {}],
    ["light overfit", null, {}],
    ["zebra", null, {}],
  ])("%s", async (query, of, hit) => {
    const found = await search(query);
    if (of === null) return expect(found).toEqual([]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ lectureId: { optics, learning }[of], hit });
  });

  test.each(["", "  ", "the", "?!", "'", "\\", "a'b | !c & (d:*", ":*", "\ud800", "👩‍🔬"])(
    "may be %j",
    async (query) => {
      expect(Array.isArray(await search(query))).toBe(true);
    },
  );

  test("may be any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (query) => {
        if (!query.includes("\0")) await search(query);
      }),
      { numRuns: countRuns(25) },
    );
  });
});

test("returns the sentence with most of the words, with its position and time", async () => {
  const { addLecture, search } = await openLibrary();
  const filler = Array.from({ length: 70 }, (_, n): [string] => [`Filler number ${n}.`]);
  await addLecture("Long", [
    ["Entropy is one thing."],
    ...filler,
    ["Temperature is another."],
    ["Entropy falls where temperature falls.", "熵"],
    ...filler,
  ]);
  expect((await search("temperature entropy"))[0]?.hit).toEqual({
    kind: "entry",
    position: 72,
    startMs: 72_000,
    original: ["", "Entropy", " falls where ", "temperature", " falls."],
    spokenIn: "en",
    translated: ["熵"],
    translatedInto: "zh-cn",
  });
});

test("finds a recent import of any length", async () => {
  const { addLecture, db, userId } = await openLibrary();
  // Indexing ends after a second; on a busy machine this is too short for so many rows.
  const clock = { now: () => day(2) };
  const search = async (query: string) =>
    (await searchLectures(db, { userId, query, cursor: null, clock })).results;
  const lines = Array.from({ length: 2_500 }, (_, n): [string] => [`Line ${n}.`]);
  await addLecture("Long", [...lines, ["Refraction bends it."]]);
  await addLecture("Short", [["Refraction again."]]);
  expect((await search("refraction")).map(({ title }) => title.join("")).sort()).toEqual([
    "Long",
    "Short",
  ]);
});

test("does not match separate pairs of a run", async () => {
  const { addLecture, search } = await openLibrary();
  await addLecture("Apart", [
    ["", "学习的"],
    ["", "机器的"],
    ["", "仪器学"],
  ]);
  expect(await search("机器学习")).toEqual([]);
  expect(await search("机器")).toHaveLength(1);
});

test("finds a run in a later passage than its separate pairs", async () => {
  const { addLecture, search } = await openLibrary();
  const fillers = Array.from({ length: 159 }, (): [string, string] => ["", "没有。"]);
  const apart: [string, string] = ["", "大学里的学生。"];
  const together: [string, string] = ["", "大学生。"];
  const id = await addLecture("Passage 5", [apart, ["", "学生在大学"], ...fillers, together]);
  await addLecture("Apart", [apart]);
  for (const [query, title] of [
    ["大学生", ["Passage 5"]],
    ["大学生 passage", ["", "Passage", " 5"]],
  ] as const)
    expect(await search(query), query).toEqual([
      expect.objectContaining({
        lectureId: id,
        title,
        hit: expect.objectContaining({ position: 161, translated: ["", "大学生", "。"] }),
      }),
    ]);
});

test("fills a page with lectures after those that only have separate pairs", async () => {
  const { db, userId } = await openLibrary();
  const ids = await addMany(db, 25, { userId, translated: "大学生。", now: day(1) });
  await addMany(db, 130, { userId, translated: "大学里的学生。", now: day(2) });
  while ((await refreshSearchIndex(db, userId)).count > 0);
  const pageAfter = (cursor: string | null, now = clock) =>
    searchLectures(db, { userId, query: "大学生", cursor, clock: now });
  const first = await pageAfter(null);
  expect(first.results).toHaveLength(20);
  const second = await pageAfter(first.nextCursor);
  expect(second).toMatchObject({ nextCursor: null });
  const found = [...first.results, ...second.results].map(({ lectureId }) => lectureId);
  expect(found.toSorted()).toEqual(ids.toSorted());

  // When the time is up, the rest follows on the next page.
  let time = 0;
  const slow = {
    now() {
      time += 2_000;
      return new Date(time);
    },
  };
  let page = await pageAfter(null, slow);
  expect(page.results).toEqual([]);
  for (; page.results.length === 0 && page.nextCursor; )
    page = await pageAfter(page.nextCursor, slow);
  expect(page.results.length).toBeGreaterThan(0);
});

test("finds the same in one lecture as in all lectures", async () => {
  const { db, userId, addLecture, search } = await openLibrary();
  const rows: [string][] = [["A wave."], ["Waves and light."]];
  const [id] = [await addLecture("One", rows), await addLecture("Two", rows)];
  const all = await search("light waves");
  expect(all).toHaveLength(2);
  const input = { userId, query: "light waves", lectureId: id, cursor: null, clock };
  expect((await searchLectures(db, input)).results).toEqual(
    all.filter(({ lectureId }) => lectureId === id),
  );
});

test("ranks by title, passages and date, and pages without loss or repetition", async () => {
  const { db, userId, addLecture } = await openLibrary();
  const often = Array.from({ length: 100 }, (): [string] => ["Quantum."]);
  const [frequent, titled] = [
    await addLecture("Often", often, day(1)),
    await addLecture("Quantum", [], day(1)),
  ];
  const once: string[] = [];
  for (let n = 0; n < 45; n += 1)
    once.unshift(await addLecture(`Once ${n}`, [["A quantum."]], day(n + 1)));
  // More passages than one search indexes.
  while ((await refreshSearchIndex(db, userId)).count > 0);
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page = await searchLectures(db, { userId, query: "quantum", cursor, clock });
    seen.push(...page.results.map(({ lectureId }) => lectureId));
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== null);
  expect(seen).toEqual([titled, frequent, ...once]);
  expect(pages).toBe(3);
  expect(
    await getErrorCode(searchLectures(db, { userId, query: "quantum", cursor: "[1]", clock })),
  ).toBe("validation_failed");
});

test("a passage of more words than an index entry can hold keeps nothing from being found", async () => {
  const { db, userId, addLecture, searchIds } = await openLibrary();
  const words = Array.from({ length: 10_000 }, (_, n) =>
    String.fromCodePoint(
      0x905 + (n % 50),
      0x905 + (Math.floor(n / 50) % 50),
      0x905 + Math.floor(n / 2_500),
    ),
  );
  const halves = [words.slice(0, 5_000), words.slice(5_000)].map((half) => half.join(" "));
  const entries = (["de", "fr", "es", "it", "pt", "ru", "ar", "hi"] as const)
    .flatMap((spokenIn) => halves.map((text) => ({ text, spokenIn })))
    .map(({ text, spokenIn }, ordinal) =>
      createEntry(text, ordinal * 1_000, { ordinal, spokenIn }),
    );
  const id = await addLecture("Words");
  await saveRows(db, { userId, lectureId: id, entries, deleted: [], now: day(1) });
  const other = await addLecture("Other", [["A photon."]]);
  expect(await searchIds("photon")).toEqual([other]);
  expect(await searchIds(words[0] ?? "")).toEqual([id]);
});

describe("results follow changes", () => {
  test("of sentences, titles and summaries, and former text is not found any more", async () => {
    const { db, userId, addLecture, readRows, searchIds } = await openLibrary();
    const id = await addLecture("Earlier", [["Old words here."], ["Others."]]);
    expect(await searchIds("earlier")).toEqual([id]);
    const { first } = await readRows(id);
    const entries = [{ ...first, original: "New words here.", translated: "新词" }];
    await saveRows(db, { userId, lectureId: id, entries, deleted: [], now: day(2) });
    await changeLecture(
      db,
      { userId, id },
      { title: "Later", summary: "Finished", updatedAt: day(2) },
    );
    for (const query of ["old", "earlier"]) expect(await searchIds(query)).toEqual([]);
    for (const query of ["new", "新词", "later", "finished", "others"])
      expect(await searchIds(query), query).toEqual([id]);
    await changeLecture(db, { userId, id }, { summary: null, updatedAt: day(3) });
    expect(await searchIds("finished")).toEqual([]);
  });

  test("of a whole transcript that has fewer passages than before", async () => {
    const { db, userId, addLecture, readRows, search, searchIds } = await openLibrary();
    const rows = Array.from({ length: 40 }, (_, at): [string] => [
      at < 39 ? "Light." : "A photon.",
    ]);
    const id = await addLecture("Optics", rows);
    await changeLecture(db, { userId, id }, { summary: "The photon.", updatedAt: day(2) });
    expect((await search("photon"))[0]?.hit).toMatchObject({ kind: "entry", position: 39 });
    const { first, others: deleted } = await readRows(id);
    const entries = [{ ...first, original: "Waves." }];
    await saveRows(db, { userId, lectureId: id, entries, deleted, now: day(3) });
    expect(await searchIds("waves")).toEqual([id]);
    expect((await search("photon"))[0]?.hit).toMatchObject({ kind: "summary" });
    expect(await searchIds("light")).toEqual([]);
  });

  test("of transcripts that had fewer passages before these were indexed again", async () => {
    const { db, userId, addLecture, search, searchIds } = await openLibrary();
    const rows = Array.from({ length: 40 }, (): [string] => ["A photon."]);
    const id = await addLecture("Optics", rows);
    await changeLecture(db, { userId, id }, { summary: "Photons in glass.", updatedAt: day(2) });
    await addLecture("Other", [["Glass."]]);
    expect(await searchIds("photon glass")).toEqual([id]);
    await db.execute(sql`delete from transcript_entries where lecture_id = ${id}::uuid`);
    await db.execute(sql`update search_passages set words = ''::tsvector
      where lecture_id = ${id}::uuid and passage = 0`);
    expect(await search("photon")).toEqual([]);
    const migration = readFileSync("migrations/0028_search_stale.sql", "utf8");
    await db.execute(sql.raw(migration.replaceAll("$1", `'${id}/-1'`)));
    const queued = await db.select().from(searchQueue).where(eq(searchQueue.userId, userId));
    expect(queued.map(({ passage }) => passage).sort()).toEqual([0, 1]);
    expect((await search("photon"))[0]?.hit).toMatchObject({ kind: "summary" });
  });

  test("of notes, which are found at their rows", async () => {
    const { db, userId, addLecture, search, searchIds } = await openLibrary();
    const id = await addLecture("Noted", [["One."], ["Two."], ["Three."]]);
    const change = (marks: Mark[], deletedIds: string[] = []) =>
      changeMarks(db, { userId, lectureId: id, marks, deletedIds, now: day(2) });
    const timed = { id: crypto.randomUUID(), atMs: 1_400, position: null, note: "Exam\nquestion" };
    const placed = { id: crypto.randomUUID(), atMs: 0, position: 2, note: "考试重点" };
    const plain = { id: crypto.randomUUID(), atMs: 0, position: null, note: "" };
    await change([timed, placed, plain]);
    expect((await search("questions"))[0]?.hit).toEqual({
      kind: "note",
      position: 1,
      startMs: 1_400,
      text: ["Exam\n", "question", ""],
    });
    expect((await search("重点"))[0]?.hit).toEqual({
      kind: "note",
      position: 2,
      startMs: 0,
      text: ["考试", "重点", ""],
    });
    expect(await searchIds("exam 考试")).toEqual([id]);
    await change([{ ...timed, note: "" }], [placed.id]);
    for (const query of ["question", "重点"]) expect(await searchIds(query)).toEqual([]);
  });

  test("of notes in a lecture with a row that came late", async () => {
    const { db, userId, addLecture, readRows, search } = await openLibrary();
    const id = await addLecture("Noted", [["One."], ["Two."]]);
    const late = createEntry("Late.", 500, { ordinal: 7 });
    await saveRows(db, { userId, lectureId: id, entries: [late], deleted: [], now: day(2) });
    const marks = [600, 1_100].map((atMs) => ({
      id: crypto.randomUUID(),
      atMs,
      position: null,
      note: `Exam${atMs}`,
    }));
    await changeMarks(db, { userId, lectureId: id, marks, deletedIds: [], now: day(2) });
    expect((await search("exam600"))[0]?.hit).toMatchObject({ kind: "note", position: 7 });
    expect((await search("exam1100"))[0]?.hit).toMatchObject({ kind: "note", position: 1 });
    expect((await search("late"))[0]?.hit).toMatchObject({ kind: "entry", position: 7 });

    // A note stays with the row before, or the first one, when its row is deleted.
    const { first, others } = await readRows(id);
    const placed = [0, 1].map((position) => ({
      id: crypto.randomUUID(),
      atMs: 0,
      position,
      note: `Placed${position}`,
    }));
    await changeMarks(db, { userId, lectureId: id, marks: placed, deletedIds: [], now: day(2) });
    expect((await search("placed0"))[0]?.hit).toMatchObject({ kind: "note", position: 0 });
    const two = others.filter(({ ordinal }) => ordinal === 1);
    await saveRows(db, { userId, lectureId: id, entries: [], deleted: two, now: day(3) });
    expect((await search("placed1"))[0]?.hit).toMatchObject({ kind: "note", position: 0 });
    await saveRows(db, { userId, lectureId: id, entries: [], deleted: [first], now: day(3) });
    expect((await search("placed0"))[0]?.hit).toMatchObject({ kind: "note", position: 7 });
  });

  test("of texts without rows", async () => {
    const { db, addLecture, search } = await openLibrary();
    const id = await addLecture("Imported");
    await db
      .update(lectures)
      .set({ originalText: "One thing. Two photons.", translatedText: "两个光子。" })
      .where(eq(lectures.id, id));
    expect((await search("photon"))[0]?.hit).toEqual({
      kind: "text",
      text: ["Two ", "photons", "."],
    });
    expect((await search("光子"))[0]?.hit).toEqual({
      kind: "text",
      text: ["两个", "光子", "。"],
    });
  });

  test("of the trash: deleted lectures are found after they are restored, other users' never", async () => {
    const { db, userId, addLecture, searchIds } = await openLibrary();
    const stranger = await openLibrary();
    const id = await addLecture("Mine", [["A secret."]]);
    expect(await searchIds("secret")).toEqual([id]);
    expect(await stranger.searchIds("secret")).toEqual([]);
    const { deletion } = await deleteToTrash(db, {
      userId,
      target: { kind: "lecture", id },
      now: day(2),
    });
    expect(await searchIds("secret")).toEqual([]);
    await restoreFromTrash(db, { userId, id: deletion.id ?? "", now: day(2) });
    expect(await searchIds("secret")).toEqual([id]);
  });

  test("during indexing: a changed passage stays in the queue", async () => {
    const { db, userId, addLecture, readRows, searchIds } = await openLibrary();
    const id = await addLecture("Live", [["First."]]);
    const { first } = await readRows(id);
    const texts = Array.from({ length: 30 }, (_, n) => `Version w${n + 10}.`);
    await Promise.all(
      texts.map(async (original, n) => {
        if (n % 3 === 0) await refreshSearchIndex(db, userId);
        // A version that is later than any stored one, so that each call writes.
        const entries = [{ ...first, original, seq: texts.length + 1 }];
        await saveRows(db, { userId, lectureId: id, entries, deleted: [], now: day(2) });
      }),
    );
    const { first: last } = await readRows(id);
    expect(last.seq).toBe(first.seq + texts.length);
    expect(texts).toContain(last.original);
    expect(await searchIds(last.original)).toEqual([id]);
    const others = texts.filter((text) => text !== last.original);
    for (const text of ["first", ...others.slice(0, 2), ...others.slice(-2)])
      expect(await searchIds(text), text).toEqual([]);
  });

  test("without a search, indexed by the cron", async () => {
    const { db, userId, addLecture, searchIds } = await openLibrary();
    await addLecture("Waiting", [["Words."]]);
    const left = () => db.$count(searchQueue, eq(searchQueue.userId, userId));
    expect(await left()).toBe(2);
    while ((await refreshAllSearchIndexes(db)) > 0);
    expect(await left()).toBe(0);
    expect(await searchIds("words")).toHaveLength(1);
  });

  test("of a passage larger than an index entry", async () => {
    const { addLecture, searchIds } = await openLibrary();
    const han = (n: number) =>
      Array.from({ length: 19_000 }, (_, i) =>
        String.fromCodePoint(0x4e00 + ((i * (n + 7) * 131) % 20_000)),
      ).join("");
    const id = await addLecture(
      "Huge",
      Array.from({ length: 32 }, (_, n): [string, string] => [
        `${"x".repeat(3_000)} w${n}`,
        han(n),
      ]),
    );
    expect(await searchIds("huge")).toEqual([id]);
    expect(await searchIds("w0")).toEqual([id]);
  });
});

test("parses at most eight distinct words and runs", () => {
  expect(parseTerms("RNN模型 rnn, ＡＢＣ don't 学")).toEqual([
    { kind: "word", text: "rnn" },
    { kind: "cjk", text: "模型" },
    { kind: "word", text: "abc" },
    { kind: "word", text: "don" },
    { kind: "word", text: "t" },
    { kind: "cjk", text: "学" },
  ]);
  expect(parseTerms("a b c d e f g h i j")).toHaveLength(8);
  expect(parseTerms(" !? ")).toEqual([]);
});
