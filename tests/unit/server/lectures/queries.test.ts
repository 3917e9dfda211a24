import { eq, type SQL, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { getListTitle } from "#client/state/library/list-texts.ts";
import { folders } from "#drizzle/schema.ts";
import { toAppError } from "#server/errors.ts";
import { appendEntries } from "#server/lectures/append.ts";
import { listLectures } from "#server/lectures/list.ts";
import {
  changeLecture,
  createLecture,
  readLecture,
  selectPersonsTitle,
} from "#server/lectures/queries.ts";
import { searchLectures } from "#server/search/search.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { listTrash } from "#server/trash/queries.ts";
import type { TitleSource } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const whole = { from: 0, maxBytes: 1_000_000 };
const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 8, 0, seconds));

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
      await appendEntries(db, { userId, lectureId: key.id, from: 0, entries, now: at(1) });
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
  const createRow = (position: number, language: string | null, byHand: boolean) => ({
    position,
    original: "Light.",
    translated: "光。",
    speaker: "1",
    startMs: 0,
    endMs: 5,
    revision: 2,
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
    for (const { position, translatedInto, translatedByHand } of stored)
      await db.execute(sql`insert into transcript_entries (lecture_id, position, original, translated,
        translated_into, translated_by_hand, speaker, start_ms, end_ms, revision)
        values (${key.id}, ${position}, 'Light.', '光。', ${translatedInto}, ${translatedByHand}, '1', 0, 5, 2)`);
    const lecture = await readLecture(db, { ...key, ...whole });
    const entries = stored.map(({ position: _, ...row }) => row);
    expect(lecture?.entries).toEqual([
      entries[0],
      entries[1],
      { ...entries[2], translatedInto: null },
    ]);
    expect(lecture?.speakerNames).toEqual({});
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
  const { items } = await listLectures(db, { userId });
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
