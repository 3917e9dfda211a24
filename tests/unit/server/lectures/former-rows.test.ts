import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { lectures, transcriptEntries } from "#drizzle/schema.ts";
import { appendFormerRows, formerAppendInput } from "#server/lectures/former-rows.ts";
import { changeLecture, readLecture } from "#server/lectures/queries.ts";
import { saveRows } from "#server/lectures/save-rows.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { rowsPerCallMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { getErrorCode } from "#tests/unit/server/support/error-code.ts";
import {
  addLecture,
  addUser,
  createTestDatabase,
} from "#tests/unit/server/support/test-database.ts";

const database = createTestDatabase();
const now = new Date("2026-11-20T09:00:00.000Z");

type FormerEntry = ReturnType<typeof formerAppendInput.parse>["entries"][number];

/** A row as such a page has it: without an id. */
const createFormer = (
  original: string,
  startMs: number,
  change: Partial<FormerEntry> = {},
): FormerEntry => ({
  original,
  translated: `fr: ${original}`,
  translatedInto: "fr",
  spokenIn: "en",
  originalByHand: false,
  translatedByHand: false,
  speaker: null,
  startMs,
  endMs: startMs + 900,
  revision: 1,
  ...change,
});

/** A lecture, a page of the version before, and one of this version. */
async function openLecture(pair: Partial<LanguagePair> = {}) {
  const db = database();
  const key = await addLecture(db, "fr");
  const { userId, lectureId } = key;
  await changeLecture(db, { userId, id: lectureId }, { ...pair, updatedAt: now });
  const append = (from: number, entries: FormerEntry[]) =>
    appendFormerRows(db, { ...key, from, entries, now });
  const read = async () => {
    const page = await readLecture(db, {
      userId,
      id: lectureId,
      from: 0,
      maxBytes: 1e6,
      hasRevisions: true,
    });
    if (!page) throw new Error("no such lecture");
    return page;
  };
  return {
    ...key,
    read,
    append,
    /** The answer to the page. */
    save: async (from: number, ...entries: FormerEntry[]) => (await append(from, entries)).answer,
    saveNew: async (entries: TranscriptEntry[], deleted: TranscriptEntry[] = []) =>
      (await saveRows(db, { ...key, entries, deleted, now })).saved,
    readTexts: async () => (await read()).entries.map(({ original }) => original),
    readTranslations: async () => (await read()).entries.map(({ translated }) => translated),
    readStored: () =>
      db
        .select()
        .from(transcriptEntries)
        .where(eq(transcriptEntries.lectureId, lectureId))
        .orderBy(asc(transcriptEntries.ordinal)),
  };
}

const done = (nextPosition: number) => ({ nextPosition, isStale: false });
const stale = (nextPosition: number) => ({ nextPosition, isStale: true });
const [one, two, three] = [
  createFormer("One.", 1_000),
  createFormer("Two.", 2_000),
  createFormer("Three.", 3_000),
];

test("new rows are stored with ids and ordinals", async () => {
  const { append, read, readStored } = await openLecture();
  expect(await append(0, [one, two])).toMatchObject({
    range: { from: 0, to: 2 },
    shareId: null,
    answer: done(2),
  });
  expect((await append(2, [three])).answer).toEqual(done(3));
  const { entries, seq, excerpt } = await read();
  expect(entries).toEqual(
    [one, two, three].map((entry, ordinal) => ({
      ...entry,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      seq: ordinal < 2 ? 1 : 2,
      ordinal,
    })),
  );
  expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
  expect([seq, excerpt]).toEqual([2, "One. Two. Three."]);
  expect(await readStored()).toMatchObject([{ revision: 1 }, { revision: 1 }, { revision: 1 }]);
});

test("a repeated call changes nothing, also after a later one", async () => {
  const { append, save, read } = await openLecture();
  await save(0, one, two);
  const before = await read();
  expect(await append(0, [one, two])).toEqual({
    range: null,
    shareId: null,
    audience: null,
    answer: done(2),
  });
  expect(await read()).toEqual(before);
  await save(0, { ...one, original: "Once.", revision: 2 });
  const changed = await read();
  expect(await save(1, two, three)).toEqual(done(3));
  expect((await read()).entries.slice(0, 2)).toEqual(changed.entries);
  // The answer to the first call was lost, and the row has changed since.
  expect(await save(0, one, two)).toEqual(stale(2));
  expect((await read()).entries.slice(0, 2)).toEqual(changed.entries);
});

test("two calls at once with the same new rows store them once", async () => {
  const { save, readTexts } = await openLecture();
  const answers = await Promise.all([save(0, one, two), save(0, one, two), save(0, one, two)]);
  expect(answers).toEqual([done(2), done(2), done(2)]);
  expect(await readTexts()).toEqual(["One.", "Two."]);
});

test("a row with more changes replaces the stored one, under its id", async () => {
  const { save, read, readStored } = await openLecture();
  await save(0, one, two, three);
  const before = (await read()).entries;
  const corrected = { ...two, original: "Twice.", originalByHand: true, revision: 4 };
  expect(await save(1, corrected)).toEqual(done(2));
  const after = (await read()).entries;
  expect(after).toEqual([before[0], { ...before[1], ...corrected, seq: 2 }, before[2]]);
  expect((await readStored()).map(({ revision }) => revision)).toEqual([1, 4, 1]);
});

test("of a row with as many or fewer changes, another text is left out, which the page is told", async () => {
  const { save, readTexts, read } = await openLecture();
  await save(0, one, { ...two, revision: 5 });
  for (const revision of [0, 4, 5]) {
    expect(await save(1, { ...two, original: "Other.", revision })).toEqual(stale(2));
    expect(await save(1, { ...two, translated: "Autre.", revision })).toEqual(stale(2));
  }
  const before = await read();
  // The others of the call are written.
  const call = [{ ...one, original: "Once.", revision: 2 }, { ...two, revision: 1 }, three];
  expect(await save(0, ...call)).toEqual(done(3));
  expect(await readTexts()).toEqual(["Once.", "Two.", "Three."]);
  expect((await read()).entries[1]).toEqual(before.entries[1]);
  expect(await save(0, { ...one, original: "Not this.", revision: 2 }, two)).toEqual(stale(2));
  expect(await readTexts()).toEqual(["Once.", "Two.", "Three."]);
});

test("a row is saved before its translation, and then with it", async () => {
  const { save, read } = await openLecture();
  const waiting = { ...one, translated: "", translatedInto: null, revision: 0 };
  expect(await save(0, waiting)).toEqual(done(1));
  // A page of this version translates what has a language and no text.
  expect((await read()).entries).toMatchObject([{ translated: "", translatedInto: "fr" }]);
  expect((await read()).entries).toMatchObject([{ revision: 0 }]);
  expect(await save(0, one)).toEqual(done(1));
  expect((await read()).entries).toMatchObject([one]);
});

test("what waits for a translation is what the lecture's languages say", async () => {
  const { save, read } = await openLecture({ sourceLanguage: "de", isTwoWay: true });
  const waiting = { translated: "", translatedInto: null, revision: 0 };
  await save(
    0,
    { ...one, ...waiting, spokenIn: "de" },
    { ...two, ...waiting, spokenIn: "fr" },
    { ...three, ...waiting, spokenIn: "en", translatedInto: "es" },
    // Without a translation, because none is wanted.
    createFormer("Four.", 4_000, { ...waiting, spokenIn: "de", revision: 1 }),
  );
  expect((await read()).entries.map(({ translatedInto }) => translatedInto)).toEqual([
    "fr",
    "de",
    "es",
    null,
  ]);
});

test("a page that sends neither the language nor whose hand it was keeps what is stored", async () => {
  const { save, read } = await openLecture({ sourceLanguage: "de" });
  const { spokenIn: _, originalByHand: __, ...older } = one;
  await save(0, older);
  expect((await read()).entries).toMatchObject([{ spokenIn: "de", originalByHand: false }]);
  await save(0, { ...one, spokenIn: "ja", originalByHand: true, revision: 2 });
  await save(0, { ...older, original: "Once.", revision: 3 });
  expect((await read()).entries).toMatchObject([
    { original: "Once.", spokenIn: "ja", originalByHand: true },
  ]);
});

test("rows without times are told apart by their indexes", async () => {
  const { save, readTexts, readTranslations } = await openLecture();
  const lines = Array.from({ length: 6 }, (_, n) => createFormer(`Line ${n}.`, 0, { endMs: 0 }));
  const texts = lines.map(({ original }) => original);
  // An import, in several calls, of which one is repeated.
  expect(await save(0, ...lines.slice(0, 3))).toEqual(done(3));
  expect(await save(3, ...lines.slice(3))).toEqual(done(6));
  expect(await save(3, ...lines.slice(3))).toEqual(done(6));
  expect(await readTexts()).toEqual(texts);
  for (const [index, line] of lines.entries())
    expect(await save(index, { ...line, translated: `${index}`, revision: 2 })).toEqual(
      done(index + 1),
    );
  expect(await readTexts()).toEqual(texts);
  expect(await readTranslations()).toEqual(["0", "1", "2", "3", "4", "5"]);
});

test("two rows with one start are two rows", async () => {
  const { save, readTexts } = await openLecture();
  const reply = createFormer("A reply.", 2_000);
  expect(await save(0, one, two)).toEqual(done(2));
  expect(await save(2, reply)).toEqual(done(3));
  expect(await save(2, { ...reply, original: "An answer.", revision: 2 })).toEqual(done(3));
  expect(await readTexts()).toEqual(["One.", "Two.", "An answer."]);
});

test("rows that such a page has inserted, and those after them, keep their ids", async () => {
  const { save, read, readTexts } = await openLecture();
  await save(0, one, two, three);
  // On the page it is at index 1 now, and the others are at 2 and 3.
  const late = createFormer("It came late.", 1_500);
  expect(await save(1, late)).toEqual(done(2));
  expect(await save(1, late)).toEqual(done(2));
  expect(await readTexts()).toEqual(["One.", "It came late.", "Two.", "Three."]);
  const ids = (await read()).entries.map(({ id }) => id);
  const corrected = [
    { ...late, original: "It came later.", revision: 2 },
    { ...two, original: "Twice.", revision: 2 },
    { ...three, translated: "Trois.", revision: 2 },
    createFormer("Four.", 4_000),
  ];
  expect(await save(1, ...corrected)).toEqual(done(5));
  expect(await save(1, ...corrected)).toEqual(done(5));
  const { entries } = await read();
  expect(entries.map(({ original }) => original)).toEqual([
    "One.",
    ...corrected.map(({ original }) => original),
  ]);
  expect(entries[3]).toMatchObject({ translated: "Trois." });
  expect(entries.slice(0, 4).map(({ id }) => id)).toEqual(ids);
});

test("rows of a page of this version in between are neither changed nor lost", async () => {
  const { save, saveNew, read, readTexts } = await openLecture();
  await save(0, one, two);
  const [, second] = (await read()).entries;
  if (!second) throw new Error("no second row");
  // Another device records, corrects a row, and has recorded an earlier one without a connection.
  await saveNew([
    createEntry("Three, elsewhere.", 3_500, { ordinal: 2 }),
    createEntry("Before.", 500, { ordinal: 3 }),
    { ...second, original: "Corrected.", originalByHand: true },
  ]);
  const before = await read();
  // The page's own next row has the index that one of them has as its ordinal.
  expect(await save(2, three)).toEqual(done(3));
  expect(await readTexts()).toEqual([
    "Before.",
    "One.",
    "Corrected.",
    "Three.",
    "Three, elsewhere.",
  ]);
  expect(await save(2, { ...three, original: "Three!", revision: 2 })).toEqual(done(3));
  expect(await save(2, { ...three, original: "Three!", revision: 2 })).toEqual(done(3));
  expect(await readTexts()).toEqual([
    "Before.",
    "One.",
    "Corrected.",
    "Three!",
    "Three, elsewhere.",
  ]);
  // It does not know of the correction, which has as many changes.
  expect(await save(1, { ...two, translated: "Deux !", revision: 2 })).toEqual(stale(2));
  const after = (await read()).entries;
  expect(after.filter(({ original }) => original !== "Three!")).toEqual(before.entries);
});

test("a row that another device has deleted does not come back", async () => {
  const { save, saveNew, read, readTexts } = await openLecture();
  await save(0, one, two, three);
  const { entries } = await read();
  const [, second] = entries;
  if (!second) throw new Error("no second row");
  await saveNew([], [second]);
  await save(0, one, { ...two, translated: "Deux.", revision: 2 }, three);
  expect(await readTexts()).toEqual(["One.", "Three."]);
});

test("rows from before the version, which have ids that nobody chose, are found by index and start", async () => {
  const { lectureId, save, read, readTexts } = await openLecture();
  await database()
    .insert(transcriptEntries)
    .values(
      [one, two, three].map((entry, ordinal) => ({ ...entry, lectureId, ordinal, revision: 3 })),
    );
  const ids = (await read()).entries.map(({ id }) => id);
  expect(
    await save(0, { ...one, revision: 3 }, { ...two, original: "Twice.", revision: 4 }),
  ).toEqual(done(2));
  expect(await readTexts()).toEqual(["One.", "Twice.", "Three."]);
  expect((await read()).entries.map(({ id }) => id)).toEqual(ids);
});

test("another's lecture is not found, nor a deleted one", async () => {
  const { lectureId, save, readTexts } = await openLecture();
  await save(0, one);
  const { id: userId } = await addUser(database());
  const entries = [{ ...one, original: "Theirs.", revision: 9 }];
  const foreign = appendFormerRows(database(), { userId, lectureId, from: 0, entries, now });
  expect(await getErrorCode(foreign)).toBe("not_found");
  expect(await readTexts()).toEqual(["One."]);
  await database().update(lectures).set({ deletedAt: now }).where(eq(lectures.id, lectureId));
  await expect(save(0, one)).rejects.toMatchObject({ code: "not_found" });
});

test("takes as many rows per call as such a page sends", () => {
  const lectureId = crypto.randomUUID();
  const isValid = (entries: object[], from: number | undefined = 0) =>
    formerAppendInput.safeParse({ lectureId, from, entries }).success;
  const many = Array.from({ length: rowsPerCallMax }, (_, n) => createFormer("x", n));
  expect(isValid(many)).toBe(true);
  expect(isValid([...many, one])).toBe(false);
  expect(isValid([])).toBe(false);
  expect(isValid([one], -1)).toBe(false);
  expect(isValid([{ ...one, revision: undefined }])).toBe(false);
  expect(isValid([{ ...one, endMs: one.startMs - 1 }])).toBe(false);
  expect(isValid([{ ...one, original: "x".repeat(20_001) }])).toBe(false);
  const parsed = formerAppendInput.parse({ lectureId, from: 0, entries: [one], insert: true });
  expect(parsed).toEqual({ lectureId, from: 0, entries: [one] });
});
