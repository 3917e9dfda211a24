import { expect, test } from "vitest";
import { marksMax } from "#shared/limits.ts";
import { groupMarksByRow } from "#shared/row-groups.ts";
import { type Page, sayWords, type World } from "./kit/harness.ts";

const stored = (world: World, id = "lecture-1") => world.server.lectures.get(id)?.marks ?? [];
const listMarkedRows = (page: Page) => [
  ...groupMarksByRow(page.lecture.marks.get(), page.rows()).keys(),
];

test("a mark stays with the sentence being spoken once that is a row, and is saved", async () => {
  const { world, page } = await sayWords(6);
  const { session } = page;
  const rows = page.rows().length;
  expect(session.lecture.get().transcript.live.get()).not.toBeNull();
  const mark = session.lecture.get().addMark(null);
  await page.say(7, 20);
  await page.finish(session.stop());
  expect(page.rows().length).toBeGreaterThan(rows + 2);
  expect(listMarkedRows(page)).toEqual([rows]);
  await world.clock.until(() => page.view.saveState === "saved");
  expect(stored(world)).toEqual([mark]);
});

test("without a sentence being spoken, the last one is marked", async () => {
  const { page } = await sayWords(12);
  await page.stop();
  expect(page.lecture.transcript.live.get()).toBeNull();
  page.lecture.addMark(null);
  page.lecture.addMark(0);
  expect(listMarkedRows(page)).toEqual([0, page.rows().length - 1]);
});

test("marks and notes are saved again until the server has them", async () => {
  const { world, page } = await sayWords(10);
  await page.stop();
  await world.clock.until(() => page.view.saveState === "saved");
  world.server.fail("changeMarks");
  const mark = page.lecture.addMark(1);
  if (!mark) throw new Error("not marked");
  page.lecture.putMark({ ...mark, note: "Why?" });
  await world.clock.advance(60_000);
  expect(page.view.saveState).toBe("retrying");
  expect(page.session.hasUnsavedChanges()).toBe(true);
  world.server.before = () => {};
  await world.clock.until(() => page.view.saveState === "saved");
  expect(stored(world)).toEqual([{ ...mark, note: "Why?" }]);
  page.lecture.deleteMark(mark);
  await world.clock.until(() => stored(world).length === 0);
  expect(page.lecture.marks.get()).toEqual([]);
});

test("another page finds the marks, also of a lecture without times", async () => {
  const { world, page } = await sayWords(10);
  await page.stop();
  const mark = page.lecture.addMark(1);
  await world.clock.until(() => page.view.saveState === "saved");
  const lecture = world.lecture();
  for (const entry of lecture?.entries ?? []) Object.assign(entry, { startMs: 0, endMs: 0 });
  const other = await world.open();
  expect(other.lecture.marks.get()).toEqual([mark]);
  expect(other.lecture.addMark(1)).toMatchObject({ atMs: 0, position: 1 });
});

test("a lecture with all the marks it may have says so", async () => {
  const { page } = await sayWords(10);
  for (let n = 0; n < marksMax; n += 1) expect(page.lecture.addMark(0)).not.toBeNull();
  expect(page.lecture.addMark(0)).toBeNull();
  expect(page.notices.at(-1)).toEqual({ kind: "capacityReached", code: "lecture_full" });
  expect(page.lecture.marks.get()).toHaveLength(marksMax);
});

test.each([0, 60_000])(
  "a mark is restored in its own lecture %i ms after another was opened",
  async (delayMs) => {
    const { world, page } = await sayWords(10);
    await page.stop();
    const mark = page.lecture.addMark(0);
    if (!mark) throw new Error("not marked");
    const restore = page.lecture.deleteMark(mark);
    await page.reset();
    await world.clock.advance(delayMs);
    expect(stored(world)).toEqual([]);
    restore();
    expect(page.lecture.marks.get()).toEqual([]);
    await world.clock.until(() => stored(world).length > 0);
    expect(stored(world)).toEqual([mark]);
  },
);
