import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lectures, subscriptions, userStorage, users } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { toAppError } from "#server/errors.ts";
import { appendEntries } from "#server/lectures/append.ts";
import { changeLecture, createLecture, readLecture } from "#server/lectures/queries.ts";
import { accountBytesMax, accountLecturesMax, lectureBytesMax } from "#server/lectures/storage.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { purgeTrash } from "#server/trash/purge.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { lectureRowsMax } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createDatabase, databases } from "#tests/unit/server/support/production-driver.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";

const now = new Date("2026-11-20T08:00:00.000Z");

const entry = (original: string, revision = 0, translated = ""): TranscriptEntry => ({
  original,
  translated,
  translatedInto: null,
  spokenIn: "en",
  translatedByHand: false,
  speaker: null,
  startMs: 0,
  endMs: 1,
  revision,
});

async function newLecture(db: Database, userId?: string) {
  const owner = userId ?? (await addUser(db)).id;
  const id = crypto.randomUUID();
  await createLecture(db, { userId: owner, id, title: "Optics", targetLanguage: "fr", now });
  const append = (from: number, entries: TranscriptEntry[]) =>
    appendEntries(db, { userId: owner, lectureId: id, from, entries, now }).then(
      () => "written",
      (error: unknown) => toAppError(error).code,
    );
  const change = (summary: string) =>
    changeLecture(db, { userId: owner, id }, { summary, updatedAt: now }).then(
      () => "written",
      (error: unknown) => toAppError(error).code,
    );
  return { userId: owner, id, append, change };
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
    const { userId, id, append, change } = await newLecture(db);
    const other = await newLecture(db, userId);
    await append(0, [entry("Light bends."), entry("光会弯曲。")]);
    await append(1, [entry("late", 0), entry("third", 0, "troisième")]);
    await append(0, [{ ...entry("Light", 2), speaker: "S1" }, entry("older", 0)]);
    await Promise.all([
      append(3, [entry("x")]),
      append(3, [entry("yy", 1)]),
      other.append(0, [entry("z")]),
    ]);
    await change("A summary — 摘要");
    await change("Shorter");
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
    const { id, userId, append } = await newLecture(db);
    expect(await append(0, [entry("x".repeat(1_000))])).toBe("written");
    await setBytes(db, id, lectureBytesMax - 100);
    expect(await append(1, [entry("x".repeat(37))])).toBe("lecture_full");
    expect(await append(1, [entry("x".repeat(36))])).toBe("written");
    expect(await append(2, [entry("")])).toBe("lecture_full");
    expect(await append(0, [entry("y".repeat(1_001), 1)])).toBe("lecture_full");
    expect(await append(0, [entry("y".repeat(1_000), 1)])).toBe("written");
    expect(
      (await readLecture(db, { userId, id, from: 0, maxBytes: 10_000 }))?.entries,
    ).toHaveLength(2);
  });

  it("refuse rows beyond a lecture's limit", async () => {
    const { append } = await newLecture(database().db);
    expect(await append(lectureRowsMax - 1, [entry("a"), entry("b")])).toBe("lecture_full");
  });

  it("refuse text beyond the account's limit, which depends on the plan", async () => {
    const { db } = database();
    const { userId, append, change } = await newLecture(db);
    const held = await newLecture(db, userId);
    await setBytes(db, held.id, accountBytesMax.free - 1_000);
    expect(await append(0, [entry("x".repeat(2_000))])).toBe("account_full");
    expect(await change("x".repeat(2_000))).toBe("account_full");
    await db.insert(subscriptions).values({ userId, tier: "pro", status: "active" });
    expect(await change("x".repeat(2_000))).toBe("written");
    expect(await append(0, [entry("x".repeat(2_000))])).toBe("written");
    await setBytes(db, held.id, accountBytesMax.pro);
    expect(await append(1, [entry("x")])).toBe("account_full");
    expect(await change("shorter")).toBe("written");
    await deleteToTrash(db, { userId, target: { kind: "lecture", id: held.id }, now });
    expect(await append(1, [entry("x")])).toBe("account_full");
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
          const { userId, id, append } = await newLecture(db);
          await append(
            0,
            texts.map((original) => entry(original)),
          );
          let rows = texts.length;
          let revision = 0;
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
              await append(rows, [entry("added")]);
              rows += 1;
            } else if (write === "change") {
              revision += 1;
              const at = rows - 1;
              await append(at, [entry(`${texts[at] ?? "added"}${revision}`, revision)]);
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
