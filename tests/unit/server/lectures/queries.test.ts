import { eq, type SQL, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { getListTitle } from "#client/state/library/list-texts.ts";
import { folders, lectures } from "#drizzle/schema.ts";
import { readLectureRows } from "#server/ask/lecture-rows.ts";
import { toAppError } from "#server/errors.ts";
import { readLectureText } from "#server/lectures/lecture-text.ts";
import { listLectures } from "#server/lectures/list.ts";
import {
  changeLecture,
  createLecture,
  readLecture,
  selectPersonsTitle,
} from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { searchLectures } from "#server/search/search.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { listTrash } from "#server/trash/queries.ts";
import type { LecturePage, RowVersion, TitleSource, TranscriptEntry } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const whole = { from: 0, maxBytes: 1_000_000 };
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 8, 0, seconds));

type Row = TranscriptEntry;
type Six = [Row, Row, Row, Row, Row, Row];

const isInAnyOrder = (expected: readonly string[]) => (ids: readonly string[]) =>
  JSON.stringify(ids.toSorted()) === JSON.stringify(expected.toSorted());

/** A new lecture, to write and read its rows. */
async function openRows() {
  const db = database();
  const { id: userId } = await addUser(db);
  const key = { userId, id: crypto.randomUUID() };
  await createLecture(db, { ...key, title: "Optics", targetLanguage: "ja", now: at(1) });
  const read = async (page: {
    from?: number;
    since?: number;
    maxRows?: number;
    maxBytes?: number;
  }) => {
    const lecture = await readLecture(db, { ...key, ...whole, ...page });
    if (!lecture) throw new Error("no such lecture");
    return lecture;
  };
  return {
    key,
    read,
    save: async (entries: Row[], deleted: RowVersion[] = []) =>
      (await saveRows(db, { userId, lectureId: key.id, entries, deleted, now: at(2) })).saved,
    async readSince(since: number) {
      const { entries, deletedIds } = await read({ since });
      return deletedIds ? { entries, deletedIds } : { entries };
    },
    async readPages(page: { since?: number; maxRows?: number; maxBytes?: number }) {
      const pages: LecturePage[] = [];
      for (let from: number | null = 0; from !== null; ) {
        const next: LecturePage = await read({ ...page, from });
        pages.push(next);
        from = next.nextCursor;
      }
      return pages;
    },
  };
}

describe("createLecture", () => {
  test("creates it in a folder of the user, and in none that is gone or another's", async () => {
    const db = database();
    const [owner, other] = [await addUser(db), await addUser(db)];
    const folder = { id: crypto.randomUUID(), userId: owner.id, name: "Biology" };
    await db.insert(folders).values(folder);
    const create = async (userId: string) => {
      const input = { userId, id: crypto.randomUUID(), title: "Cells", folderId: folder.id };
      return (await createLecture(db, { ...input, targetLanguage: "ja", now: at(1) })).folderId;
    };
    expect(await create(owner.id)).toBe(folder.id);
    expect(await create(other.id)).toBeNull();
    await db
      .update(folders)
      .set({ deletedAt: at(2) })
      .where(eq(folders.id, folder.id));
    expect(await create(owner.id)).toBeNull();
  });

  test("returns the current lecture on a repeated call", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    const key = { userId, id: crypto.randomUUID() };
    const input = { ...key, title: "First", targetLanguage: "ja" as const, now: at(1) };
    await createLecture(db, input);
    await changeLecture(db, key, { title: "Renamed", updatedAt: at(2) });
    expect(await createLecture(db, { ...input, now: at(3) })).toMatchObject({
      title: "Renamed",
      createdAt: at(1).toISOString(),
      updatedAt: at(2).toISOString(),
    });
  });

  test("refuses the id of another user's or a deleted lecture", async () => {
    const db = database();
    const [owner, other] = [await addUser(db), await addUser(db)];
    const key = { userId: owner.id, id: crypto.randomUUID() };
    const input = { ...key, title: "Mine", targetLanguage: "ja" as const, now: at(1) };
    await createLecture(db, input);
    const conflict = { code: "conflict" };
    await expect(createLecture(db, { ...input, userId: other.id })).rejects.toMatchObject(conflict);
    const target = { kind: "lecture" as const, id: key.id };
    await deleteToTrash(db, { userId: owner.id, target, now: at(2) });
    await expect(createLecture(db, input)).rejects.toMatchObject(conflict);
  });

  test("answers `unauthenticated` for a deleted account", async () => {
    const input = { userId: crypto.randomUUID(), id: crypto.randomUUID(), title: "x" };
    const refused = await createLecture(database(), {
      ...input,
      targetLanguage: "ja",
      now: at(1),
    }).catch(toAppError);
    expect(refused).toMatchObject({ code: "unauthenticated" });
  });
});

describe("listLectures", () => {
  test("pages without loss or repetition, also with equal times", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    const stranger = await addUser(db);
    const make = (owner: string, seconds: number) =>
      createLecture(db, {
        userId: owner,
        id: crypto.randomUUID(),
        title: `at ${seconds}`,
        targetLanguage: "none",
        now: at(seconds),
      });
    const made = [];
    for (const seconds of [5, 3, 3, 3, 9, 1, 3]) made.push(await make(userId, seconds));
    await make(stranger.id, 4);
    const gone = await make(userId, 2);
    await deleteToTrash(db, { userId, target: { kind: "lecture", id: gone.id }, now: at(10) });

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listLectures>> = await listLectures(db, {
        userId,
        cursor,
        limit: 2,
      });
      expect(page.total).toBeNull();
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    const newestFirst = made
      .toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? 1 : -1))
      .map(({ id }) => id);
    expect(seen).toEqual(newestFirst);
    const found = await listLectures(db, { userId, cursor: null, limit: 2, title: "AT 3" });
    expect(found).toMatchObject({ items: [{ title: "at 3" }, { title: "at 3" }], total: 4 });
  });

  test("reads a page from the index without sorting", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    await db.execute(sql`insert into lectures (id, user_id, title, target_language, created_at)
      select gen_random_uuid(), ${userId}, 't', 'none', ${at(0).toISOString()}::timestamptz + n * interval '1 s'
      from generate_series(1, 3000) n`);
    await db.execute(sql`analyze lectures`);
    const { rows } = await db.execute<{ "QUERY PLAN": string }>(sql`explain
      select id from lectures where user_id = ${userId} and deleted_at is null
        and (created_at, id) < (${at(900).toISOString()}::timestamptz, ${userId}::uuid)
      order by created_at desc nulls last, id desc nulls last limit 51`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("lectures_user_created_idx");
    expect(plan).not.toContain("Sort");
    const { items } = await listLectures(db, { userId, cursor: null, limit: 50 });
    expect(items[0]?.createdAt).toBe(at(3000).toISOString());
  });
});

describe("readLecture and changeLecture", () => {
  test("do not find another user's lecture", async () => {
    const db = database();
    const [owner, other] = [await addUser(db), await addUser(db)];
    const id = crypto.randomUUID();
    const theirs = { userId: other.id, id };
    await createLecture(db, {
      userId: owner.id,
      id,
      title: "Mine",
      targetLanguage: "ko",
      now: at(1),
    });
    expect(await readLecture(db, { ...theirs, ...whole })).toBeNull();
    expect(
      await getErrorCode(changeLecture(db, theirs, { title: "Theirs", updatedAt: at(2) })),
    ).toBe("not_found");
    expect(await readLecture(db, { userId: owner.id, id, ...whole })).toMatchObject({
      title: "Mine",
      entries: [],
      summary: null,
      context: null,
    });
  });
});

test("lists, searches and the trash call a draft by its text instead of its date", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const addDraft = async (original: string) => {
    const key = { userId, id: crypto.randomUUID() };
    const name = { title: "Nov 20, 2026 9:02 AM", titleSource: "date" as const };
    await createLecture(db, { ...key, ...name, targetLanguage: "ja", now: at(1) });
    const entries = [createEntry(original)];
    if (original !== "")
      await saveRows(db, { userId, lectureId: key.id, entries, deleted: [], now: at(1) });
    return key.id;
  };
  const texts = [
    "So far we have only asked whether energy is conserved. Entropy tells more.",
    "Light bends.",
    "x".repeat(60),
  ];
  const ids: string[] = [];
  for (const text of [...texts, ""]) ids.push(await addDraft(text));
  const [long, , , empty] = ids;
  const find = async (title: string) =>
    (await listLectures(db, { userId, title })).items.map(({ id }) => id);
  expect(await find("nov 20")).toEqual([empty]);
  expect(await find("SO FAR")).toEqual([long]);
  expect(await find("entropy")).toEqual([]);

  const search = (query: string) =>
    searchLectures(db, { userId, query, clock: { now: () => at(1) } });
  expect((await search("nov 20")).results).toEqual([]);
  const [found] = (await search("bends")).results;
  expect(found).toMatchObject({ title: ["Light ", "bends", "."], hit: { kind: "entry" } });

  for (const id of ids)
    await deleteToTrash(db, { userId, target: { kind: "lecture", id }, now: at(2) });
  const { items } = await listTrash(db, { userId, now: at(2) });
  const shown = texts.map((excerpt) => getListTitle({ title: "", titleSource: "date", excerpt }));
  const dated = "Nov 20, 2026 9:02 AM";
  expect(items.map(({ name }) => name).sort()).toEqual([...shown, dated].sort());
  // The page writes the date in its own language.
  const withDate = items.filter(({ datedAt }) => datedAt !== null);
  expect(withDate.map(({ name }) => name)).toEqual([dated]);
});

describe("completing a lecture", () => {
  test("does not replace a person's title by one that nobody typed", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    const complete = async (titleSource: TitleSource, title: string | SQL) => {
      const key = { userId, id: crypto.randomUUID() };
      const lecture = { title: "Before", titleSource, targetLanguage: "ko" as const, now: at(1) };
      await createLecture(db, { ...key, ...lecture });
      await changeLecture(db, key, { title, titleSource: "person", updatedAt: at(2) });
      return readLecture(db, { ...key, ...whole });
    };
    const proposal = selectPersonsTitle("Proposed");
    expect(await complete("person", proposal)).toMatchObject({ title: "Before" });
    expect(await complete("person", "Typed")).toMatchObject({ title: "Typed" });
    for (const source of ["date", "proposed"] as const)
      expect(await complete(source, proposal)).toMatchObject({
        title: "Proposed",
        titleSource: "person",
      });
  });
});

describe("readLecture", () => {
  const createRow = (ordinal: number, language: string | null, byHand: boolean) => ({
    id: crypto.randomUUID(),
    seq: 7,
    ordinal,
    original: "Light.",
    originalByHand: false,
    translated: "光。",
    speaker: "1",
    startMs: 0,
    endMs: 5,
    spokenIn: "en",
    translatedInto: language,
    translatedByHand: byHand,
  });

  test("returns each row's translation language, which is never the lecture's `none`", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    const key = { userId, id: crypto.randomUUID() };
    await createLecture(db, { ...key, title: "Old", targetLanguage: "ja", now: at(1) });
    const stored = [
      createRow(0, "zh-cn", true),
      createRow(1, null, false),
      createRow(2, "none", false),
    ];
    for (const { id, ordinal, translatedInto, translatedByHand } of stored)
      await db.execute(sql`insert into transcript_entries (lecture_id, id, seq, position, original, translated,
        translated_into, translated_by_hand, speaker, start_ms, end_ms)
        values (${key.id}, ${id}, 7, ${ordinal}, 'Light.', '光。', ${translatedInto}, ${translatedByHand}, '1', 0, 5)`);
    const lecture = await readLecture(db, { ...key, ...whole });
    expect(lecture?.entries).toEqual([
      stored[0],
      stored[1],
      { ...stored[2], translatedInto: null },
    ]);
    expect(lecture?.speakerNames).toEqual({});
  });
});

test("the beginning of a lecture is that of its rows, whatever ordinals they have", async () => {
  const { key, read, save } = await openRows();
  const create = (count: number, first: number, text: string) =>
    numberRows(
      Array.from({ length: count }, (_, n) =>
        createEntry(`${text} ${n}.`, n * 1_000, {
          translated: `${text}、${n}。`,
          translatedInto: "ja",
        }),
      ),
      first,
    );
  const readBeginning = async () => {
    const { excerpt, translatedExcerpt } = await read({});
    const maxLength = 20;
    const text = await readLectureText(database(), key, { maxLength, hasRows: true });
    const recapped = await readLectureRows(database(), key, maxLength);
    return {
      excerpt: excerpt.slice(0, 13),
      translatedExcerpt: translatedExcerpt.slice(0, 11),
      text: text?.text.slice(0, 13),
      rows: text?.rows.slice(0, 2).map(({ original }) => original),
      recapped: recapped?.rows.slice(0, 2).map(({ original }) => original),
    };
  };
  const begins = (text: string) => ({
    excerpt: `${text} 0. ${text} 1.`,
    translatedExcerpt: `${text}、0。 ${text}、1。`.slice(0, 11),
    text: `${text} 0. ${text} 1.`,
    rows: [`${text} 0.`, `${text} 1.`],
    recapped: [`${text} 0.`, `${text} 1.`],
  });
  const former = create(400, 0, "Old");
  await save(former);
  expect(await readBeginning()).toEqual(begins("Old"));
  // Recognised again: first the new rows, then without those from before, in two calls.
  await save(create(400, 400, "New"));
  await save(
    [],
    former.map(({ id }) => ({ id, seq: 1 })),
  );
  expect(await readBeginning()).toEqual(begins("New"));
  const again = (await read({})).entries;
  await save(
    [],
    again.map(({ id, seq }) => ({ id, seq })),
  );
  expect(await readBeginning()).toMatchObject({ excerpt: "", translatedExcerpt: "", rows: [] });
  await save(create(200, 800, "Yet"));
  expect(await readBeginning()).toEqual(begins("Yet"));
  const [first] = (await read({})).entries;
  if (!first) throw new Error("no row");
  await save([{ ...first, original: "Now 0." }]);
  expect(await readBeginning()).toMatchObject({
    excerpt: "Now 0. Yet 1.",
    text: "Now 0. Yet 1.",
  });
});

describe("readLecture in pages", () => {
  test("has each row once, in the order of the times within a page", async () => {
    const { key, save, readPages } = await openRows();
    await save([createEntry("Second.", 2_000), createEntry("Third.", 3_000, { ordinal: 1 })]);
    // Another device has recorded it before, without a connection.
    await save([
      createEntry("First.", 1_000, { ordinal: 2 }),
      createEntry("At the same time.", 3_000, { ordinal: 9 }),
    ]);
    const inOrder = ["First.", "Second.", "Third.", "At the same time."];
    const [page] = await readPages({ maxRows: 9 });
    expect(page?.entries.map(({ original }) => original)).toEqual(inOrder);
    expect(page).toMatchObject({ seq: 2, nextCursor: null });
    const pages = await readPages({ maxRows: 3 });
    expect(pages.map(({ entries }) => entries.map(({ original }) => original))).toEqual([
      inOrder.slice(0, 3),
      inOrder.slice(3),
    ]);
    expect(pages[0]?.nextCursor).toBe(3);
    const beyond = await readLecture(database(), { ...key, from: 10, maxBytes: 1e6 });
    expect(beyond).toMatchObject({ entries: [], nextCursor: null });
  });

  test("ends with the row by which the page is full", async () => {
    const { save, readPages } = await openRows();
    const rows = Array.from({ length: 7 }, (_, ordinal) =>
      createEntry("光".repeat(100), ordinal, { ordinal: 3 * ordinal }),
    );
    await save(rows);
    const pages = await readPages({ maxBytes: 700 });
    expect(pages.map(({ entries }) => entries.length)).toEqual([2, 2, 2, 1]);
    expect(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(
      rows.map(({ id }) => id),
    );
  });
});

describe("readLecture since a change", () => {
  const rows = numberRows(Array.from({ length: 6 }, (_, n) => createEntry(`Row ${n}.`, n * 1_000)));
  const [zero, one, two, three, four, five] = rows as Six;

  test("has the rows that were written after it, and what was deleted after it", async () => {
    const { save, read, readSince } = await openRows();
    expect(await save([zero, one, two])).toMatchObject({ seq: 1 });
    expect(await save([three, { ...one, seq: 1, original: "Changed." }])).toMatchObject({ seq: 2 });
    expect(await save([], [{ id: zero.id, seq: 1 }])).toMatchObject({ seq: 3 });
    const changed = { ...one, seq: 2, original: "Changed." };
    expect(await readSince(1)).toEqual({
      entries: [changed, { ...three, seq: 2 }],
      deletedIds: [zero.id],
    });
    expect(await readSince(2)).toEqual({ entries: [], deletedIds: [zero.id] });
    expect(await readSince(3)).toEqual({ entries: [], deletedIds: [] });
    expect(await readSince(99)).toEqual({ entries: [], deletedIds: [] });

    // A row that comes back is one of the rows again.
    expect(await save([{ ...zero, seq: 3 }])).toMatchObject({ seq: 4, deletedIds: [] });
    expect(await readSince(1)).toEqual({
      entries: [{ ...zero, seq: 4 }, changed, { ...three, seq: 2 }],
      deletedIds: [],
    });
    const all = await read({});
    expect(all.entries.map(({ id }) => id)).toEqual([zero, one, two, three].map(({ id }) => id));
    expect(all.seq).toBe(4);
  });

  test("has all rows if it is 0, or if what was deleted after it may be forgotten", async () => {
    const { key, save, readSince } = await openRows();
    await save([zero, one, two]);
    await save([], [{ id: zero.id, seq: 1 }]);
    await save([], [{ id: one.id, seq: 1 }]);
    await save([three]);
    const all = [
      { ...two, seq: 1 },
      { ...three, seq: 4 },
    ];
    expect(await readSince(0)).toEqual({ entries: all });
    expect(await readSince(1)).toEqual({
      entries: [{ ...three, seq: 4 }],
      deletedIds: expect.toSatisfy(isInAnyOrder([zero.id, one.id])),
    });
    await database().update(lectures).set({ forgottenSeq: 3 }).where(eq(lectures.id, key.id));
    for (const since of [0, 1, 2]) expect(await readSince(since)).toEqual({ entries: all });
    for (const since of [3, 4])
      expect(await readSince(since)).toEqual({
        entries: all.filter(({ seq }) => seq > since),
        deletedIds: [],
      });
  });

  test("is read in pages, whatever rows are in between", async () => {
    const { save, readPages } = await openRows();
    await save(rows);
    await save([], [{ id: two.id, seq: 1 }]);
    await save([zero, three, four].map((row) => ({ ...row, seq: 1, translated: "译。" })));
    const pages = await readPages({ maxRows: 2, since: 1 });
    expect(pages.map(({ entries }) => entries.map(({ id }) => id))).toEqual([
      [zero.id, three.id],
      [four.id],
      // Row 5 is the lecture's last, and has not changed.
      [],
    ]);
    for (const page of pages) expect(page).toMatchObject({ seq: 3, deletedIds: [two.id] });
    await save([{ ...five, seq: 1, translated: "译。" }]);
    const again = await readPages({ maxRows: 2, since: 1 });
    expect(again.map(({ entries }) => entries.length)).toEqual([2, 2]);
  });

  test("has nothing of another's lecture", async () => {
    const { key, save } = await openRows();
    await save([zero]);
    const { id: userId } = await addUser(database());
    expect(await readLecture(database(), { userId, id: key.id, ...whole, since: 1 })).toBeNull();
  });
});

test("a lecture keeps the mark of the demo voice, whoever has set it", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const mark = { hasDemoText: true } as const;
  const create = async (more = {}) => {
    const key = { userId, id: crypto.randomUUID() };
    const lecture = { title: "Optics", targetLanguage: "ja" as const, now: at(1) };
    await createLecture(db, { ...key, ...lecture, ...more });
    return { key, repeat: (again = {}) => createLecture(db, { ...key, ...lecture, ...again }) };
  };
  const plain = await create();
  const created = await create(mark);
  const changed = await create();
  const repeated = await create();
  await changeLecture(db, changed.key, { ...mark, updatedAt: at(2) });
  expect(await repeated.repeat(mark)).toMatchObject(mark);
  for (const { key, repeat } of [created, changed, repeated]) {
    await changeLecture(db, key, { summary: "Light", title: "Waves", updatedAt: at(3) });
    expect(await repeat()).toMatchObject(mark);
    expect(await readLecture(db, { ...key, ...whole })).toMatchObject(mark);
  }
  const { items } = await listLectures(db, { userId, cursor: null, limit: 50 });
  const marked = items.filter(({ hasDemoText }) => hasDemoText).map(({ id }) => id);
  expect(marked.sort()).toEqual([created, changed, repeated].map(({ key }) => key.id).sort());
  const clock = { now: () => at(4) };
  const { results } = await searchLectures(db, { userId, query: "waves optics", clock });
  expect(results).toEqual([]);
  for (const [query, count] of [
    ["waves", 3],
    ["optics", 1],
  ] as const) {
    const page = await searchLectures(db, { userId, query, clock });
    expect(page.results.map(({ hasDemoText }) => hasDemoText)).toEqual(
      Array.from({ length: count }, () => query === "waves"),
    );
  }
  expect((await readLecture(db, { ...plain.key, ...whole }))?.hasDemoText).toBe(false);
});

describe("changeLecture", () => {
  test("changes only the given fields", async () => {
    const db = database();
    const { id: userId } = await addUser(db);
    const key = { userId, id: crypto.randomUUID() };
    await createLecture(db, { ...key, title: "Optics", targetLanguage: "ja", now: at(1) });
    const speakerNames = { "1": "Ada", "2": '"Bob" O\'Hara 光' };
    await changeLecture(db, key, { summary: "Light", speakerNames, updatedAt: at(2) });
    await changeLecture(db, key, { targetLanguage: "fr", context: "Glass", updatedAt: at(3) });
    await changeLecture(db, key, { summary: null, updatedAt: at(4) });
    expect(await readLecture(db, { ...key, ...whole })).toMatchObject({
      title: "Optics",
      status: "draft",
      targetLanguage: "fr",
      summary: null,
      context: "Glass",
      speakerNames,
      updatedAt: at(4).toISOString(),
    });
    await changeLecture(db, key, { speakerNames: {}, updatedAt: at(5) });
    expect((await readLecture(db, { ...key, ...whole }))?.speakerNames).toEqual({});
  });
});

test.each(["", ".", "[]", "[1]", '["1","x"]', `[-1,"${crypto.randomUUID()}"]`, '[1,"x"]'])(
  "refuses the cursor %s",
  async (cursor) => {
    const listed = listLectures(database(), { userId: crypto.randomUUID(), cursor, limit: 2 });
    expect(await getErrorCode(listed)).toBe("validation_failed");
  },
);

test("a lecture of a file is dated when that was recorded, and never later than now", async () => {
  const db = database();
  const { id: userId } = await addUser(db);
  const create = async (recordedAt?: string) => {
    const input = {
      userId,
      id: crypto.randomUUID(),
      title: "Optics",
      targetLanguage: "ja",
    } as const;
    const created = await createLecture(db, {
      ...input,
      ...(recordedAt !== undefined && { recordedAt }),
      now: at(5),
    });
    return created.createdAt;
  };
  expect(await create("2024-02-29T08:30:00.000Z")).toBe("2024-02-29T08:30:00.000Z");
  expect(await create(at(9).toISOString())).toBe(at(5).toISOString());
  expect(await create()).toBe(at(5).toISOString());
  const { items: listed } = await listLectures(db, { userId, cursor: null, limit: 50 });
  expect(listed.map(({ createdAt }) => createdAt)).toEqual([
    at(5).toISOString(),
    at(5).toISOString(),
    "2024-02-29T08:30:00.000Z",
  ]);
});
