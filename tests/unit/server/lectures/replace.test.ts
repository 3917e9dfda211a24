import { asc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lectures, shares, transcriptEntries } from "#drizzle/schema.ts";
import { appendEntries } from "#server/lectures/append.ts";
import { replaceEntries } from "#server/lectures/replace.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  addLecture,
  addUser,
  createTestDatabase,
  lectureCreatedAt as now,
} from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

const entry = (original: string, startMs: number, revision = 1): TranscriptEntry => ({
  original,
  translated: `${original}!`,
  translatedInto: "fr",
  spokenIn: "en",
  translatedByHand: false,
  speaker: null,
  startMs,
  endMs: startMs + 10,
  revision,
});

const corrected = { ...entry("Three.", 30, 2), originalByHand: true };

/** A lecture with three rows, the last one of which a person has corrected. */
async function recorded() {
  const key = await addLecture(database(), "zh-cn");
  const entries = [entry("One.", 10), entry("Two.", 20), corrected];
  await appendEntries(database(), { ...key, from: 0, entries, now });
  const read = () =>
    database()
      .select()
      .from(transcriptEntries)
      .where(eq(transcriptEntries.lectureId, key.lectureId))
      .orderBy(asc(transcriptEntries.position));
  const readLecture = async () => {
    const [row] = await database().select().from(lectures).where(eq(lectures.id, key.lectureId));
    return row;
  };
  return { key, read, readLecture };
}

const before = { count: 3, revisions: 4 };

describe("replaceEntries", () => {
  test.each([
    ["fewer rows", [entry("One two.", 12, 3), { ...corrected, revision: 2 }]],
    ["more rows", [10, 15, 20, 25, 40].map((at) => entry(`At ${at}.`, at, 3))],
    ["no rows", []],
  ])("puts %s in the place of all", async (_, entries) => {
    const { key, read, readLecture } = await recorded();
    await replaceEntries(database(), { ...key, before, entries, now });
    const rows = await read();
    expect(rows.map(({ position }) => position)).toEqual(entries.map((_, at) => at));
    expect(rows).toMatchObject(entries);
    const lecture = await readLecture();
    expect(lecture?.excerpt).toBe(entries.map(({ original }) => original).join(" "));
    const fresh = await addLecture(database(), "zh-cn");
    if (entries.length > 0) await appendEntries(database(), { ...fresh, from: 0, entries, now });
    const [same] = await database().select().from(lectures).where(eq(lectures.id, fresh.lectureId));
    expect(lecture?.entryBytes).toBe(same?.entryBytes);
  });

  test.each([
    ["a row", { count: 2, revisions: 4 }],
    ["a change", { count: 3, revisions: 3 }],
  ])("changes nothing if the caller does not know %s", async (_, known) => {
    const { key, read } = await recorded();
    const rows = await read();
    const entries = [entry("Lost.", 10, 5)];
    const call = replaceEntries(database(), { ...key, before: known, entries, now });
    expect(await getErrorCode(call)).toBe("conflict");
    expect(await read()).toEqual(rows);
  });

  test("changes nothing while others read along, and for another user", async () => {
    const { key, read } = await recorded();
    const rows = await read();
    const entries = [entry("Lost.", 10, 5)];
    const { id: other } = await addUser(database());
    const call = { before, entries, now, lectureId: key.lectureId };
    expect(await getErrorCode(replaceEntries(database(), { ...call, userId: other }))).toBe(
      "not_found",
    );
    await database().insert(shares).values({
      id: crypto.randomUUID(),
      lectureId: key.lectureId,
      userId: key.userId,
      codeHash: "hash",
      mode: "until_revoked",
      mayCopy: false,
      createdAt: now,
    });
    expect(await getErrorCode(replaceEntries(database(), { ...call, ...key }))).toBe("conflict");
    expect(await read()).toEqual(rows);
  });

  test("keeps a correction that a caller without its name saves again", async () => {
    const { key, read } = await recorded();
    const again = entry("Three.", 30, 3);
    await appendEntries(database(), { ...key, from: 2, entries: [again], now });
    expect((await read())[2]).toMatchObject({ originalByHand: true, revision: 3 });
  });
});
