import { beforeEach, expect, it } from "vitest";
import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import { createStateFromLecture } from "#client/lecture/initial-state.ts";
import { type LectureHandle, Lectures } from "#client/lecture/lectures.ts";
import { withTimeouts } from "#client/state/server-api.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { World } from "#tests/unit/client/recorder/kit/harness.ts";

let world: World;
let lectures: Lectures;
let notices: [EditableLecture, string][];

beforeEach(async () => {
  world = new World();
  const { server, clock } = world;
  notices = [];
  lectures = new Lectures({
    api: withTimeouts(server, clock),
    ports: { clock, log: { warn() {} }, random: () => 0.5, newId: () => "mark" },
    identity: "user",
    notify: (lecture, { kind }) => notices.push([lecture, kind]),
    onChange() {},
  });
  await server.createLecture({ id: "one", title: "One", targetLanguage: "zh-cn" });
});

const getStored = () => world.server.getLecture("one");

async function open(kind: "page" | "recording" = "page"): Promise<LectureHandle> {
  return lectures.open(createStateFromLecture(await getStored()), kind);
}

it("saves a lecture that was left at once, and then lets it go", async () => {
  const { lecture, close } = await open();
  lecture.setContext("Mine.");
  close();
  expect(lectures.hasUnsavedChanges).toBe(true);
  await world.clock.advance(0);
  expect(world.server.lectures.get("one")?.context).toBe("Mine.");
  expect(lectures.find("one")).toBeUndefined();
  expect(lecture.isDisposed).toBe(true);
  expect(lectures.hasUnsavedChanges).toBe(false);
});

it("keeps what could not be saved, and shows it at the next visit", async () => {
  const stored = await getStored();
  const { lecture, close } = await open();
  world.server.before = () => new Promise(() => {});
  lecture.setContext("Mine.");
  close();
  await world.clock.advance(5_000);
  expect(lectures.isShown(lecture)).toBe(false);
  const again = lectures.open(createStateFromLecture(stored), "page");
  expect(again.lecture).toBe(lecture);
});

it("keeps an unsaved summary for the next visit, and saves nothing of it", async () => {
  const { lecture, close } = await open();
  lecture.editSummary("Mine.");
  expect(lectures.hasUnsavedChanges).toBe(true);
  close();
  await world.clock.advance(60_000);
  expect((await open()).lecture).toBe(lecture);
  expect(lecture.summary.get()).toMatchObject({ text: "", draft: "Mine." });
  expect(world.server.changes).toEqual([]);
  lecture.editSummary(null);
  expect(lectures.hasUnsavedChanges).toBe(false);
});

it("does not hold the page for what cannot be saved after a deletion elsewhere, until it is opened again", async () => {
  const stored = await getStored();
  const { lecture, close } = await open();
  world.server.lectures.delete("one");
  lecture.setContext("Mine.");
  expect(lectures.hasUnsavedChanges).toBe(true);
  await world.clock.advance(5_000);
  expect(notices).toEqual([[lecture, "lectureDeletedElsewhere"]]);
  close();
  await world.clock.advance(5_000);
  expect(lecture.hasUnsavedChanges).toBe(true);
  expect(lectures.hasUnsavedChanges).toBe(false);
  expect(lectures.open(createStateFromLecture(stored), "page").lecture).toBe(lecture);
  expect(lectures.hasUnsavedChanges).toBe(true);
});

it("is one for its page and its recording, and stays open while one of them holds it", async () => {
  const page = await open();
  const recording = await open("recording");
  expect(recording.lecture).toBe(page.lecture);
  page.close();
  page.close();
  await world.clock.advance(0);
  expect(page.lecture.isDisposed).toBe(false);
  const again = await open();
  recording.discard();
  expect(page.lecture.isDisposed).toBe(false);
  // As React does in development: the effect of a page runs twice.
  again.close();
  expect((await open()).lecture).toBe(page.lecture);
  await world.clock.advance(0);
  expect(page.lecture.isDisposed).toBe(false);
});

it("drops what is not saved when it is discarded", async () => {
  const { lecture, discard } = await open("recording");
  lecture.setContext("Mine.");
  discard();
  await world.clock.advance(60_000);
  expect(lecture.isDisposed).toBe(true);
  expect(world.server.changes).toEqual([]);
});

it("ignores a copy that is older than what it has", async () => {
  const [older, newer] = ["Sells divide.", "Cells divide."].map((original, index) =>
    createEntry(original, 0, { seq: index + 1 }),
  );
  const stored = await getStored();
  const copies = [older, newer].map((entry, index) => ({
    ...stored,
    context: index === 0 ? "Old." : "New.",
    entries: entry ? [entry] : [],
    seq: index + 1,
  }));
  const [before, after] = copies;
  if (!before || !after) throw new Error("no copies");
  const { lecture } = lectures.open(createStateFromLecture(before), "page");
  lecture.updateFrom(after);
  lecture.updateFrom(before);
  expect(lecture.transcript.rows()).toMatchObject([{ original: "Cells divide." }]);
  expect(lecture.view.get().context).toBe("New.");
});
