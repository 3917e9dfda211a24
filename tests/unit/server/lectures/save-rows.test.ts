import { asc, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deletedEntries, lectures, shares, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { listLectures } from "#server/lectures/list.ts";
import { changeLecture, readLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import { refreshSearchIndex } from "#server/search/refresh.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { RowVersion, SavedRows, TranscriptEntry } from "#shared/lecture.ts";
import { lectureRowsMax } from "#shared/limits.ts";
import { translationFailed } from "#shared/words.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
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
type Key = Awaited<ReturnType<typeof newLecture>>;

/** Saves rows `at` minutes after the lecture was created. */
const save = async (
  key: Pick<Key, "userId" | "lectureId">,
  entries: readonly TranscriptEntry[],
  { deleted = [], at = 1 }: { deleted?: RowVersion[]; at?: number } = {},
): Promise<SavedRows> => {
  const { userId, lectureId } = key;
  const call = { userId, lectureId, entries: [...entries], deleted, now: minute(at) };
  return (await saveRows(database(), call)).saved;
};

const readRows = async ({ userId, lectureId }: Pick<Key, "userId" | "lectureId">) => {
  const page = await readLecture(database(), { userId, id: lectureId, from: 0, maxBytes: 1e9 });
  if (!page) throw new Error("no such lecture");
  return page.entries;
};
const readTexts = async (key: Key) => (await readRows(key)).map(({ original }) => original);

/** Where each row is stored: it changes with each write. */
const readVersions = async (db: Database, lectureId: string) => {
  const { rows } = await db.execute<{ id: string; version: string }>(
    sql`select id, xmin::text || ctid::text as version from transcript_entries
      where lecture_id = ${lectureId} order by position`,
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
};

async function readLectureRow(db: Database, lectureId: string) {
  const [row] = await db
    .select({ excerpt: lectures.excerpt, updatedAt: lectures.updatedAt, seq: lectures.seq })
    .from(lectures)
    .where(eq(lectures.id, lectureId));
  if (!row) throw new Error("no such lecture");
  return row;
}

/** The first 151 code points of the joined originals. */
const buildExcerpt = (rows: { original: string }[]) =>
  Array.from(rows.map(({ original }) => original).join(" "))
    .slice(0, 151)
    .join("");

const [one, two, three] = numberRows([
  createEntry("One.", 1_000),
  createEntry("Two.", 2_000),
  createEntry("Three.", 3_000),
]) as [TranscriptEntry, TranscriptEntry, TranscriptEntry];

describe("saveRows", () => {
  test("writes new rows and changes stored ones, which have the answer's seq", async () => {
    const key = await newLecture();
    const first = await save(key, [{ ...one, speaker: "1" }, two]);
    expect(first).toEqual({ seq: 1, changed: [], deletedIds: [], ordinals: {} });
    const changed = { ...two, original: "Two!", originalByHand: true, seq: first.seq };
    const second = await save(key, [changed], { at: 2 });
    expect(second.seq).toBe(2);
    expect(await readRows(key)).toEqual([
      { ...one, speaker: "1", seq: 1 },
      { ...changed, seq: 2 },
    ]);
    expect(await readLectureRow(database(), key.lectureId)).toEqual({
      excerpt: "One. Two!",
      updatedAt: minute(2),
      seq: 2,
    });
  });

  test("tells both tabs that correct one sentence, and loses neither text", async () => {
    const key = await newLecture();
    const { seq } = await save(key, [one, two]);
    const here = { ...one, seq, original: "Won.", originalByHand: true };
    const there = { ...one, seq, original: "One!", originalByHand: true };
    await save(key, [here]);
    const answer = await save(key, [there, { ...two, seq, speaker: "2" }]);
    // The other row of the call is written.
    expect(answer).toMatchObject({ seq: 3, changed: [{ ...here, seq: 2 }], deletedIds: [] });
    expect(await readRows(key)).toEqual([
      { ...here, seq: 2 },
      { ...two, speaker: "2", seq: 3 },
    ]);
    // Known now, it is written.
    expect((await save(key, [{ ...there, seq: answer.seq }])).changed).toEqual([]);
    expect(await readTexts(key)).toEqual(["One!", "Two."]);
  });

  test("keeps formulas of a row that is sent without, while its words stay the same", async () => {
    const key = await newLecture();
    const formulas = [{ words: "One", tex: "1" }];
    const readBytes = async () => {
      const { lectureId } = key;
      const [row] = await database()
        .select({ bytes: lectures.entryBytes })
        .from(lectures)
        .where(eq(lectures.id, lectureId));
      return row?.bytes ?? 0;
    };
    await save(key, [one, two]);
    const without = await readBytes();
    const stored = await save(key, [{ ...one, seq: 1, formulas }]);
    expect(await readRows(key)).toEqual([
      { ...one, seq: 2, formulas },
      { ...two, seq: 1 },
    ]);
    expect(await readBytes()).toBeGreaterThan(without + 10);
    // Another page, which has the version before, does not know them.
    expect((await save(key, [{ ...one, seq: 1, speaker: "2" }])).changed).toEqual([
      { ...one, seq: stored.seq, formulas },
    ]);
    await save(key, [{ ...one, seq: 2, speaker: "2" }]);
    expect((await readRows(key))[0]).toMatchObject({ speaker: "2", formulas });
    await save(key, [{ ...one, seq: 3, original: "Won." }]);
    expect((await readRows(key))[0]).not.toHaveProperty("formulas");
    await save(key, [{ ...one, seq: 4, formulas: [...formulas, { words: "Two", tex: "2" }] }]);
    expect((await readRows(key))[0]).toMatchObject({ formulas });
    await save(key, [{ ...one, seq: 5, formulas: [] }]);
    expect((await readRows(key))[0]).not.toHaveProperty("formulas");
    expect(await readBytes()).toBe(without);
    // Nothing is left to write.
    expect((await save(key, [{ ...one, seq: 6, formulas: [] }])).seq).toBe(6);
  });

  test("writes nothing again in a repeated call, and gives no number away", async () => {
    const db = database();
    const key = await newLecture();
    await save(key, [one, two]);
    const before = [await readVersions(db, key.lectureId), await readLectureRow(db, key.lectureId)];
    const again = await save(key, [one, two], { at: 2 });
    expect(again).toEqual({ seq: 1, changed: [], deletedIds: [], ordinals: {} });
    expect([
      await readVersions(db, key.lectureId),
      await readLectureRow(db, key.lectureId),
    ]).toEqual(before);
  });

  test("writes only the rows that differ", async () => {
    const db = database();
    const key = await newLecture();
    const { seq } = await save(key, [one, two, three]);
    const before = await readVersions(db, key.lectureId);
    await save(key, [one, { ...two, seq, translated: "二。", translatedInto: "zh-cn" }]);
    const after = await readVersions(db, key.lectureId);
    expect(after.get(one.id)).toBe(before.get(one.id));
    expect(after.get(two.id)).not.toBe(before.get(two.id));
    expect(after.get(three.id)).toBe(before.get(three.id));
  });

  test("puts a row that comes late where its time is, and moves none", async () => {
    const db = database();
    const key = await newLecture();
    await save(key, [one, three]);
    const before = await readVersions(db, key.lectureId);
    await save(key, [{ ...two, ordinal: 2 }]);
    expect(await readTexts(key)).toEqual(["One.", "Two.", "Three."]);
    const after = await readVersions(db, key.lectureId);
    for (const [id, version] of before) expect(after.get(id)).toBe(version);
  });

  test("gives a row another ordinal if another one has it", async () => {
    const key = await newLecture();
    await save(key, [one, two]);
    const others = ["a", "b", "c"].map((text) => createEntry(text, 0));
    const [a, b, c] = others as [TranscriptEntry, TranscriptEntry, TranscriptEntry];
    const answer = await save(key, [
      { ...a, ordinal: 1 },
      { ...b, ordinal: 7 },
      { ...c, ordinal: 7 },
    ]);
    expect(answer.ordinals).toEqual({ [a.id]: 8, [c.id]: 9 });
    expect((await readRows(key)).map(({ original, ordinal }) => [original, ordinal])).toEqual([
      ["b", 7],
      ["a", 8],
      ["c", 9],
      ["One.", 0],
      ["Two.", 1],
    ]);
    // The answer was lost.
    const again = await save(key, [{ ...a, ordinal: 1 }]);
    expect(again).toEqual({
      seq: answer.seq,
      changed: [],
      deletedIds: [],
      ordinals: { [a.id]: 8 },
    });
    // It keeps the one that it has.
    await save(key, [{ ...a, seq: answer.seq, ordinal: 1, original: "A" }]);
    expect((await readRows(key)).find(({ id }) => id === a.id)?.ordinal).toBe(8);
  });

  test("deletes rows in the version that the caller knows, and remembers it", async () => {
    const key = await newLecture();
    const { seq } = await save(key, [one, two, three]);
    const corrected = { ...two, seq, original: "Two!", originalByHand: true };
    await save(key, [corrected]);
    const deleted = [one, two].map(({ id }) => ({ id, seq }));
    const answer = await save(key, [createEntry("Uno.", 900, { ordinal: 3 })], { deleted });
    expect(answer.changed).toEqual([{ ...corrected, seq: 2 }]);
    expect(await readTexts(key)).toEqual(["Uno.", "Two!", "Three."]);
    // Another device that has not heard of it.
    const stale = await save(key, [{ ...one, seq, speaker: "1" }]);
    expect(stale).toMatchObject({ seq: 3, deletedIds: [one.id], changed: [] });
    expect(await readTexts(key)).toHaveLength(3);
    // A late repetition of the first call.
    expect((await save(key, [one])).deletedIds).toEqual([one.id]);
    // Whoever knows of the deletion brings the row back.
    const back = await save(key, [{ ...one, seq: answer.seq }]);
    expect(back).toMatchObject({ seq: 4, deletedIds: [] });
    expect(await readTexts(key)).toEqual(["Uno.", "One.", "Two!", "Three."]);
    const kept = await database()
      .select()
      .from(deletedEntries)
      .where(eq(deletedEntries.lectureId, key.lectureId));
    expect(kept).toEqual([]);
  });

  test("gives a deleted row's ordinal to no other row, because marks and answers may name it", async () => {
    const key = await newLecture();
    const { seq } = await save(key, [one, two, three]);
    const answer = await save(key, [], { deleted: [{ id: three.id, seq }] });
    const next = createEntry("Drei.", 3_000, { ordinal: three.ordinal });
    expect((await save(key, [next])).ordinals).toEqual({ [next.id]: 3 });
    // The row itself has it again.
    expect((await save(key, [{ ...three, seq: answer.seq }])).ordinals).toEqual({});
    const rows = await readRows(key);
    expect(rows.map(({ original, ordinal }) => [original, ordinal])).toEqual([
      ["One.", 0],
      ["Two.", 1],
      ["Three.", 2],
      ["Drei.", 3],
    ]);
  });

  test("deletes nothing while others read along", async () => {
    const key = await newLecture();
    const { seq } = await save(key, [one, two]);
    await database().insert(shares).values({
      lectureId: key.lectureId,
      userId: key.userId,
      codeHash: crypto.randomUUID(),
      mode: "until_revoked",
      mayCopy: true,
      createdAt: created,
    });
    const deleted = [{ id: one.id, seq }];
    expect(await getErrorCode(save(key, [three], { deleted }))).toBe("conflict");
    expect(await readTexts(key)).toEqual(["One.", "Two."]);
    await save(key, [three]);
    expect(await readTexts(key)).toEqual(["One.", "Two.", "Three."]);
  });

  test("has the passages of deleted rows indexed again", async () => {
    const db = database();
    const key = await newLecture();
    const { seq } = await save(key, [one, two]);
    while ((await refreshSearchIndex(db, key.userId)).isMore);
    await save(key, [], { deleted: [{ id: one.id, seq }] });
    expect((await refreshSearchIndex(db, key.userId)).count).toBe(1);
  });

  test("forgets deletions when there are more than rows may be", async () => {
    const db = database();
    const key = await newLecture();
    const { seq } = await save(key, [one]);
    await db.execute(sql`insert into deleted_entries (lecture_id, id, seq, deleted_at)
      select ${key.lectureId}::uuid, gen_random_uuid(), n, now() from generate_series(1, ${lectureRowsMax}::int) as n`);
    await db.update(lectures).set({ seq: 50_000 }).where(eq(lectures.id, key.lectureId));
    await save(key, [], { deleted: [{ id: one.id, seq }] });
    const [row] = await db.select().from(lectures).where(eq(lectures.id, key.lectureId));
    expect(row?.forgottenSeq).toBe(50_001);
  });

  test("counts the rows' time as recorded where no more is charged", async () => {
    const db = database();
    const key = await newLecture();
    const readUsedTime = async () =>
      (await db.select().from(lectures).where(eq(lectures.id, key.lectureId)))[0]?.usedTime;
    await save(key, [{ ...one, endMs: 61_900 }]);
    expect(await readUsedTime()).toBe(61);
    await db.update(lectures).set({ usedTime: 300 }).where(eq(lectures.id, key.lectureId));
    await save(key, [{ ...two, endMs: 90_000 }]);
    expect(await readUsedTime()).toBe(300);
  });

  test("finds no deleted, unknown or other user's lecture, and changes nothing in it", async () => {
    const db = database();
    const key = await newLecture();
    const { seq } = await save(key, [one, two]);
    const rows = await readVersions(db, key.lectureId);
    const write = (change: object) =>
      getErrorCode(save({ ...key, ...change }, [three], { deleted: [{ id: one.id, seq }] }));
    expect(await write({ userId: (await addUser(db)).id })).toBe("not_found");
    expect(await write({ lectureId: crypto.randomUUID() })).toBe("not_found");
    await db
      .update(lectures)
      .set({ deletedAt: minute(0) })
      .where(eq(lectures.id, key.lectureId));
    expect(await write({})).toBe("not_found");
    expect(await readVersions(db, key.lectureId)).toEqual(rows);
  });

  test("writes none of the rows if there is no space, but shorter ones", async () => {
    const key = await newLecture();
    const { seq } = await save(key, [one, two]);
    await database().execute(
      sql`update lectures set entry_bytes = ${12 * 2 ** 20} where id = ${key.lectureId}`,
    );
    expect(await getErrorCode(save(key, [three]))).toBe("lecture_full");
    const shorter = { ...one, seq, original: "1" };
    expect(await getErrorCode(save(key, [shorter, { ...three }]))).toBe("lecture_full");
    await save(key, [shorter], { deleted: [{ id: two.id, seq }] });
    expect(await readTexts(key)).toEqual(["1"]);
  });

  test("counts rows, not ordinals, against the most that a lecture may have", async () => {
    const db = database();
    const key = await newLecture();
    await db.execute(sql`insert into transcript_entries (lecture_id, position, translated, start_ms, end_ms)
      select ${key.lectureId}::uuid, 2 * n, '', n, n from generate_series(0, ${lectureRowsMax - 3}::int) as n`);
    await save(
      key,
      [one, two].map((row) => ({ ...row, ordinal: 900_000 })),
    );
    expect(await getErrorCode(save(key, [three]))).toBe("lecture_full");
  });

  test("updates the excerpt only for corrections within it", async () => {
    const db = database();
    const key = await newLecture();
    const long = "x".repeat(100);
    const rows = numberRows([long, long, "hidden"].map((text) => createEntry(text)));
    const [first, , last] = rows as [TranscriptEntry, TranscriptEntry, TranscriptEntry];
    const { seq } = await save(key, rows);
    const readExcerpt = async () => (await readLectureRow(db, key.lectureId)).excerpt;
    expect(await readExcerpt()).toBe(`${long} ${"x".repeat(50)}`);
    await save(key, [{ ...last, seq, original: "seen?" }]);
    expect(await readExcerpt()).not.toContain("seen");
    await save(key, [{ ...first, seq, original: "Short." }]);
    expect(await readExcerpt()).toBe(`Short. ${long} seen?`);
  });

  test("keeps the beginning of the translation into the lecture's language", async () => {
    const db = database();
    const key = await newLecture();
    const translate = (original: string, translated: string, into: TranslationLanguage | null) =>
      createEntry(original, 0, { translated, translatedInto: into });
    const read = async () =>
      (await listLectures(db, { userId: key.userId })).items[0]?.translatedExcerpt;
    const [first, ...others] = numberRows([
      createEntry("One."),
      translate("Two.", "二。", "zh-cn"),
      translate("3.", "", null),
    ]) as [TranscriptEntry, ...TranscriptEntry[]];
    const { seq } = await save(key, [first, ...others]);
    expect(await read()).toBe("二。");
    // The first row's translation arrives, and an old row's is in the lecture's language.
    await save(key, [{ ...first, seq, translated: "一。", translatedInto: "zh-cn" }]);
    const more = [translate("Four.", "四。", null), translate("5.", translationFailed, "zh-cn")];
    await save(key, numberRows(more, 3));
    expect(await read()).toBe("一。 二。 四。");
    const last = [translate("Cinq.", "Cinq.", "fr"), translate("6.", "六".repeat(200), "zh-cn")];
    await save(key, numberRows(last, 5));
    expect(await read()).toBe(`一。 二。 四。 ${"六".repeat(142)}`);
    const { userId, lectureId: id } = key;
    await changeLecture(db, { userId, id }, { targetLanguage: "fr", updatedAt: minute(2) });
    expect(await read()).toContain("Cinq.");
    expect(await read()).not.toContain("二");
  });

  test("cuts the excerpt between code points", async () => {
    const key = await newLecture();
    const rows = [createEntry(`${"𝄞".repeat(150)}𝄢𝄢`), createEntry('pair \\ " <b>')];
    await save(key, numberRows(rows));
    const { excerpt } = await readLectureRow(database(), key.lectureId);
    expect(excerpt).toBe(`${"𝄞".repeat(150)}𝄢`);
    expect((await readTexts(key))[1]).toBe('pair \\ " <b>');
  });

  test("neither duplicates nor fails concurrent calls with the same rows", async () => {
    const key = await newLecture();
    const rows = numberRows(Array.from({ length: 40 }, (_, n) => createEntry(`w${n}`, n)));
    await Promise.all(Array.from({ length: 16 }, (_, n) => save(key, rows.slice(0, 25 + n))));
    expect(await readTexts(key)).toEqual(rows.map(({ original }) => original));
  });
});

/** What three devices send of five rows: `known` is how many answers ago they have read the row. */
const writes = fc.array(
  fc.record({
    entries: fc.uniqueArray(
      fc.record({ row: fc.nat({ max: 4 }), text: fc.nat({ max: 3 }), known: fc.nat({ max: 2 }) }),
      { selector: ({ row }) => row, maxLength: 4 },
    ),
    deleted: fc.uniqueArray(
      fc.record({ row: fc.integer({ min: 5, max: 6 }), known: fc.nat({ max: 1 }) }),
      {
        selector: ({ row }) => row,
        maxLength: 2,
      },
    ),
    again: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

test("leads to the model's rows for any order, repetition and overlap of calls", {
  timeout: 120_000,
}, async () => {
  const db = database();
  await fc.assert(
    fc.asyncProperty(writes, async (sequence) => {
      const key = await newLecture();
      const ids = Array.from({ length: 7 }, () => crypto.randomUUID());
      const stored = new Map<string, { text: string; seq: number }>();
      const gone = new Map<string, number>();
      const named = new Map<number, string>();
      let seq = 0;
      for (const [step, call] of sequence.entries()) {
        // Rows 5 and 6 are written and deleted in turn.
        const entries = [
          ...call.entries,
          ...(call.deleted.length === 0 ? [{ row: 5 + (step % 2), text: 0, known: 0 }] : []),
        ].map(({ row, text, known }) => ({
          id: ids[row] ?? "",
          text: `${row} ${text}`,
          seq: Math.max(0, seq - known),
          row,
        }));
        const deleted = call.deleted.map(({ row, known }) => ({
          id: ids[row] ?? "",
          seq: Math.max(0, seq - known),
        }));
        const changed = new Set<string>();
        const lost = new Set<string>();
        const written: { id: string; text: string }[] = [];
        for (const { id, text, seq: known } of entries) {
          const there = stored.get(id);
          const deletion = gone.get(id);
          if (there === undefined) {
            if (known < (deletion ?? 0) || (known > 0 && deletion === undefined)) lost.add(id);
            else written.push({ id, text });
          } else if (there.text === text) continue;
          else if (there.seq > known) changed.add(id);
          else written.push({ id, text });
        }
        const removed = deleted.filter(({ id, seq: known }) => {
          const there = stored.get(id);
          if (there !== undefined && there.seq > known) changed.add(id);
          return there !== undefined && there.seq <= known;
        });
        if (written.length + removed.length > 0) seq += 1;
        for (const { id, text } of written) {
          stored.set(id, { text, seq });
          gone.delete(id);
        }
        for (const { id } of removed) {
          stored.delete(id);
          gone.set(id, seq);
        }
        const send = () =>
          save(
            key,
            entries.map(({ id, text, seq: known, row }) =>
              createEntry(text, row * 1_000, { id, seq: known, ordinal: row }),
            ),
            { deleted, at: step },
          );
        const answer = await send();
        expect(answer.seq).toBe(seq);
        expect(new Set(answer.changed.map(({ id }) => id))).toEqual(changed);
        expect(new Set(answer.deletedIds)).toEqual(lost);
        // Repeated at once, it changes nothing: what it wrote is there as it was sent.
        if (call.again && removed.length === 0) expect((await send()).seq).toBe(seq);
        for (const { id, ordinal } of await readRows(key)) {
          expect(named.get(ordinal) ?? id).toBe(id);
          named.set(ordinal, id);
        }
      }
      const rows = await db
        .select()
        .from(transcriptEntries)
        .where(eq(transcriptEntries.lectureId, key.lectureId))
        .orderBy(asc(transcriptEntries.startMs));
      expect(new Map(rows.map((row) => [row.id, { text: row.original, seq: row.seq }]))).toEqual(
        stored,
      );
      const { excerpt } = await readLectureRow(db, key.lectureId);
      expect(excerpt).toBe(buildExcerpt(rows));
    }),
    { numRuns: countRuns(25) },
  );
});
