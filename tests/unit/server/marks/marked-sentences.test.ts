import { type SQL, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { marks, transcriptEntries } from "#drizzle/schema.ts";
import { markedTextMaxLength, readMarkedSentences } from "#server/marks/marked-sentences.ts";
import { marksMax, noteMaxLength } from "#shared/limits.ts";
import { addLecture, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();

it("finds the sentences of many marks in time, also with the statistics of short lectures", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  const insertRows = (ids: SQL, count: number) =>
    db.execute(sql`insert into transcript_entries
        (lecture_id, position, original, translated, start_ms, end_ms)
      select id, n, 'Row ' || n, '', n * 20, n * 20 + 1
      from (${ids}) lecture, generate_series(0, ${count}::int - 1) n`);
  const insertMarks = (ids: SQL, count: number) =>
    db.execute(sql`insert into marks (lecture_id, id, at_ms, note)
      select id, gen_random_uuid(), n * 800 + 7, n
      from (${ids}) lecture, generate_series(0, ${count}::int - 1) n`);
  const others = sql`select id from lectures where title = 'Short'`;
  await db.execute(sql`insert into lectures (user_id, title, target_language)
    select ${userId}::uuid, 'Short', 'fr' from generate_series(1, 300)`);
  await insertRows(others, 1);
  await insertMarks(others, 1);
  await db.execute(sql`analyze`);
  await insertRows(sql`select ${lectureId}::uuid as id`, 20_000);
  await insertMarks(sql`select ${lectureId}::uuid as id`, marksMax);
  const start = performance.now();
  const read = await readMarkedSentences(db, { userId, id: lectureId });
  // A plan that reads all rows for each mark takes about as long as a statement may.
  expect(performance.now() - start).toBeLessThan(1_500);
  expect(read).toEqual(
    Array.from({ length: marksMax }, (_, n) => ({ sentence: `Row ${n * 40}`, note: `${n}` })),
  );
});

it("finds marks at the row of their time, or with their ordinal, in the order of the times", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  // The last one was recorded by another device, without a connection; a row between them was deleted.
  const rows = [
    { ordinal: 1, original: "First.", startMs: 1_000 },
    { ordinal: 3, original: "Third.", startMs: 3_000 },
    { ordinal: 4, original: "Also third.", startMs: 3_000 },
    { ordinal: 6, original: "Second.", startMs: 2_000 },
  ];
  await db
    .insert(transcriptEntries)
    .values(rows.map((row) => ({ ...row, lectureId, translated: "", endMs: row.startMs + 900 })));
  const marked = [
    { atMs: 500, note: "before all" },
    { atMs: 1_999, note: "first" },
    { atMs: 2_999, note: "second" },
    { atMs: 3_500, note: "last" },
    { atMs: 0, position: 3, note: "by ordinal 3" },
    { atMs: 0, position: 6, note: "by ordinal 6" },
    { atMs: 1, position: 5, note: "of a deleted row" },
    { atMs: 1, position: 0, note: "of the deleted first row" },
  ];
  await db
    .insert(marks)
    .values(marked.map((mark) => ({ ...mark, lectureId, id: crypto.randomUUID() })));
  expect(await readMarkedSentences(db, { userId, id: lectureId })).toEqual([
    { sentence: "First.", note: "of the deleted first row" },
    { sentence: "First.", note: "before all" },
    { sentence: "First.", note: "first" },
    { sentence: "Second.", note: "by ordinal 6" },
    { sentence: "Second.", note: "second" },
    { sentence: "Third.", note: "by ordinal 3" },
    { sentence: "Also third.", note: "of a deleted row" },
    { sentence: "Also third.", note: "last" },
  ]);
});

it("reads a limited part of marked sentences and notes for the summary", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  const row = { original: "光".repeat(20_000), translated: "", startMs: 0, endMs: 1 };
  await db.insert(transcriptEntries).values({ ...row, lectureId, ordinal: 0 });
  const notes = ["x".repeat(noteMaxLength), "Exam!"];
  await db
    .insert(marks)
    .values(notes.map((note, atMs) => ({ lectureId, id: crypto.randomUUID(), atMs, note })));
  const read = await readMarkedSentences(db, { userId, id: lectureId });
  expect(read.map(({ note }) => note)).toEqual(["x".repeat(markedTextMaxLength), "Exam!"]);
  for (const { sentence } of read) expect(sentence).toBe("光".repeat(markedTextMaxLength));
});
