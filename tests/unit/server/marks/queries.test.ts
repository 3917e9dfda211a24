import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { lectures, marks, userStorage } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { toAppError } from "#server/errors.ts";
import { createLecture } from "#server/lectures/queries.ts";
import { accountBytesMax, lectureBytesMax, rowOverheadBytes } from "#server/lectures/storage.ts";
import { changeMarks, listMarks } from "#server/marks/queries.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { changeMarksInput, type Mark } from "#shared/lecture.ts";
import { marksMax, marksPageSize } from "#shared/limits.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-20T08:00:00.000Z");

const createMark = (note = "", atMs = 0, position: number | null = null): Mark => ({
  ...{ id: crypto.randomUUID(), atMs, position, note },
});

async function newLecture(db: Database) {
  const { id: userId } = await addUser(db);
  const lectureId = crypto.randomUUID();
  await createLecture(db, { userId, id: lectureId, title: "A", targetLanguage: "fr", now });
  const change = (changed: Mark[], deletedIds: string[] = []) =>
    changeMarks(db, { userId, lectureId, marks: changed, deletedIds, now }).then(
      () => "written",
      (error: unknown) => toAppError(error).code,
    );
  const list = async () => {
    const found: Mark[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listMarks(db, { userId, lectureId, cursor });
      expect(page.items.length).toBeLessThanOrEqual(marksPageSize);
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found;
  };
  const readBytes = async () => {
    const [row] = await db.select().from(lectures).where(eq(lectures.id, lectureId));
    const [storage] = await db.select().from(userStorage).where(eq(userStorage.userId, userId));
    return { lecture: row?.entryBytes, account: storage?.bytes, all: row?.bytes };
  };
  return { userId, lectureId, change, list, readBytes };
}

const byId = (a: Mark, b: Mark) => (a.id < b.id ? -1 : 1);

describe("changeMarks", () => {
  it("stores, replaces and deletes marks, however often it is repeated", async () => {
    const { change, list } = await newLecture(database());
    const [first, second] = [createMark("", 1_200), createMark("Exam!", 0, 7)];
    for (let n = 0; n < 2; n += 1) expect(await change([first, second])).toBe("written");
    expect(await list()).toEqual([first, second].sort(byId));
    const changed = { ...first, note: "Ask about this" };
    for (let n = 0; n < 2; n += 1) expect(await change([changed], [second.id])).toBe("written");
    expect(await list()).toEqual([changed]);
  });

  it("counts notes as stored text, and frees what is deleted", async () => {
    const { change, readBytes } = await newLecture(database());
    const note = createMark("熵 grows");
    await change([note, createMark()]);
    await change([note]);
    const after = await readBytes();
    expect(after.lecture).toBe(Buffer.byteLength("熵 grows") + 2 * rowOverheadBytes);
    expect(after.account).toBe(after.all);
    await change([], [note.id]);
    expect((await readBytes()).lecture).toBe(rowOverheadBytes);
  });

  it("refuses more marks than a lecture may have, and still changes and deletes those it has", async () => {
    const db = database();
    const { lectureId, change, list } = await newLecture(db);
    await db.execute(sql`insert into marks (lecture_id, id, at_ms)
      select ${lectureId}::uuid, gen_random_uuid(), n from generate_series(1, ${marksMax}::int) n`);
    const all = await list();
    expect(all).toHaveLength(marksMax);
    expect(new Set(all.map(({ id }) => id)).size).toBe(marksMax);
    expect(await change([createMark()])).toBe("lecture_full");
    const [one, other] = all;
    if (!one || !other) throw new Error("no marks");
    expect(await change([{ ...one, note: "kept" }])).toBe("written");
    expect(await change([createMark()], [other.id])).toBe("written");
    expect(await list()).toHaveLength(marksMax);
  });

  it("refuses text beyond the quotas of the lecture and the account, and nothing that shortens", async () => {
    const db = database();
    const { userId, lectureId, change, list } = await newLecture(db);
    const note = createMark("long ago");
    await change([note]);
    await db
      .update(lectures)
      .set({ entryBytes: lectureBytesMax })
      .where(eq(lectures.id, lectureId));
    expect(await change([createMark("more")])).toBe("lecture_full");
    expect(await change([{ ...note, note: "short" }])).toBe("written");
    await db.update(lectures).set({ entryBytes: 0 }).where(eq(lectures.id, lectureId));
    await db
      .update(userStorage)
      .set({ bytes: accountBytesMax.free })
      .where(eq(userStorage.userId, userId));
    expect(await change([createMark("more")])).toBe("account_full");
    expect(await list()).toEqual([{ ...note, note: "short" }]);
    expect(await change([], [note.id])).toBe("written");
  });

  it("does not find a lecture of another user or in the trash", async () => {
    const db = database();
    const owner = await newLecture(db);
    const note = createMark("mine");
    await owner.change([note]);
    const { id: userId } = await addUser(db);
    const { lectureId } = owner;
    const attempt = changeMarks(db, {
      ...{ userId, lectureId, marks: [createMark("x")], deletedIds: [note.id], now },
    });
    await expect(attempt).rejects.toMatchObject({ code: "not_found" });
    expect((await listMarks(db, { userId, lectureId })).items).toEqual([]);
    expect(await owner.list()).toEqual([note]);
    await deleteToTrash(db, {
      userId: owner.userId,
      target: { kind: "lecture", id: lectureId },
      now,
    });
    expect(await owner.change([createMark()])).toBe("not_found");
    expect(await owner.list()).toEqual([]);
  });

  it("keeps no mark of a deleted lecture", async () => {
    const db = database();
    const { lectureId, change } = await newLecture(db);
    await change([createMark("gone")]);
    await db.delete(lectures).where(eq(lectures.id, lectureId));
    expect(await db.select().from(marks).where(eq(marks.lectureId, lectureId))).toEqual([]);
  });
});

it("rejects a cursor that it has not issued", async () => {
  const { userId, lectureId } = await newLecture(database());
  const list = listMarks(database(), { userId, lectureId, cursor: '["x"]' });
  await expect(list).rejects.toMatchObject({ code: "validation_failed" });
});

it("accepts each mark once in a change", () => {
  const lectureId = crypto.randomUUID();
  const mark = createMark();
  const isValid = (changed: Mark[], deletedIds: string[]) =>
    changeMarksInput.safeParse({ lectureId, marks: changed, deletedIds }).success;
  expect(isValid([mark], [])).toBe(true);
  expect(isValid([mark, mark], [])).toBe(false);
  expect(isValid([mark], [mark.id.toUpperCase()])).toBe(false);
  expect(isValid([{ ...mark, atMs: -1 }], [])).toBe(false);
  expect(isValid([{ ...mark, note: "x".repeat(2_001) }], [])).toBe(false);
});
