import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { lectures, marks, recordingTakes, userStorage } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { accountBytesMax, lectureBytesMax, rowOverheadBytes } from "#server/lectures/storage.ts";
import { changeMarks, listMarks } from "#server/marks/queries.ts";
import { listTakes, storeTakes } from "#server/takes/queries.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import type { Mark } from "#shared/lecture.ts";
import { marksMax, marksPageSize, takesMax, takesPageSize } from "#shared/limits.ts";
import type { Gap, RecordedTake } from "#shared/recorded-take.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  addLecture,
  addUser,
  createTestDatabase,
  lectureCreatedAt as now,
  readBytes,
} from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

interface Owner {
  userId: string;
  lectureId: string;
}

const createMark = (note = "", atMs = 0, position: number | null = null): Mark => ({
  id: crypto.randomUUID(),
  atMs,
  position,
  note,
});

const gap: Gap = { atMs: 1_000, lengthMs: 500, reason: "muted" };
const createTake = (change: Partial<RecordedTake> = {}): RecordedTake => ({
  id: crypto.randomUUID(),
  startedAt: now.getTime(),
  codec: "opus",
  gaps: [],
  capturedMs: 1_000,
  acknowledgedMs: 500,
  transcribedMs: 400,
  missingMs: 0,
  ...change,
});

/** Reads all pages of a list. */
async function readAll<Row extends { id: string }>(
  pageSize: number,
  read: (cursor: string | null) => Promise<{ items: Row[]; nextCursor: string | null }>,
): Promise<Row[]> {
  const found: Row[] = [];
  let cursor: string | null = null;
  do {
    const { items, nextCursor } = await read(cursor);
    expect(items.length).toBeLessThanOrEqual(pageSize);
    found.push(...items);
    cursor = nextCursor;
  } while (cursor !== null);
  return found;
}

const tables = [
  {
    name: "marks",
    max: marksMax,
    table: marks,
    list: (db: Database, owner: Owner) =>
      readAll(marksPageSize, (cursor) => listMarks(db, { ...owner, cursor })),
    listPage: (db: Database, owner: Owner, cursor: string) => listMarks(db, { ...owner, cursor }),
    create: () => createMark("long ago"),
    shorten: (mark: object) => ({ ...mark, note: "ago" }),
    lengthen: (mark: object) => ({ ...mark, note: "long, long ago" }),
    write: (db: Database, owner: Owner, row: object) =>
      changeMarks(db, { ...owner, marks: [row as Mark], deletedIds: [], now }),
    fill: (lectureId: string, count: number) => sql`insert into marks (lecture_id, id, at_ms)
      select ${lectureId}::uuid, gen_random_uuid(), n from generate_series(1, ${count}::int) n`,
  },
  {
    name: "takes",
    max: takesMax,
    table: recordingTakes,
    list: (db: Database, owner: Owner) =>
      readAll(takesPageSize, (cursor) => listTakes(db, { ...owner, cursor })),
    listPage: (db: Database, owner: Owner, cursor: string) => listTakes(db, { ...owner, cursor }),
    create: () => createTake({ gaps: [gap] }),
    shorten: (take: object) => ({ ...take, gaps: [], acknowledgedMs: 1_000 }),
    lengthen: (take: object) => ({ ...take, gaps: [gap, gap] }),
    write: (db: Database, owner: Owner, row: object) =>
      storeTakes(db, { ...owner, takes: [row as RecordedTake] }),
    fill: (
      lectureId: string,
      count: number,
    ) => sql`insert into recording_takes (lecture_id, id, started_at, codec,
        captured_ms, acknowledged_ms, transcribed_ms, missing_ms, gaps)
      select ${lectureId}::uuid, gen_random_uuid(), now(), 'opus', 5, 1, 1, 0, '[]'
      from generate_series(1, ${count}::int)`,
  },
];

describe.each(tables)("$name", ({ max, table, list, listPage, create, ...change }) => {
  const write = (owner: Owner, row: object) => getErrorCode(change.write(database(), owner, row));

  it("are at most so many in a lecture, whose rows can still change", async () => {
    const owner = await addLecture(database());
    await database().execute(change.fill(owner.lectureId, max - 1));
    expect(await write(owner, create())).toBe("no error");
    expect(await write(owner, create())).toBe("lecture_full");
    const all = await list(database(), owner);
    expect(new Set(all.map(({ id }) => id)).size).toBe(max);
    // More than allowed, as after a lower limit.
    await database().execute(change.fill(owner.lectureId, 1));
    expect(await write(owner, change.lengthen({ ...create(), ...all[0] }))).toBe("no error");
    expect(await list(database(), owner)).toHaveLength(max + 1);
  });

  it("are refused beyond the quotas of the lecture and the account, but not if they get shorter", async () => {
    const db = database();
    const owner = await addLecture(db);
    const row = create();
    await write(owner, row);
    const fill = (entryBytes: number) =>
      db.update(lectures).set({ entryBytes }).where(eq(lectures.id, owner.lectureId));
    await fill(lectureBytesMax);
    expect(await write(owner, change.lengthen(row))).toBe("lecture_full");
    await fill(lectureBytesMax + 1_000);
    expect(await write(owner, change.shorten(row))).toBe("no error");
    await fill(0);
    await db
      .update(userStorage)
      .set({ bytes: accountBytesMax.free + 1_000 })
      .where(eq(userStorage.userId, owner.userId));
    expect(await write(owner, create())).toBe("account_full");
    expect(await write(owner, change.shorten(row))).toBe("no error");
    expect(await list(db, owner)).toEqual([change.shorten(row)]);
  });

  it("are not found in a lecture of another user or in the trash", async () => {
    const db = database();
    const owner = await addLecture(db);
    const { lectureId } = owner;
    const row = create();
    await write(owner, row);
    const stranger = { userId: (await addUser(db)).id, lectureId };
    expect(await write(stranger, change.lengthen(row))).toBe("not_found");
    expect(await list(db, stranger)).toEqual([]);
    expect(await list(db, owner)).toEqual([row]);
    await deleteToTrash(db, { ...owner, target: { kind: "lecture", id: lectureId }, now });
    expect(await write(owner, create())).toBe("not_found");
    expect(await list(db, owner)).toEqual([]);
  });

  it("are deleted with their lecture", async () => {
    const owner = await addLecture(database());
    await write(owner, create());
    await database().delete(lectures).where(eq(lectures.id, owner.lectureId));
    expect(await database().$count(table, eq(table.lectureId, owner.lectureId))).toBe(0);
  });

  it("are not listed after a cursor that was not issued", async () => {
    const owner = await addLecture(database());
    const page = async () => listPage(database(), owner, '["x"]');
    expect(await getErrorCode(page())).toBe("validation_failed");
  });
});

describe("changeMarks", () => {
  const open = async () => {
    const owner = await addLecture(database());
    const change = (changed: Mark[], deletedIds: string[] = []) =>
      changeMarks(database(), { ...owner, marks: changed, deletedIds, now });
    const list = async () => (await listMarks(database(), owner)).items;
    return { ...owner, change, list };
  };

  it("stores, replaces and deletes marks, however often it is repeated", async () => {
    const { change, list } = await open();
    const [first, second] = [createMark("", 1_200), createMark("Exam!", 0, 7)];
    for (let n = 0; n < 2; n += 1) await change([first, second]);
    expect(await list()).toEqual([first, second].sort((a, b) => (a.id < b.id ? -1 : 1)));
    const changed = { ...first, note: "Ask about this" };
    for (let n = 0; n < 2; n += 1) await change([changed], [second.id]);
    expect(await list()).toEqual([changed]);
  });

  it("replaces one mark by another where a lecture has as many as it may", async () => {
    const { lectureId, change, list } = await open();
    await database().execute(sql`insert into marks (lecture_id, id, at_ms)
      select ${lectureId}::uuid, gen_random_uuid(), n from generate_series(1, ${marksMax}::int) n`);
    const [other] = await list();
    await change([createMark()], [other?.id ?? ""]);
    expect(await database().$count(marks, eq(marks.lectureId, lectureId))).toBe(marksMax);
  });

  it("counts notes as stored text, and frees what is deleted", async () => {
    const { lectureId, change } = await open();
    const note = createMark("熵 grows");
    await change([note, createMark()]);
    await change([note]);
    const after = await readBytes(database(), lectureId);
    expect(after?.rows).toBe(Buffer.byteLength("熵 grows") + 2 * rowOverheadBytes);
    expect(after?.account).toBe(after?.lecture);
    await change([], [note.id]);
    expect((await readBytes(database(), lectureId))?.rows).toBe(rowOverheadBytes);
  });
});

describe("storeTakes", () => {
  const open = async () => {
    const owner = await addLecture(database());
    const store = (...takes: RecordedTake[]) => storeTakes(database(), { ...owner, takes });
    const list = async () => (await listTakes(database(), owner)).items;
    return { ...owner, store, list };
  };

  it("stores and replaces takes, however often it is repeated", async () => {
    const { store, list } = await open();
    const take = createTake();
    const other = createTake({ codec: "pcm_s16le", gaps: [gap, { ...gap, lengthMs: null }] });
    for (let n = 0; n < 2; n += 1) await store(take, other);
    const sorted = [take, other].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await list()).toEqual(sorted);
    const later = { ...take, acknowledgedMs: 700, missingMs: 300, gaps: [gap] };
    await store(later);
    expect(await list()).toEqual(sorted.map((one) => (one === take ? later : one)));
  });

  it.each<[name: string, older: Partial<RecordedTake>]>([
    ["captured", { capturedMs: 900 }],
    ["missing", { missingMs: 50 }],
    ["acknowledged", { acknowledgedMs: 400 }],
  ])("keeps its state when one arrives in which less was %s", async (_name, older) => {
    const { lectureId, store, list } = await open();
    const take = createTake({ missingMs: 100 });
    await store(take);
    const before = await readBytes(database(), lectureId);
    await store({ ...take, gaps: [gap], ...older });
    expect(await list()).toEqual([take]);
    expect(await readBytes(database(), lectureId)).toEqual(before);
  });

  it("counts gaps as stored text", async () => {
    const { lectureId, store } = await open();
    const take = createTake();
    for (let n = 0; n < 2; n += 1) await store(take);
    expect((await readBytes(database(), lectureId))?.rows).toBe(2 + rowOverheadBytes);
    await store({ ...take, gaps: [gap] });
    const after = await readBytes(database(), lectureId);
    expect(after?.rows).toBeGreaterThan(2 + rowOverheadBytes + 30);
    expect(after?.account).toBe(after?.lecture);
    await store(take);
    expect((await readBytes(database(), lectureId))?.rows).toBe(2 + rowOverheadBytes);
  });
});
