import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lectures, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { appendEntries } from "#server/lectures/append.ts";
import { listLectures } from "#server/lectures/list.ts";
import { changeLecture } from "#server/lectures/queries.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { rowsMovedMax } from "#shared/limits.ts";
import { translationFailed } from "#shared/words.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  addLecture,
  addUser,
  lectureCreatedAt as created,
  createTestDatabase,
} from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const minute = (n: number) => new Date(created.getTime() + n * 60_000);

const newLecture = () => addLecture(database(), "zh-cn");

/** Writes `entries` from position `from` on, `at` minutes after the lecture was created. */
const append = (
  key: { userId: string; lectureId: string },
  from: number,
  entries: readonly TranscriptEntry[],
  at = 1,
  insert = false,
) => appendEntries(database(), { ...key, from, entries: [...entries], now: minute(at), insert });

const entry = (original: string, revision = 0): TranscriptEntry => ({
  original,
  translated: `${original}/${revision}`,
  translatedInto: "fr",
  spokenIn: "en",
  translatedByHand: revision === 2,
  speaker: null,
  startMs: 10,
  endMs: 20,
  revision,
});

const { originalByHand: _, ...columns } = getTableColumns(transcriptEntries);

const readRows = (db: Database, lectureId: string) =>
  db
    .select(columns)
    .from(transcriptEntries)
    .where(eq(transcriptEntries.lectureId, lectureId))
    .orderBy(asc(transcriptEntries.position));

const readVersions = async (db: Database, lectureId: string) => {
  const { rows } = await db.execute<{ position: number; xmin: string; ctid: string }>(
    sql`select position, xmin::text, ctid::text from transcript_entries
      where lecture_id = ${lectureId} order by position`,
  );
  return rows;
};

async function readLectureRow(db: Database, lectureId: string) {
  const [row] = await db
    .select({ excerpt: lectures.excerpt, updatedAt: lectures.updatedAt })
    .from(lectures)
    .where(eq(lectures.id, lectureId));
  if (!row) throw new Error("no such lecture");
  return row;
}

/** The first 151 code points of the joined English. */
const buildExcerpt = (rows: { original: string }[]) =>
  Array.from(rows.map(({ original }) => original).join(" "))
    .slice(0, 151)
    .join("");

describe("appendEntries", () => {
  test("writes entries in order and returns the next free position", async () => {
    const db = database();
    const key = await newLecture();
    const first = await append(key, 0, [{ ...entry("One."), speaker: "1" }, entry("Two.")]);
    expect(first).toMatchObject({ nextPosition: 2 });
    const second = await append(key, 1, [entry("Two!", 1)], 2);
    expect(second).toMatchObject({ nextPosition: 2 });
    expect(await readRows(db, key.lectureId)).toEqual([
      { ...entry("One."), lectureId: key.lectureId, position: 0, speaker: "1" },
      { ...entry("Two!", 1), lectureId: key.lectureId, position: 1 },
    ]);
    expect(await readLectureRow(db, key.lectureId)).toEqual({
      excerpt: "One. Two!",
      updatedAt: minute(2),
    });
  });

  test("says that it has left out another text because of its revision", async () => {
    const key = await newLecture();
    const first = await append(key, 0, [entry("One.", 1), entry("Two.", 1)]);
    expect(first).toMatchObject({ isStale: false });
    expect(await append(key, 0, [entry("One.", 1)])).toMatchObject({ isStale: false });
    expect(await append(key, 0, [entry("One!", 2)])).toMatchObject({ isStale: false });
    expect(await append(key, 0, [entry("Won.", 2), entry("Two!", 2)])).toMatchObject({
      isStale: true,
    });
    const rows = await readRows(database(), key.lectureId);
    expect(rows.map(({ original }) => original)).toEqual(["One!", "Two!"]);
  });

  test("writes neither rows nor lecture again on a repeated call", async () => {
    const db = database();
    const key = await newLecture();
    const call = { ...key, from: 0, entries: [entry("One.", 2), entry("Two.", 1)] };
    await appendEntries(db, { ...call, now: minute(1) });
    const read = async () => {
      const { rows: lecture } = await db.execute(
        sql`select xmin::text, ctid::text from lectures where id = ${key.lectureId}`,
      );
      return [lecture, await readVersions(db, key.lectureId)];
    };
    const before = await read();
    await appendEntries(db, { ...call, now: minute(2) });
    await appendEntries(db, { ...call, entries: [entry("Old.", 1)], now: minute(3) });
    expect(await read()).toEqual(before);
    expect((await readLectureRow(db, key.lectureId)).updatedAt).toEqual(minute(1));
  });

  test("counts the rows' time as recorded where no more is charged", async () => {
    const db = database();
    const { userId, lectureId } = await newLecture();
    const append = (from: number, endMs: number) =>
      appendEntries(db, {
        userId,
        lectureId,
        from,
        now: created,
        entries: [{ ...entry("long"), startMs: from * 10, endMs }],
      });
    const readUsedTime = async () =>
      (await db.select().from(lectures).where(eq(lectures.id, lectureId)))[0]?.usedTime;
    await append(0, 61_900);
    expect(await readUsedTime()).toBe(61);
    await db.update(lectures).set({ usedTime: 300 }).where(eq(lectures.id, lectureId));
    await append(1, 90_000);
    expect(await readUsedTime()).toBe(300);
  });

  test("changes only rows with a higher revision in an overlapping call", async () => {
    const db = database();
    const key = await newLecture();
    await append(key, 0, [entry("a"), entry("b"), entry("c")]);
    const before = await readVersions(db, key.lectureId);
    await append(key, 1, [entry("b"), entry("c", 1), entry("d")], 2);
    const after = await readVersions(db, key.lectureId);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).not.toEqual(before[2]);
    expect(after).toHaveLength(4);
  });

  test("refuses a call with a different sentence at a position, whatever its revision", async () => {
    const db = database();
    const key = await newLecture();
    await append(key, 0, [entry("a"), entry("b")]);
    const rows = await readVersions(db, key.lectureId);
    const lecture = await readLectureRow(db, key.lectureId);
    for (const revision of [0, 5]) {
      const entries = [entry("A", 1), { ...entry("other", revision), startMs: 11 }, entry("c")];
      const call = append(key, 0, entries, 2);
      expect(await getErrorCode(call)).toBe("conflict");
    }
    expect(await readVersions(db, key.lectureId)).toEqual(rows);
    expect(await readLectureRow(db, key.lectureId)).toEqual(lecture);
  });

  test("accepts only one of concurrent writes to the same position, as a whole", async () => {
    const db = database();
    const key = await newLecture();
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, page) =>
        append(
          key,
          0,
          Array.from({ length: 5 }, (_, i) => ({
            ...entry(`p${page}.${i}`, page),
            startMs: page,
          })),
          page,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "conflict" });
    }
    const winner = answers.findIndex(({ status }) => status === "fulfilled");
    const stored = await readRows(db, key.lectureId);
    expect(stored.map(({ original }) => original)).toEqual(
      Array.from({ length: 5 }, (_, i) => `p${winner}.${i}`),
    );
  });

  test.each([false, true])(
    "finds no deleted, unknown or other user's lecture, and changes nothing in it (insert: %s)",
    async (insert) => {
      const db = database();
      const key = await newLecture();
      await append(key, 0, [entry("one"), { ...entry("two"), startMs: 90, endMs: 99 }]);
      const rows = await readVersions(db, key.lectureId);
      const call = { ...key, from: 1, insert, now: minute(1) };
      const write = (change: object) =>
        getErrorCode(
          appendEntries(db, { ...call, entries: [{ ...entry("x"), startMs: 15 }], ...change }),
        );
      expect(await write({ userId: (await addUser(db)).id })).toBe("not_found");
      expect(await write({ lectureId: crypto.randomUUID() })).toBe("not_found");
      await db
        .update(lectures)
        .set({ deletedAt: minute(0) })
        .where(eq(lectures.id, key.lectureId));
      expect(await write({})).toBe("not_found");
      expect(await readVersions(db, key.lectureId)).toEqual(rows);
    },
  );

  test("updates the excerpt only for corrections within it", async () => {
    const db = database();
    const key = await newLecture();
    const long = "x".repeat(100);
    await append(key, 0, [entry(long), entry(long), entry("hidden")]);
    expect((await readLectureRow(db, key.lectureId)).excerpt).toBe(`${long} ${"x".repeat(50)}`);
    await append(key, 2, [entry("seen?", 1)], 2);
    expect((await readLectureRow(db, key.lectureId)).excerpt).not.toContain("seen");
    await append(key, 0, [entry("Short.", 1)], 3);
    expect((await readLectureRow(db, key.lectureId)).excerpt).toBe(`Short. ${long} seen?`);
  });

  test("keeps the beginning of the translation into the lecture's language", async () => {
    const db = database();
    const key = await newLecture();
    const translate = (original: string, translated: string, into: TranslationLanguage | null) => ({
      ...entry(original),
      translated,
      translatedInto: into,
    });
    const write = (from: number, ...entries: TranscriptEntry[]) => append(key, from, entries);
    const read = async () =>
      (await listLectures(db, { userId: key.userId })).items[0]?.translatedExcerpt;
    await write(0, entry("One."), translate("Two.", "二。", "zh-cn"), translate("3.", "", null));
    expect(await read()).toBe("二。");
    // The first row's translation arrives, and an old row's is in the lecture's language.
    await write(0, { ...translate("One.", "一。", "zh-cn"), revision: 1 });
    await write(3, translate("Four.", "四。", null), translate("5.", translationFailed, "zh-cn"));
    expect(await read()).toBe("一。 二。 四。");
    await write(5, translate("Cinq.", "Cinq.", "fr"), translate("6.", "六".repeat(200), "zh-cn"));
    expect(await read()).toBe(`一。 二。 四。 ${"六".repeat(142)}`);
    await changeLecture(
      db,
      { userId: key.userId, id: key.lectureId },
      {
        targetLanguage: "fr",
        updatedAt: minute(2),
      },
    );
    expect(await read()).toContain("Cinq.");
    expect(await read()).not.toContain("二");
  });

  test("cuts the excerpt between code points", async () => {
    const db = database();
    const key = await newLecture();
    await append(key, 0, [entry(`${"𝄞".repeat(150)}𝄢𝄢`), entry('pair \\ " <b>')]);
    expect((await readLectureRow(db, key.lectureId)).excerpt).toBe(`${"𝄞".repeat(150)}𝄢`);
    expect((await readRows(db, key.lectureId))[1]?.original).toBe('pair \\ " <b>');
  });

  test("neither duplicates nor fails concurrent calls", async () => {
    const db = database();
    const key = await newLecture();
    const rows = Array.from({ length: 40 }, (_, position) => entry(`w${position}`));
    await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        append(
          key,
          0,
          rows.slice(0, 25 + n).map((row, i) => ({ ...row, revision: (i * n) % 7 })),
          n,
        ),
      ),
    );
    const stored = await readRows(db, key.lectureId);
    expect(stored.map(({ original }) => original)).toEqual(rows.map(({ original }) => original));
    stored.forEach(({ revision }, i) => {
      const sent = Array.from({ length: 16 }, (_, n) => (i < 25 + n ? (i * n) % 7 : 0));
      expect(revision).toBe(Math.max(...sent));
    });
    expect((await readLectureRow(db, key.lectureId)).excerpt).toBe(buildExcerpt(stored));
  });
});

test("a caller that says no language leaves a row's as it is; a new row has the lecture's", async () => {
  const db = database();
  const { userId, lectureId } = await newLecture();
  await changeLecture(
    db,
    { userId, id: lectureId },
    { sourceLanguage: "de", updatedAt: minute(0) },
  );
  await append({ userId, lectureId }, 0, [{ ...entry("Hola."), spokenIn: "es" }]);
  const { spokenIn: _, ...changed } = entry("Hola!", 1);
  const { spokenIn: __, ...added } = entry("Hallo.");
  const call = { userId, lectureId, now: minute(1) };
  await appendEntries(db, { ...call, from: 0, entries: [changed, added] });
  const read = async () => (await readRows(db, lectureId)).map(({ spokenIn }) => spokenIn);
  expect(await read()).toEqual(["es", "de"]);
  const change = { sourceLanguage: "detect", updatedAt: minute(0) } as const;
  await changeLecture(db, { userId, id: lectureId }, change);
  await appendEntries(db, { ...call, from: 2, entries: [added] });
  expect(await read()).toEqual(["es", "de", "en"]);
});

describe("appendEntries with insert", () => {
  const at = (second: number, revision = 0): TranscriptEntry => ({
    ...entry(`s${second}`, revision),
    startMs: second * 1_000,
    endMs: second * 1_000 + 900,
  });
  const run = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => at(from + index));
  const texts = async (db: Database, lectureId: string) =>
    (await readRows(db, lectureId)).map(({ original }) => original);

  test("moves later rows once and keeps their content", async () => {
    const db = database();
    const key = await newLecture();
    await append(key, 0, [at(1), at(2), ...run(40, 80)]);
    const before = await readRows(db, key.lectureId);
    const call = { ...key, from: 2, entries: run(10, 12), insert: true };
    expect(await appendEntries(db, { ...call, now: minute(2) })).toMatchObject({
      nextPosition: 46,
    });
    const after = await readRows(db, key.lectureId);
    expect(after.map(({ position }) => position)).toEqual(after.map((_, index) => index));
    expect(after.slice(5)).toEqual(
      before.slice(2).map((row) => ({ ...row, position: row.position + 3 })),
    );
    expect((await readLectureRow(db, key.lectureId)).excerpt).toBe(buildExcerpt(after));
    const versions = await readVersions(db, key.lectureId);
    await appendEntries(db, { ...call, now: minute(3) });
    expect(await readVersions(db, key.lectureId)).toEqual(versions);
  });

  test("orders the rows of two concurrent pages by time, or refuses one", async () => {
    const db = database();
    const key = await newLecture();
    await append(key, 0, [at(1), at(50)]);
    const answers = await Promise.allSettled(
      [run(10, 12), run(20, 25)].map((entries) => append(key, 1, entries, 2, true)),
    );
    for (const answer of answers)
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "conflict" });
    const starts = (await readRows(db, key.lectureId)).map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.toSorted((x, y) => x - y));
    expect(starts.length).toBeGreaterThanOrEqual(5);
  });

  test("refuses rows at a wrong place, or if too many rows would move", async () => {
    const db = database();
    const key = await newLecture();
    await append(key, 0, [at(1), at(10), at(20)]);
    const before = await texts(db, key.lectureId);
    // After a later row, between other rows, and in place of an earlier one.
    for (const [from, entries] of [
      [2, [at(5)]],
      [1, [at(5), at(15)]],
      [2, [at(30)]],
    ] as const) {
      const call = append(key, from, [...entries], 2, true);
      expect(await getErrorCode(call)).toBe("conflict");
    }
    expect(await texts(db, key.lectureId)).toEqual(before);
    for (let from = 3; from < rowsMovedMax + 1; from += 500)
      await append(key, from, run(from + 100, from + 599), 3);
    const deep = append(key, 1, [at(5)], 4, true);
    expect(await getErrorCode(deep)).toBe("conflict");
  });

  test("moves nothing if the lecture or account is full", async () => {
    const db = database();
    const key = await newLecture();
    await append(key, 0, [at(1), at(10)]);
    const before = await readVersions(db, key.lectureId);
    const call = { ...key, from: 1, entries: [at(5)], insert: true, now: minute(2) };
    await db.execute(
      sql`update lectures set entry_bytes = ${12 * 2 ** 20} where id = ${key.lectureId}`,
    );
    expect(await getErrorCode(appendEntries(db, call))).toBe("lecture_full");
    expect(await readVersions(db, key.lectureId)).toEqual(before);
  });
});

/**
 * The text of a row, which depends on position, revision and page.
 * Sentences of different pages begin at different times.
 */
const createVersion = (position: number, revision: number, page = 0): TranscriptEntry => {
  const words = ["", "a", "bc 语", "long ".repeat(position + 5), "𝄞".repeat(revision * 30)];
  return {
    original: words[(position * 3 + revision) % words.length] ?? "",
    translated: `译 ${position}.${revision}.${page}`,
    translatedInto:
      revision === 0 ? null : ((["zh", "zh-cn", "ja"] as const)[revision % 3] ?? null),
    spokenIn: "en",
    translatedByHand: revision % 2 === 1,
    speaker: position % 3 === 0 ? null : String(revision),
    startMs: position * 1000 + page * 300,
    endMs: position * 1000 + page * 300 + revision,
    revision,
  };
};

const calls = fc.array(
  fc.record({
    page: fc.constantFrom(0, 0, 0, 1),
    from: fc.nat({ max: 14 }),
    revisions: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 14 },
);

test("leads to the model's rows for any order, repetition and overlap of calls", {
  timeout: 120_000,
}, async () => {
  const db = database();
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      const key = await newLecture();
      const model: TranscriptEntry[] = [];
      let updatedAt = created;
      for (const [step, { page, from, revisions }] of sequence.entries()) {
        const entries = revisions.map((revision, i) => createVersion(from + i, revision, page));
        const call = append(key, from, entries, step + 1);
        if (from > model.length) {
          expect(await getErrorCode(call)).toBe("entries_gap");
          continue;
        }
        if (entries.some(({ startMs }, i) => (model[from + i]?.startMs ?? startMs) !== startMs)) {
          expect(await getErrorCode(call)).toBe("conflict");
          continue;
        }
        let changed = false;
        for (const [i, sent] of entries.entries()) {
          const stored = model[from + i];
          if (stored && stored.revision >= sent.revision) continue;
          model[from + i] = sent;
          changed = true;
        }
        if (changed) updatedAt = minute(step + 1);
        expect(await call).toMatchObject({ nextPosition: model.length });
        expect(await readLectureRow(db, key.lectureId)).toEqual({
          excerpt: buildExcerpt(model),
          updatedAt,
        });
      }
      const rows = await readRows(db, key.lectureId);
      expect(rows).toEqual(
        model.map((row, position) => ({ ...row, position, lectureId: key.lectureId })),
      );
    }),
    { numRuns: countRuns(25) },
  );
});

test("leads to the same rows in any order and for any repetition of calls", {
  timeout: 120_000,
}, async () => {
  const db = database();
  const shuffles = fc
    .record({
      revisions: fc.array(fc.nat({ max: 3 }), { minLength: 2, maxLength: 10 }),
      seed: fc.nat(),
    })
    .chain(({ revisions }) => {
      const parts = revisions.flatMap((top, position) =>
        Array.from({ length: top + 1 }, (_, revision) => ({ position, revision })),
      );
      return fc.record({
        revisions: fc.constant(revisions),
        parts: fc.shuffledSubarray([...parts, ...parts], { minLength: parts.length * 2 }),
      });
    });
  await fc.assert(
    fc.asyncProperty(shuffles, async ({ revisions, parts }) => {
      const key = await newLecture();
      const base = revisions.map((_, position) => createVersion(position, 0));
      await append(key, 0, base);
      await Promise.all(
        parts.map(({ position, revision }) =>
          append(key, position, [createVersion(position, revision)], 2),
        ),
      );
      const rows = await readRows(db, key.lectureId);
      const expected = revisions.map((top, position) => createVersion(position, top));
      expect(rows.map(({ lectureId: _, position: __, ...row }) => row)).toEqual(expected);
      expect((await readLectureRow(db, key.lectureId)).excerpt).toBe(buildExcerpt(expected));
    }),
    { numRuns: countRuns(12) },
  );
});
