// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import { EditableLecture } from "#client/realtime/lecture/editable-lecture.ts";
import { createEmptyState } from "#client/realtime/lecture/initial-state.ts";
import { withLimits } from "#client/realtime/server-api-limits.ts";
import {
  discardDocument,
  getDocument,
  isDocumentShown,
  listDocuments,
  markDeleted,
  saveDocument,
  showDocument,
} from "#client/state/document-registry.ts";
import { type Visitor, visitor } from "#client/state/visitor.ts";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { createUser } from "#tests/unit/client/kit/user.ts";
import { World } from "#tests/unit/client/realtime/kit/harness.ts";

let world: World;

function open(): EditableLecture {
  const { server, clock } = world;
  return getDocument(
    "one",
    () =>
      new EditableLecture(
        {
          api: withLimits(server, clock, { engines: undefined, onExhausted() {} }).api,
          ports: { clock, log: { warn() {} }, random: () => 0.5, newId: () => "mark" },
          identity: "user",
          notify() {},
          onChange() {},
        },
        {
          ...createEmptyState("one", {
            sourceLanguage: "en",
            targetLanguage: "zh-cn",
            isTwoWay: false,
          }),
          lecture: createLectureInfo({ status: "completed" }),
        },
      ),
  );
}

const asksBeforeLeaving = () =>
  !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

beforeEach(async () => {
  world = new World();
  visitor.set(createUser("one"));
  await world.server.createLecture({ id: "one", title: "One", targetLanguage: "zh-cn" });
});
afterEach(() => discardDocument("one"));

it("saves a lecture that was left at once, and then lets it go", async () => {
  const lecture = open();
  const leave = showDocument(lecture);
  lecture.setContext("Mine.");
  leave();
  expect(asksBeforeLeaving()).toBe(true);
  await world.clock.advance(0);
  expect(world.server.lectures.get("one")?.context).toBe("Mine.");
  expect(listDocuments()).toEqual([]);
  expect(asksBeforeLeaving()).toBe(false);
});

it("keeps what could not be saved, and shows it at the next visit", async () => {
  const lecture = open();
  const leave = showDocument(lecture);
  world.server.before = () => new Promise(() => {});
  lecture.setContext("Mine.");
  leave();
  await world.clock.advance(5_000);
  expect(isDocumentShown("one")).toBe(false);
  expect(open()).toBe(lecture);
});

it("keeps an unsaved summary for the next visit, asks before the page is closed, and saves nothing of it", async () => {
  const lecture = open();
  const leave = showDocument(lecture);
  lecture.editSummary("Mine.");
  expect(asksBeforeLeaving()).toBe(true);
  leave();
  await world.clock.advance(60_000);
  expect(open()).toBe(lecture);
  expect(lecture.summary.get()).toMatchObject({ text: "", draft: "Mine." });
  expect(world.server.changes).toEqual([]);
  lecture.editSummary(null);
  expect(asksBeforeLeaving()).toBe(false);
});

it("does not ask because of what cannot be saved after a deletion elsewhere, until it is shown again", async () => {
  const lecture = open();
  const leave = showDocument(lecture);
  world.server.lectures.delete("one");
  lecture.setContext("Mine.");
  await world.clock.advance(5_000);
  expect(asksBeforeLeaving()).toBe(true);
  markDeleted("one");
  leave();
  await world.clock.advance(5_000);
  expect(lecture.hasUnsavedChanges).toBe(true);
  expect(asksBeforeLeaving()).toBe(false);
  expect(open()).toBe(lecture);
  showDocument(lecture);
  expect(asksBeforeLeaving()).toBe(true);
});

it("stays open where the page shows it again at once", async () => {
  const lecture = open();
  // As React does in development.
  showDocument(lecture)();
  showDocument(lecture);
  await world.clock.advance(0);
  expect(open()).toBe(lecture);
  expect(lecture.isDisposed).toBe(false);
});

it("is saved before a recording opens it, and stays open while the page shows it", async () => {
  const lecture = open();
  const leave = showDocument(lecture);
  lecture.setContext("Mine.");
  await saveDocument("one");
  expect(world.server.lectures.get("one")?.context).toBe("Mine.");
  lecture.setContext("Ours.");
  expect(lecture.isDisposed).toBe(false);
  leave();
  await world.clock.advance(0);
  expect(world.server.lectures.get("one")?.context).toBe("Ours.");
  expect(saveDocument("one")).toBeNull();
});

it.each<[string, Visitor, boolean]>([
  ["somebody else is there", createUser("two"), true],
  ["its user has signed out", { kind: "anonymous" }, true],
  ["its user's session has expired", { kind: "anonymous", expired: true }, false],
])("is dropped or not when %s", async (_case, next, isDropped) => {
  const lecture = open();
  lecture.setContext("Mine.");
  visitor.set(next);
  expect(lecture.isDisposed).toBe(isDropped);
});
