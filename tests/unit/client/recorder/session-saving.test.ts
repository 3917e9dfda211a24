import { describe, expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { openPage, recordWords, sayWords, startRecording } from "./kit/harness.ts";
import { getExpectedText, sound } from "./kit/simulated-room.ts";

describe("saving", () => {
  test("creates the lecture before anything is recorded, once, and records into it", async () => {
    const { world, page } = openPage();
    const create = async () => {
      const creating = page.session.createLecture();
      await page.finish(creating.then(() => {}));
      return creating;
    };
    const id = await create();
    expect(page.view.lecture).toMatchObject({ id, status: "draft" });
    expect(await create()).toBe(id);
    await page.record();
    page.session.setShared(id, true);
    await page.say(1, 9);
    await page.stop();
    expect([...world.server.lectures.keys()]).toEqual([id]);
    expect(world.storedText(id)).toBe(getExpectedText(9));
  });

  test("shows nothing as saved while it fails, then saves in order", async () => {
    const { world, page } = await startRecording();
    world.server.fail("saveRows");
    await page.say(1, 9);
    const states = new Set<string>([page.view.saveState]);
    page.session.view.subscribe(() => states.add(page.view.saveState));
    await page.say(10, 70);
    expect(states).not.toContain("saved");
    expect(page.view.saveState).toBe("retrying");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    world.server.before = () => {};
    await page.stop();
    expect(page.view.saveState).toBe("saved");
    expect(world.storedText()).toBe(getExpectedText(70));
  });

  test.each([false, true])(
    "saves the last words once the room is back (lecture opened again: %s)",
    async (reopened) => {
      const { world, page } = await sayWords(6);
      world.room.goDown();
      await page.say(7, 18);
      await page.save("Greek");
      expect(page.kinds.at(-1)).toBe("lectureSaved");
      const saved = { id: "lecture-1", title: "Greek", status: "completed" };
      expect(page.view).toMatchObject({ status: "paused", busy: null, lecture: saved });
      const original = () => world.entries().map((entry) => entry.original);
      expect(original().join(" ")).not.toBe(getExpectedText(18));
      if (reopened) {
        await page.reset();
        await page.load("lecture-1");
        expect(page.view).toMatchObject({ lecture: saved, busy: null, connection: "draining" });
        expect(page.text()).toBe(getExpectedText(6));
      }
      world.room.refuses = null;
      for (const wake of page.wake) wake();
      await world.clock.until(() => page.text() === getExpectedText(18));
      await world.clock.until(() => original().join(" ") === getExpectedText(18));
      expect(world.lecture()?.status).toBe("completed");
      expect(world.room.maxOpenCount).toBe(1);
      await world.clock.advance(60_000);
      expect(page.session.hasUnsavedChanges()).toBe(false);
      page.session.dispose();
      await world.clock.advance(60_000);
      expect(world.clock.timers).toBe(0);
    },
  );

  test("saves on wake after the person has signed in again", async () => {
    const { world, page } = await startRecording();
    world.server.fail("saveRows", new ApiError("unauthenticated", false));
    await page.say(1, 12);
    await page.stop();
    await world.clock.advance(60_000);
    expect(page.kinds.filter((kind) => kind === "sessionExpired")).toHaveLength(1);
    expect(page.view.saveState).toBe("failed");
    world.server.before = () => {};
    page.session.wake();
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.storedText()).toBe(getExpectedText(12));
  });

  test("waits at Save for the words of sound that is under way", async () => {
    const { world, page } = await startRecording();
    await page.sayChunk(1);
    expect(page.text()).toBe("");
    expect(page.session.canSave()).toBe(true);
    const saving = page.session.save("Greek");
    await world.clock.advance(10);
    expect(page.view).toMatchObject({ status: "paused", busy: "saving" });
    await page.finish(saving);
    expect(page.notices.at(-1)).toEqual({ kind: "lectureSaved", words: 1, unsentSeconds: 0 });
  });

  test("says at Save that there is nothing when the sound was silence", async () => {
    const { world, page } = await startRecording();
    await page.sayChunk(0);
    await page.save("Greek");
    expect(page.notices.at(-1)).toEqual({ kind: "noContent", for: "save" });
    expect(page.view).toMatchObject({ status: "paused", busy: null });
    expect(world.lecture()?.status).toBe("draft");
  });

  test("reports a failed Save and keeps the lecture open", async () => {
    const { world, page } = await recordWords(5);
    world.server.fail("completeLecture");
    await page.save("Greek");
    expect(page.kinds.at(-1)).toBe("saveFailed");
    expect(page.view).toMatchObject({ status: "paused", busy: null });
    expect(page.text()).toBe(getExpectedText(5));
    world.server.before = () => {};
    await page.save("Greek");
    expect(world.lecture()).toMatchObject({ title: "Greek" });
  });
});

test("saves before a quiet reset ends, even when the server is slow", async () => {
  const { world, page } = await recordWords(9);
  world.server.before = (call) =>
    call === "updateLecture"
      ? new Promise((answer) => world.clock.after(6_000, answer))
      : Promise.resolve();
  page.lecture.setContext("Mine.");
  await page.reset({ quiet: true });
  page.session.dispose();
  expect(world.lecture()?.context).toBe("Mine.");
});

test("shows a title that was changed in the library", async () => {
  const { page } = await recordWords(12);
  page.session.onLectureRenamed("another", "Latin");
  expect(page.view.lecture?.title).not.toBe("Latin");
  page.session.onLectureRenamed("lecture-1", "Greek");
  expect(page.view.lecture).toMatchObject({ id: "lecture-1", title: "Greek", status: "draft" });
});

describe("a lecture that is deleted", () => {
  test("while it is open: makes no more calls and reports no failure", async () => {
    const { world, page } = openPage();
    world.server.translation = () => new Promise(() => {});
    await page.record();
    await page.say(1, 12);
    world.server.lectures.delete("lecture-1");
    page.session.onLectureDeleted("lecture-1");
    await world.clock.until(() => page.view.busy === null);
    expect(page.view).toMatchObject({ status: "ready", lecture: null, connection: "idle" });
    expect(page.microphone.openCount).toBe(0);
    await world.clock.advance(60_000);
    expect(page.kinds).toEqual(["recordingStarted"]);
    expect(page.session.hasUnsavedChanges()).toBe(false);
    // Until the lecture has left the trash.
    expect(world.takes.takes.size).toBe(1);
  });

  test("while it is being recorded: stores nothing that comes later", async () => {
    const { world, page } = await recordWords(12);
    await page.record();
    const { open } = page.microphone;
    page.session.onLectureDeleted("lecture-1");
    const { size } = world.takes.takes;
    open?.chunk(sound(13));
    await world.clock.advance(60_000);
    expect(world.takes.takes.size).toBe(size);
    expect(world.storedText()).toBe(getExpectedText(12));
  });

  test("and restored: has the words of sound that waited for the room", async () => {
    const { world, page } = openPage();
    world.room.stalled = true;
    await page.record();
    await page.say(1, 12);
    await page.finish(page.session.reset({ quiet: true }));
    const lecture = world.server.lectures.get("lecture-1");
    world.server.lectures.delete("lecture-1");
    page.session.onLectureDeleted("lecture-1");
    await world.clock.advance(60_000);
    if (lecture) world.server.lectures.set("lecture-1", lecture);
    world.room.stalled = false;
    world.room.drop();
    await page.load("lecture-1");
    await world.clock.until(() => world.storedText() === getExpectedText(12));
  });

  test("elsewhere while it is being recorded: is reported once, stops all calls and can be kept as a new lecture", async () => {
    const { world, page } = await sayWords(9);
    page.lecture.setContext("Nine words.");
    world.server.lectures.delete("lecture-1");
    world.room.sayRefusal("not_found", "Gone.");
    await page.say(10, 12);
    await world.clock.advance(60_000);
    expect(page.view.status).toBe("paused");
    expect(page.notices).toContainEqual({ kind: "lectureDeletedElsewhere", id: "lecture-1" });
    const requests: string[] = [];
    world.server.before = (call) => {
      requests.push(call);
    };
    page.lecture.correctRow(0, { translated: "我的" });
    page.lecture.editSummary("Nine words, in order.");
    await world.clock.advance(60_000);
    expect(requests).toEqual([]);
    expect(page.kinds.filter((kind) => kind === "lectureDeletedElsewhere")).toHaveLength(1);
    expect(page.kinds).not.toContain("saveFailed");
    expect(page.kinds).not.toContain("lectureNotFound");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    expect(page.text()).toBe(getExpectedText(9));

    await page.finish(page.session.keepAsNewLecture("another"));
    expect(page.view.lecture?.id).toBe("lecture-1");
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    await world.clock.until(() => page.view.saveState === "saved");
    const kept = world.lecture(page.view.lecture?.id);
    expect(page.view.lecture?.id).not.toBe("lecture-1");
    // The microphone had delivered one word more before it was let go.
    expect(world.storedText(page.view.lecture?.id)).toBe(getExpectedText(10));
    expect(kept?.entries[0]?.translated).toBe("我的");
    expect(kept?.summary).toBe("Nine words, in order.");
    expect(page.kinds.slice(-2)).toEqual(["newLectureCreated", "soundRecovered"]);
    await page.recordWords(11, 15);
    expect(page.text()).toBe(getExpectedText(15));
    expect(page.session.hasUnsavedChanges()).toBe(false);
  });

  test("elsewhere with unsent audio: the new lecture transcribes that audio too", async () => {
    const { world, page } = await sayWords(9);
    world.room.goDown();
    await page.say(10, 30);
    world.server.lectures.delete("lecture-1");
    world.room.refuses = "not_found";
    await world.clock.until(() => page.kinds.includes("lectureDeletedElsewhere"));
    await world.clock.until(() => page.view.status === "paused" && page.view.busy === null);
    world.room.refuses = null;
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    await world.clock.until(() => page.text() === getExpectedText(30));
    await world.clock.until(() => page.view.saveState === "saved");
    await page.recordWords(31, 35);
    expect(page.text()).toBe(getExpectedText(35));
    expect(world.storedText(page.view.lecture?.id)).toBe(getExpectedText(35));
    await world.clock.advance(5_000);
    expect(world.takes.listLectureChunks("lecture-1")).toEqual([]);
  });

  test("elsewhere while it is only open: reports at the next change, and saves it after a restore", async () => {
    const { world, page } = await recordWords(5);
    const deleted = world.lecture();
    world.server.lectures.delete("lecture-1");
    page.lecture.correctRow(0, { translated: "我的" });
    await world.clock.until(() => page.kinds.includes("lectureDeletedElsewhere"));
    expect(page.view.saveState).toBe("failed");
    if (deleted) world.server.lectures.set("lecture-1", deleted);
    page.session.wake();
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.lecture()?.entries[0]?.translated).toBe("我的");
    page.lecture.setContext("Five words.");
    await world.clock.until(() => world.lecture()?.context === "Five words.");
    expect(page.kinds.filter((kind) => kind === "lectureDeletedElsewhere")).toHaveLength(1);
  });

  test("after it was left with running translations: reports no failure", async () => {
    const { world, page } = openPage();
    world.server.translation = () => new Promise(() => {});
    await page.record();
    await page.say(1, 12);
    await page.reset({ quiet: true });
    world.server.lectures.delete("lecture-1");
    await world.clock.advance(600_000);
    expect(page.kinds).not.toContain("saveFailed");
    expect(page.kinds).not.toContain("lectureNotFound");
    expect(page.session.hasUnsavedChanges()).toBe(false);
  });
});

describe.each(["lecture_full", "account_full"] as const)("refused with %s", (code) => {
  test("is reported once, stops retrying, keeps every row and saves them when there is room", async () => {
    const { world, page } = await startRecording();
    let requests = 0;
    world.server.before = (call) => {
      if (call !== "saveRows") return;
      requests += 1;
      throw new ApiError(code, false);
    };
    await page.say(1, 30);
    await world.clock.until(() => page.kinds.includes("capacityReached"));
    const before = requests;
    await page.say(31, 60);
    await world.clock.advance(300_000);
    expect(requests).toBe(before);
    expect(page.kinds.filter((kind) => kind === "capacityReached")).toHaveLength(1);
    expect(page.view.saveState).toBe("failed");
    world.server.before = () => {};
    page.session.wake();
    await world.clock.until(() => page.view.saveState === "saved");
    await page.stop();
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.storedText()).toBe(getExpectedText(60));
  });

  test("is kept of a recording that was left, and saved when there is room", async () => {
    const { world, page } = await startRecording();
    await page.say(1, 10);
    await world.clock.until(() => world.storedText() !== "");
    world.server.before = (call) => {
      if (call === "saveRows") throw new ApiError(code, false);
    };
    await page.say(11, 30);
    page.lecture.correctRow(0, { translated: "手" });
    await page.reset({ quiet: true });
    await world.clock.advance(300_000);
    expect(page.session.hasUnsavedChanges()).toBe(true);
    world.server.before = () => {};
    page.session.wake();
    await world.clock.until(() => !page.session.hasUnsavedChanges());
    expect(world.storedText()).toBe(getExpectedText(30));
    expect(world.lecture()?.entries[0]?.translated).toBe("手");
  });
});

describe("a page that is being left", () => {
  test("sends unsaved changes in keepalive requests", async () => {
    const { world, page } = await recordWords(10);
    page.lecture.correctRow(0, { translated: "手" });
    page.lecture.setContext("Greek");
    const mark = page.lecture.addMark(0);
    expect(world.server.keepaliveCalls).toEqual([]);
    for (const hide of page.hide) hide();
    page.session.dispose();
    await world.clock.advance(1);
    const calls = ["updateLecture", "changeMarks", "saveRows"];
    expect(world.server.keepaliveCalls).toEqual(calls);
    expect(world.lecture()?.marks).toEqual([mark]);
    expect(world.lecture()?.context).toBe("Greek");
    expect(world.lecture()?.entries[0]).toMatchObject({
      translated: "手",
      spokenIn: "en",
      translatedByHand: true,
    });
  });
});
