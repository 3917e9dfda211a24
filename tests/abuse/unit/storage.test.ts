import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lectures, subscriptions, userStorage, users } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { toAppError } from "#server/errors.ts";
import { changeLecture, createLecture, readLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { accountBytesMax, accountLecturesMax, lectureBytesMax } from "#server/lectures/storage.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { purgeTrash } from "#server/trash/purge.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { lectureRowsMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createDatabase, databases } from "#tests/unit/server/support/production-driver.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";

const now = new Date("2026-11-20T08:00:00.000Z");

/** A row that is written with it counts as the change of whichever version is stored. */
const laterThanAny = 1_000_000;

const entry = (original: string, ordinal: number, translated = ""): TranscriptEntry =>
  createEntry(original, 0, { ordinal, translated, endMs: 1 });
/** A change of a stored row. */
const change = (row: TranscriptEntry, original: string): TranscriptEntry => ({
  ...row,
  original,
  seq: laterThanAny,
});

async function newLecture(db: Database, userId?: string) {
  const owner = userId ?? (await addUser(db)).id;
  const id = crypto.randomUUID();
  await createLecture(db, { userId: owner, id, title: "Optics", targetLanguage: "fr", now });
  const save = (entries: TranscriptEntry[], deleted: TranscriptEntry[] = []) =>
    saveRows(db, {
      userId: owner,
      lectureId: id,
      entries,
      deleted: deleted.map((row) => ({ id: row.id, seq: laterThanAny })),
      now,
    }).then(
      () => "written",
      (error: unknown) => toAppError(error).code,
    );
  const summarize = (summary: string) =>
    changeLecture(db, { userId: owner, id }, { summary, updatedAt: now }).then(
      () => "written",
      (error: unknown) => toAppError(error).code,
    );
  return { userId: owner, id, save, summarize };
}

/** The stored counters, and the same values computed from the texts. */
async function counters(db: Database, userId: string) {
  const [stored] = await db.select().from(userStorage).where(eq(userStorage.userId, userId));
  const { rows } = await db.execute<{ bytes: number; lectures: number }>(sql`
    select coalesce(sum(octet_length(title) + coalesce(octet_length(summary), 0)
      + coalesce(octet_length(context), 0) + octet_length(speaker_names::text) + coalesce((
        select sum(octet_length(original) + octet_length(translated)
          + coalesce(octet_length(speaker), 0) + 64)
        from transcript_entries where lecture_id = lectures.id), 0)), 0)::int as bytes,
      count(*)::int as lectures
    from lectures where user_id = ${userId}::uuid`);
  return { counted: { bytes: stored?.bytes, lectures: stored?.lectures }, held: rows[0] };
}

const setBytes = (db: Database, id: string, bytes: number) =>
  db.update(lectures).set({ entryBytes: bytes }).where(eq(lectures.id, id));

describe.each(databases)("text quotas in $name", ({ open }) => {
  const database = createDatabase(open);

  it("count exactly the stored text after rewrites, deletion and purge", async () => {
    const { db } = database();
    const { userId, id, save, summarize } = await newLecture(db);
    const other = await newLecture(db, userId);
    const [light, chinese, third] = [
      entry("Light bends.", 0),
      entry("光会弯曲。", 1),
      entry("third", 2, "troisième"),
    ];
    await save([light, chinese]);
    // The second is known; another text of it is older than what is stored.
    await save([{ ...chinese, original: "late" }, third]);
    await save([
      { ...change(light, "Light"), speaker: "S1" },
      { ...chinese, original: "older" },
    ]);
    const [one, last] = [entry("x", 3), entry("yy", 3)];
    await Promise.all([
      save([one]),
      save([last]),
      save([change(third, "three")], [chinese]),
      other.save([entry("z", 0)]),
    ]);
    await Promise.all([save([change(one, "xyz")], [last]), save([change(last, "…")], [one])]);
    // A repeated deletion, one of a row that never was, and a row that comes back.
    await save([change(chinese, "光。")], [entry("nobody's", 9), last]);
    await summarize("A summary — 摘要");
    await summarize("Shorter");
    const before = await counters(db, userId);
    expect(before.counted).toEqual(before.held);
    await deleteToTrash(db, { userId, target: { kind: "lecture", id }, now });
    expect((await counters(db, userId)).counted).toEqual(before.counted);
    await purgeTrash(db, { now: new Date(now.getTime() + 40 * 86_400_000), userId });
    const after = await counters(db, userId);
    expect([after.held?.lectures, after.counted]).toEqual([1, after.held]);
    await db.delete(users).where(eq(users.id, userId));
    expect((await counters(db, userId)).counted.bytes).toBeUndefined();
  });

  it("refuse text beyond a lecture's bytes, and still accept shorter text", async () => {
    const { db } = database();
    const { id, userId, save } = await newLecture(db);
    const first = entry("x".repeat(1_000), 0);
    const second = entry("x".repeat(36), 1);
    expect(await save([first])).toBe("written");
    await setBytes(db, id, lectureBytesMax - 100);
    expect(await save([{ ...second, original: "x".repeat(37) }])).toBe("lecture_full");
    expect(await save([second])).toBe("written");
    expect(await save([entry("", 2)])).toBe("lecture_full");
    expect(await save([change(first, "y".repeat(1_001))])).toBe("lecture_full");
    expect(await save([change(first, "y".repeat(1_000))])).toBe("written");
    expect(
      (await readLecture(db, { userId, id, from: 0, maxBytes: 10_000 }))?.entries,
    ).toHaveLength(2);
    // What the same call deletes makes space: 100 bytes.
    expect(await save([entry("x".repeat(37), 2)], [second])).toBe("lecture_full");
    expect(await save([entry("x".repeat(36), 2)], [second])).toBe("written");
  });

  it("refuse rows beyond a lecture's limit", async () => {
    const { db } = database();
    const { id, save } = await newLecture(db);
    await db.execute(sql`insert into transcript_entries (lecture_id, position, translated, start_ms, end_ms)
      select ${id}::uuid, n, '', 0, 1 from generate_series(0, ${lectureRowsMax - 2}::int) n`);
    const [one, other] = [entry("a", lectureRowsMax - 1), entry("b", lectureRowsMax)];
    expect(await save([one, other])).toBe("lecture_full");
    expect(await save([one])).toBe("written");
    expect(await save([other])).toBe("lecture_full");
    expect(await save([change(one, "")])).toBe("written");
  });

  it("refuse text beyond the account's limit, which depends on the plan", async () => {
    const { db } = database();
    const { userId, save, summarize } = await newLecture(db);
    const held = await newLecture(db, userId);
    await setBytes(db, held.id, accountBytesMax.free - 1_000);
    expect(await save([entry("x".repeat(2_000), 0)])).toBe("account_full");
    expect(await summarize("x".repeat(2_000))).toBe("account_full");
    await db.insert(subscriptions).values({ userId, tier: "pro", status: "active" });
    expect(await summarize("x".repeat(2_000))).toBe("written");
    expect(await save([entry("x".repeat(2_000), 0)])).toBe("written");
    await setBytes(db, held.id, accountBytesMax.pro);
    expect(await save([entry("x", 1)])).toBe("account_full");
    expect(await summarize("shorter")).toBe("written");
    await deleteToTrash(db, { userId, target: { kind: "lecture", id: held.id }, now });
    expect(await save([entry("x", 1)])).toBe("account_full");
  });

  it("answer `not_found` for another user's lecture, whatever its size", async () => {
    const { db } = database();
    const { id } = await newLecture(db);
    const stranger = await addUser(db);
    const summary = { summary: "x".repeat(5_000), updatedAt: now };
    const refused = await changeLecture(db, { userId: stranger.id, id }, summary).catch(toAppError);
    expect(refused).toMatchObject({ code: "not_found" });
  });

  it("refuse lectures beyond the account's number, but not a repeated call", async () => {
    const { db } = database();
    const { userId, id } = await newLecture(db);
    await db
      .update(userStorage)
      .set({ lectures: accountLecturesMax })
      .where(eq(userStorage.userId, userId));
    const make = (one: string) =>
      createLecture(db, { userId, id: one, title: "x", targetLanguage: "fr", now });
    expect(await make(crypto.randomUUID()).catch(toAppError)).toMatchObject({
      code: "account_full",
    });
    expect(await make(id)).toMatchObject({ id });
  });
});

describe("the pages of a lecture", () => {
  const [pglite] = databases;
  if (!pglite) throw new Error("no database");
  const database = createDatabase(pglite.open);

  it("joined, contain the lecture although rows are written meanwhile", async () => {
    const { db } = database();
    const text = fc.string({ unit: fc.constantFrom("a", "é", "语", "\u{1d11e}"), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 1_500 }),
        fc.array(fc.constantFrom("append", "change"), { maxLength: 10 }),
        async (texts, maxBytes, writes) => {
          const { userId, id, save } = await newLecture(db);
          const rows = texts.map((original, ordinal) => entry(original, ordinal));
          await save(rows);
          let changes = 0;
          const joined: string[] = [];
          let from: number | null = 0;
          while (from !== null) {
            const page = await readLecture(db, { userId, id, from, maxBytes });
            if (!page) throw new Error("the lecture is gone");
            expect(page.entries.length).toBeGreaterThan(0);
            joined.push(...page.entries.map(({ original }) => original.replace(/\d+$/, "")));
            from = page.nextCursor;
            const write = writes.pop();
            if (write === "append") {
              const added = entry("added", rows.length);
              rows.push(added);
              await save([added]);
            } else if (write === "change") {
              changes += 1;
              const last = rows.at(-1);
              if (last)
                expect(await save([change(last, `${last.original}${changes}`)])).toBe("written");
            }
          }
          expect(joined.slice(0, texts.length)).toEqual(texts);
          expect(joined.slice(texts.length)).toEqual(
            Array.from({ length: joined.length - texts.length }, () => "added"),
          );
        },
      ),
      { numRuns: countRuns(25) },
    );
  });
});
