import { eq, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { lectures, recordingTakes, userStorage } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { toAppError } from "#server/errors.ts";
import { createLecture } from "#server/lectures/queries.ts";
import { accountBytesMax, lectureBytesMax, rowOverheadBytes } from "#server/lectures/storage.ts";
import { listTakes, storeTakes } from "#server/takes/queries.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { gapsPerTakeMax, takesMax, takesPageSize, takesPerCallMax } from "#shared/limits.ts";
import { type Gap, type RecordedTake, storeTakesInput } from "#shared/recorded-take.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-20T08:00:00.000Z");

const gap: Gap = { atMs: 1_000, lengthMs: 500, reason: "muted" };
const createTake = (change: Partial<RecordedTake> = {}): RecordedTake => ({
  ...{ id: crypto.randomUUID(), startedAt: now.getTime(), codec: "opus", gaps: [] },
  ...{ capturedMs: 1_000, acknowledgedMs: 500, transcribedMs: 400, missingMs: 0 },
  ...change,
});

async function newLecture(db: Database) {
  const { id: userId } = await addUser(db);
  const lectureId = crypto.randomUUID();
  await createLecture(db, { userId, id: lectureId, title: "A", targetLanguage: "fr", now });
  const store = (...takes: RecordedTake[]) =>
    storeTakes(db, { userId, lectureId, takes }).then(
      () => "written",
      (error: unknown) => toAppError(error).code,
    );
  const list = async () => {
    const found: RecordedTake[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listTakes(db, { userId, lectureId, cursor });
      expect(page.items.length).toBeLessThanOrEqual(takesPageSize);
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
  return { userId, lectureId, store, list, readBytes };
}

describe("storeTakes", () => {
  it("stores and replaces takes, however often it is repeated", async () => {
    const { store, list } = await newLecture(database());
    const take = createTake();
    const other = createTake({ codec: "pcm_s16le", gaps: [gap, { ...gap, lengthMs: null }] });
    for (let n = 0; n < 2; n += 1) expect(await store(take, other)).toBe("written");
    const sorted = [take, other].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await list()).toEqual(sorted);
    const later = { ...take, acknowledgedMs: 700, missingMs: 300, gaps: [gap] };
    expect(await store(later)).toBe("written");
    expect(await list()).toEqual(sorted.map((one) => (one === take ? later : one)));
  });

  it.each<[name: string, older: Partial<RecordedTake>]>([
    ["captured", { capturedMs: 900 }],
    ["missing", { missingMs: 50 }],
    ["acknowledged", { acknowledgedMs: 400 }],
  ])("keeps its state when one arrives in which less was %s", async (_name, older) => {
    const { store, list, readBytes } = await newLecture(database());
    const take = createTake({ missingMs: 100 });
    await store(take);
    const before = await readBytes();
    expect(await store({ ...take, gaps: [gap], ...older })).toBe("written");
    expect(await list()).toEqual([take]);
    expect(await readBytes()).toEqual(before);
  });

  it("counts gaps as stored text", async () => {
    const { store, readBytes } = await newLecture(database());
    const take = createTake();
    await store(take);
    await store(take);
    expect((await readBytes()).lecture).toBe(2 + rowOverheadBytes);
    await store({ ...take, gaps: [gap] });
    const after = await readBytes();
    expect(after.lecture).toBeGreaterThan(2 + rowOverheadBytes + 30);
    expect(after.account).toBe(after.all);
    await store(take);
    expect((await readBytes()).lecture).toBe(2 + rowOverheadBytes);
  });

  it("refuses more takes than a lecture may have, and still changes those it has", async () => {
    const db = database();
    const { lectureId, store, list } = await newLecture(db);
    await db.execute(sql`insert into recording_takes (lecture_id, id, started_at, codec, captured_ms,
        acknowledged_ms, transcribed_ms, missing_ms, gaps)
      select ${lectureId}::uuid, gen_random_uuid(), now(), 'opus', 5, 1, 1, 0, '[]'
      from generate_series(1, ${takesMax}::int)`);
    const all = await list();
    expect(new Set(all.map(({ id }) => id)).size).toBe(takesMax);
    expect(await store(createTake())).toBe("lecture_full");
    const [one] = all;
    if (!one) throw new Error("no takes");
    expect(await store({ ...one, acknowledgedMs: 5 })).toBe("written");
    expect(await list()).toHaveLength(takesMax);
  });

  it("refuses gaps beyond the quotas of the lecture and the account, and nothing that adds no text", async () => {
    const db = database();
    const { userId, lectureId, store, list } = await newLecture(db);
    const take = createTake();
    await store(take);
    await db
      .update(lectures)
      .set({ entryBytes: lectureBytesMax })
      .where(eq(lectures.id, lectureId));
    expect(await store({ ...take, gaps: [gap] })).toBe("lecture_full");
    const later = { ...take, acknowledgedMs: 1_000 };
    expect(await store(later)).toBe("written");
    await db.update(lectures).set({ entryBytes: 0 }).where(eq(lectures.id, lectureId));
    await db
      .update(userStorage)
      .set({ bytes: accountBytesMax.free })
      .where(eq(userStorage.userId, userId));
    expect(await store(createTake())).toBe("account_full");
    expect(await list()).toEqual([later]);
  });

  it("does not find a lecture of another user or in the trash", async () => {
    const db = database();
    const owner = await newLecture(db);
    const take = createTake();
    await owner.store(take);
    const { id: userId } = await addUser(db);
    const { lectureId } = owner;
    const attempt = storeTakes(db, { userId, lectureId, takes: [{ ...take, capturedMs: 9_999 }] });
    await expect(attempt).rejects.toMatchObject({ code: "not_found" });
    expect((await listTakes(db, { userId, lectureId })).items).toEqual([]);
    expect(await owner.list()).toEqual([take]);
    await deleteToTrash(db, {
      ...{ userId: owner.userId, target: { kind: "lecture", id: lectureId }, now },
    });
    expect(await owner.store(take)).toBe("not_found");
    expect(await owner.list()).toEqual([]);
  });

  it("keeps no take of a deleted lecture", async () => {
    const db = database();
    const { lectureId, store } = await newLecture(db);
    await store(createTake());
    await db.delete(lectures).where(eq(lectures.id, lectureId));
    const left = db.select().from(recordingTakes).where(eq(recordingTakes.lectureId, lectureId));
    expect(await left).toEqual([]);
  });
});

it("rejects a cursor that it has not issued", async () => {
  const { userId, lectureId } = await newLecture(database());
  const list = listTakes(database(), { userId, lectureId, cursor: '["x"]' });
  await expect(list).rejects.toMatchObject({ code: "validation_failed" });
});

it("accepts each take once in a call, and only so many takes and gaps", () => {
  const lectureId = crypto.randomUUID();
  const isValid = (...takes: unknown[]) => storeTakesInput.safeParse({ lectureId, takes }).success;
  const take = createTake();
  const gaps = (count: number) => ({ ...take, gaps: Array(count).fill(gap) });
  expect(isValid(take)).toBe(true);
  expect(isValid()).toBe(false);
  expect(isValid(take, { ...take, id: take.id.toUpperCase() })).toBe(false);
  expect(isValid(...Array.from({ length: takesPerCallMax }, () => createTake()))).toBe(true);
  expect(isValid(...Array.from({ length: takesPerCallMax + 1 }, () => createTake()))).toBe(false);
  expect(isValid(gaps(gapsPerTakeMax))).toBe(true);
  expect(isValid(gaps(gapsPerTakeMax + 1))).toBe(false);
  for (const wrong of [
    { capturedMs: -1 },
    { missingMs: 2 ** 31 },
    { codec: "mp3" },
    { startedAt: -1 },
  ])
    expect(isValid({ ...take, ...wrong })).toBe(false);
  for (const wrong of [{ atMs: -1 }, { lengthMs: 0.5 }, { reason: "stopped" }])
    expect(isValid({ ...take, gaps: [{ ...gap, ...wrong }] })).toBe(false);
});
