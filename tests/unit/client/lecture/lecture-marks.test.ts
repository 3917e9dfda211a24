import { expect, it } from "vitest";
import { LectureMarks } from "#client/lecture/lecture-marks.ts";
import { marksPerChangeMax, noteMaxLength } from "#shared/limits.ts";

const mark = (id: string, note = "") => ({ id, atMs: 5, position: null, note });

it("keeps what changed again while it was being saved", () => {
  const marks = new LectureMarks([mark("stored")], true);
  expect(marks.getChanges()).toBeNull();
  marks.put(mark("a"));
  marks.delete("stored");
  const first = marks.getChanges();
  expect(first).toEqual({ marks: [mark("a")], deletedIds: ["stored"] });
  marks.put(mark("a", "later"));
  marks.put(mark("stored", "again"));
  if (first) marks.confirm(first);
  const second = marks.getChanges();
  expect(second).toEqual({ marks: [mark("a", "later"), mark("stored", "again")], deletedIds: [] });
  if (second) marks.confirm(second);
  expect(marks.hasChanges).toBe(false);
});

it("saves all marks of a lecture that is new on the server, as many as one call may carry", () => {
  const all = Array.from({ length: marksPerChangeMax + 1 }, (_, n) => mark(String(n)));
  const marks = new LectureMarks(all, false);
  const first = marks.getChanges();
  expect(first?.marks).toHaveLength(marksPerChangeMax);
  if (first) marks.confirm(first);
  expect(marks.getChanges()?.marks).toEqual(all.slice(-1));
});

it("takes over another device's marks, except those that were changed here", () => {
  const marks = new LectureMarks([mark("a"), mark("gone"), mark("b")], true);
  marks.put(mark("b", "mine"));
  marks.put(mark("new"));
  marks.delete("a");
  marks.merge([mark("a", "theirs"), mark("b", "theirs"), mark("other")]);
  expect(marks.list.get()).toEqual([mark("other"), mark("b", "mine"), mark("new")]);
});

it("accepts only notes that the server stores", () => {
  const marks = new LectureMarks([], true);
  marks.put(mark("a", ` \0x${"é".repeat(noteMaxLength)}\n`));
  expect(marks.list.get()[0]?.note).toBe(`x${"é".repeat(noteMaxLength - 1)}`);
});
