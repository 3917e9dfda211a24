import { describe, expect, test } from "vitest";
import { changeLectureInput, changeMarksInput, type Mark, saveRowsInput } from "#shared/lecture.ts";
import { lectureRowsMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";

const id = crypto.randomUUID();
const change = (rest: object) => changeLectureInput.safeParse({ id, ...rest });
const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [String(n), `Speaker ${n}`]));

describe("changeLectureInput", () => {
  test.each([
    [{ targetLanguage: "none" }],
    [{ summary: null }],
    [{ summary: "x".repeat(100_000) }],
    [{ context: "x".repeat(1_000) }],
    [{ speakerNames: {} }],
    [{ hasDemoText: true }],
    [{ speakerNames: names(50) }],
    [{ targetLanguage: "ar", summary: "", context: null, speakerNames: { S1: "x".repeat(40) } }],
  ])("takes what is within bounds (%#)", (rest) => {
    expect(change(rest).data).toEqual({ id, ...rest });
  });

  test.each([
    [{}],
    [{ title: "x" }],
    [{ targetLanguage: "tlh" }],
    [{ targetLanguage: null }],
    [{ summary: "x".repeat(100_001) }],
    [{ summary: "a\0b" }],
    [{ context: "a\0b" }],
    [{ speakerNames: null }],
    [{ hasDemoText: false }],
    [{ speakerNames: names(51) }],
    [{ speakerNames: { "1": " " } }],
    [{ speakerNames: { "1": "x".repeat(41) } }],
    [{ speakerNames: { "1": null } }],
    [{ speakerNames: { "": "Ada" } }],
    [{ speakerNames: { ["x".repeat(65)]: "Ada" } }],
  ])("refuses what is not (%#)", (rest) => {
    expect(change(rest).success).toBe(false);
  });

  test("a Context that an earlier version stored is cut, not refused", () => {
    expect(change({ context: "x".repeat(1_001) }).data).toEqual({ id, context: "x".repeat(1_000) });
  });

  test("names are trimmed, and half of a surrogate pair is made text", () => {
    const { data } = change({ speakerNames: { "1": " Ada " }, summary: "broken \ud834 pair" });
    expect(data).toMatchObject({ speakerNames: { "1": "Ada" }, summary: "broken � pair" });
  });

  test("nothing but the changes is taken over: no owner, no status", () => {
    expect(change({ summary: "x", userId: id, status: "completed" }).data).toEqual({
      id,
      summary: "x",
    });
  });
});

test("an entry says in which language and by whose hand it was translated", () => {
  const entry = createEntry("Light.", 0, {
    translated: "光。",
    translatedInto: "zh-cn",
    translatedByHand: true,
  });
  const parse = (rest: object) =>
    saveRowsInput.safeParse({ lectureId: id, entries: [{ ...entry, ...rest }], deleted: [] });
  expect(parse({}).success).toBe(true);
  expect(parse({ translatedInto: null, spokenIn: "en", translatedByHand: false }).success).toBe(
    true,
  );
  for (const rest of [
    { translatedInto: "none" },
    { translatedInto: "tlh" },
    { translatedInto: undefined },
    { translatedByHand: 1 },
    { translatedByHand: undefined },
    { originalByHand: undefined },
    { spokenIn: undefined },
    { spokenIn: "none" },
    { id: undefined },
    { id: "1" },
    { seq: undefined },
    { ordinal: undefined },
  ])
    expect(parse(rest).success).toBe(false);
});

test("rejects numbers that do not fit into a Postgres integer", () => {
  const entry = createEntry("Light.", 0, { endMs: 2 ** 31 - 1, seq: 2 ** 31 - 1 });
  const parse = (rest: object = {}) =>
    saveRowsInput.safeParse({ lectureId: id, entries: [{ ...entry, ...rest }], deleted: [] })
      .success;
  expect(parse()).toBe(true);
  expect(parse({ ordinal: 100_000 })).toBe(true);
  expect(parse({ ordinal: 2 ** 31 - 1 })).toBe(false);
  expect(parse({ seq: 2 ** 31 })).toBe(false);
  expect(parse({ endMs: 2 ** 31 })).toBe(false);
  for (const name of ["ordinal", "seq", "startMs"]) {
    expect(parse({ [name]: -1 })).toBe(false);
    expect(parse({ [name]: 0.5 })).toBe(false);
  }
  expect(parse({ startMs: 1, endMs: 0 })).toBe(false);
});

test("accepts each row once in a change, and no change of nothing", () => {
  const entry = createEntry("Light.");
  const isValid = (entries: object[], deleted: object[]) =>
    saveRowsInput.safeParse({ lectureId: id, entries, deleted }).success;
  const version = { id: crypto.randomUUID(), seq: 1 };
  expect(isValid([entry], [])).toBe(true);
  expect(isValid([], [version])).toBe(true);
  expect(isValid([entry], [version])).toBe(true);
  expect(isValid([], [])).toBe(false);
  expect(isValid([entry, { ...entry, original: "Dark." }], [])).toBe(false);
  expect(isValid([entry, { ...entry, id: entry.id.toUpperCase() }], [])).toBe(false);
  expect(isValid([], [version, { ...version, seq: 2 }])).toBe(false);
  expect(isValid([entry], [{ id: entry.id, seq: 1 }])).toBe(false);
  expect(isValid([], [{ id: version.id }])).toBe(false);
  expect(isValid([], [{ ...version, seq: -1 }])).toBe(false);
});

test("accepts a change of as many rows as a lecture has", () => {
  const entry = createEntry("x");
  const create = (count: number) =>
    Array.from({ length: count }, () => ({ ...entry, id: crypto.randomUUID() }));
  const isValid = (entries: object[], deleted: object[]) =>
    saveRowsInput.safeParse({ lectureId: id, entries, deleted }).success;
  const versions = create(lectureRowsMax).map((row) => ({ id: row.id, seq: 1 }));
  expect(isValid(create(lectureRowsMax), versions)).toBe(true);
  expect(isValid(create(lectureRowsMax + 1), [])).toBe(false);
  expect(isValid([], [...versions, { id: entry.id, seq: 1 }])).toBe(false);
});

test("accepts each mark once in a change", () => {
  const lectureId = crypto.randomUUID();
  const mark = { id: crypto.randomUUID(), atMs: 0, position: null, note: "" };
  const isValid = (changed: Mark[], deletedIds: string[]) =>
    changeMarksInput.safeParse({ lectureId, marks: changed, deletedIds }).success;
  expect(isValid([mark], [])).toBe(true);
  expect(isValid([mark, mark], [])).toBe(false);
  expect(isValid([mark], [mark.id.toUpperCase()])).toBe(false);
  expect(isValid([{ ...mark, atMs: -1 }], [])).toBe(false);
  expect(isValid([{ ...mark, note: "x".repeat(2_001) }], [])).toBe(false);
});
