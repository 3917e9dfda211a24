import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { folders, glossaryTerms, lectures } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import {
  findAgreedTerms,
  measureIndexes,
  readLectureTerms,
} from "#server/glossary/find-agreed-terms.ts";
import { changeGlossary, readGlossary, readTermPairs } from "#server/glossary/queries.ts";
import { listTermPairs, resolveTerms, type TermChange } from "#shared/glossary.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { addLecture, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-20T08:00:00Z");
const pair = { sourceLanguage: "en", targetLanguage: "de" } as const;

const change = (
  db: Database,
  userId: string,
  changes: TermChange[],
  folderId: string | null = null,
) => changeGlossary(db, { userId, folderId, changes, now });

const create = (term: string, de: string): TermChange & { id: string } => ({
  id: crypto.randomUUID(),
  language: "en",
  term,
  translations: { de },
});

async function find(db: Database, lecture: { userId: string; lectureId: string }, text: string) {
  const terms = await readLectureTerms(db, lecture);
  if (terms === null) return null;
  return (await findAgreedTerms(db, terms, { ...pair, text })).map(({ target }) => target);
}

test("builds one index for ten texts in a row, and another one when a term has changed in the same moment", async () => {
  const db = database();
  const lecture = await addLecture(db);
  const { userId } = lecture;
  expect(await find(db, lecture, "Mitosis begins.")).toBeNull();
  const term = create("mitosis", "Mitose");
  await change(db, userId, [term]);
  for (let n = 0; n < 10; n += 1)
    expect(await find(db, lecture, "Mitosis begins.")).toEqual(["Mitose"]);
  const { count, steps } = measureIndexes(userId);
  expect(count).toBe(1);
  await find(db, lecture, "Mitosis begins.");
  expect(measureIndexes(userId).steps - steps).toBeLessThan(20);

  await change(db, userId, [{ id: term.id, translations: { de: "Kernteilung" } }]);
  expect(await find(db, lecture, "Mitosis begins.")).toEqual(["Kernteilung"]);
  await change(db, userId, [{ id: term.id, isLeftOut: true }]);
  expect(await find(db, lecture, "Mitosis begins.")).toEqual([]);
  await change(db, userId, [{ id: term.id, isDeleted: true }]);
  expect(await find(db, lecture, "Mitosis begins.")).toBeNull();
});

test("builds one index for calls at the same time", async () => {
  const db = database();
  const lecture = await addLecture(db);
  const changes = Array.from({ length: 150 }, (_, n) => create(`term ${n}`, `Begriff ${n}`));
  await change(db, lecture.userId, changes);
  await find(db, lecture, "term 7");
  const alone = measureIndexes(lecture.userId);
  const other = await addLecture(db);
  await change(
    db,
    other.userId,
    changes.map((one) => ({ ...one, id: crypto.randomUUID() })),
  );
  const found = await Promise.all(Array.from({ length: 10 }, () => find(db, other, "term 7")));
  expect(found).toEqual(Array(10).fill(["Begriff 7"]));
  expect(measureIndexes(other.userId)).toEqual({
    count: 1,
    steps: expect.toSatisfy((steps: number) => steps < alone.steps + 200),
  });
});

test("another user has other terms, and another folder", async () => {
  const db = database();
  const [one, other] = [await addLecture(db), await addLecture(db)];
  await change(db, one.userId, [create("mitosis", "Mitose")]);
  await change(db, other.userId, [create("mitosis", "Teilung")]);
  expect(await find(db, one, "mitosis")).toEqual(["Mitose"]);
  expect(await find(db, other, "mitosis")).toEqual(["Teilung"]);
  expect(await find(db, { ...one, lectureId: other.lectureId }, "mitosis")).toEqual(["Mitose"]);

  const folderId = crypto.randomUUID();
  await db.insert(folders).values({ id: folderId, userId: one.userId, name: "Cells" });
  await change(db, one.userId, [create("Mitosis", "Mitose hier")], folderId);
  expect(await find(db, one, "mitosis")).toEqual(["Mitose"]);
  await db.update(lectures).set({ folderId }).where(eq(lectures.id, one.lectureId));
  expect(await find(db, one, "mitosis")).toEqual(["Mitose hier"]);
});

test("keeps the indexes that were used last", async () => {
  const db = database();
  const first = await addLecture(db);
  await change(db, first.userId, [create("mitosis", "Mitose")]);
  await find(db, first, "mitosis");
  // Each takes a fortieth of the room at least.
  for (let n = 0; n < 45; n += 1) {
    const lecture = await addLecture(db);
    await change(db, lecture.userId, [create("mitosis", "Mitose")]);
    await find(db, lecture, "mitosis");
    if (n === 20) expect(measureIndexes(first.userId).count).toBe(1);
  }
  expect(measureIndexes(first.userId).count).toBe(0);
  expect(await find(db, first, "mitosis")).toEqual(["Mitose"]);
});

test("the database chooses the same pairs as the page", async () => {
  const db = database();
  const { userId, lectureId } = await addLecture(db);
  const [outer, inner] = [crypto.randomUUID(), crypto.randomUUID()];
  await db.insert(folders).values({ id: outer, userId, name: "Outer" });
  await db.insert(folders).values({ id: inner, userId, name: "Inner", parentFolderId: outer });
  await db.update(lectures).set({ folderId: inner }).where(eq(lectures.id, lectureId));
  const term = fc.record({
    folderId: fc.constantFrom(null, outer, inner),
    language: fc.constantFrom("en" as const, "de" as const, "zh" as const),
    term: fc.constantFrom("cell", "Cell", "zelle", "Ｃell", "ion"),
    translations: fc.dictionary(
      fc.constantFrom("de", "en", "zh-cn", "zh"),
      fc.constantFrom("cell", "Zelle", "细胞"),
      { maxKeys: 3 },
    ),
    position: fc.nat(3),
    isLeftOut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(term, { maxLength: 14 }), async (terms) => {
      await db.delete(glossaryTerms).where(eq(glossaryTerms.userId, userId));
      // Positions within a folder differ, so that their order is one.
      for (const [at, { folderId, ...one }] of terms.entries())
        await change(
          db,
          userId,
          [{ id: crypto.randomUUID(), ...one, position: 100 * one.position + at } as TermChange],
          folderId,
        );
      const resolved = resolveTerms(await readGlossary(db, { userId, folderId: inner }));
      for (const [sourceLanguage, targetLanguage] of [
        ["en", "de"],
        ["de", "en"],
        ["zh", "en"],
        ["en", "zh-cn"],
      ] as const)
        expect(
          await readTermPairs(db, { userId, lectureId }, { sourceLanguage, targetLanguage }),
        ).toEqual(listTermPairs(resolved, sourceLanguage, targetLanguage));
    }),
    { numRuns: countRuns(60) },
  );
}, 60_000);
