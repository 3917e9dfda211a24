import { describe, expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { openPage, sayWords, World } from "./kit/harness.ts";
import { getExpectedText, sound } from "./kit/simulated-room.ts";

const offline = () => new ApiError("unavailable", true);

describe("a new lecture", () => {
  test("notifies after a reset by the person, not after a quiet one", async () => {
    const { page } = openPage();
    for (const quiet of [true, false]) {
      await page.record();
      await page.say(1, 3);
      await page.reset({ quiet });
      expect(page.view.status).toBe("ready");
      expect(page.view.lecture === null).toBe(quiet);
      expect(page.kinds.includes("newLectureCreated")).toBe(!quiet);
    }
    expect(page.kinds.filter((kind) => kind === "recordingStopped")).toHaveLength(2);
  });

  test("is created in the folder whose list led to it, with that folder's terms read before", async () => {
    const { world, page } = openPage();
    world.server.folders.add("cells");
    const term: GlossaryTerm = {
      id: "term",
      folderId: "cells",
      language: "en",
      term: "mitosis",
      translations: {},
      note: "",
      origin: { kind: "person", name: "" },
      position: 0,
      isLeftOut: false,
    };
    world.server.glossaries.set("cells", { folderIds: ["cells", null], terms: [term] });
    page.session.setNewFolder("cells");
    await world.clock.advance(0);
    expect(page.lecture.terms.get()).toEqual([term]);
    expect(page.view.lecture).toBeNull();
    await page.record();
    expect(page.view.lecture?.folderId).toBe("cells");
    expect(page.kinds).toEqual(["recordingStarted"]);
    page.session.setNewFolder(null);
    expect(page.view.lecture?.folderId).toBe("cells");
    await page.say(1, 3);
    await page.reset();
    expect(page.view.lecture?.folderId).toBeNull();
  });

  test("is created in no folder, and says so, when that one is gone", async () => {
    const { page } = openPage();
    page.session.setNewFolder("gone");
    await page.record();
    expect(page.view.lecture?.folderId).toBeNull();
    expect(page.kinds).toContain("newFolderMissing");
    expect(page.view.status).toBe("recording");
  });

  test("is created as a draft at once, and an untouched draft is used again", async () => {
    const { world, page } = openPage();
    await page.reset();
    const { lecture } = page.view;
    expect(lecture).toMatchObject({ status: "draft" });
    const id = lecture?.id ?? "";
    expect(world.lecture(id)).toMatchObject({ targetLanguage: "zh-cn" });
    await page.reset();
    expect(page.view.lecture).toBe(lecture);
    expect(page.kinds).toEqual(["newLectureCreated", "newLectureCreated"]);
    page.lecture.setContext("Greek");
    await page.reset();
    expect(page.view.lecture?.id).not.toBe(id);
    expect(page.view.context).toBe("");
    expect(world.lecture(id)?.context).toBe("Greek");
    expect(world.server.titles).toHaveLength(2);
  });

  test.each([
    [new ApiError("internal", true), "createLectureFailed"],
    [new ApiError("unauthenticated", false), "sessionExpired"],
    [new ApiError("sign_in_required", false), "signInRequired"],
  ] as const)(
    "is reported when it cannot be created, and is created with the first recording",
    async (error, kind) => {
      const { world, page } = openPage();
      world.server.fail("createLecture", error);
      await page.reset();
      expect(page.kinds).toEqual([kind]);
      expect(page.view).toMatchObject({ status: "ready", busy: null, lecture: null });
      world.server.before = () => {};
      await page.recordWords(1, 5);
      expect(page.text()).toBe(getExpectedText(5));
      expect(world.server.titles).toHaveLength(1);
    },
  );
});

describe("a start that cannot finish", () => {
  test("keeps the context after a failed start", async () => {
    const { world, page } = openPage();
    page.microphone.error = "denied";
    world.server.before = () => {
      throw offline();
    };
    page.lecture.setContext("Greek");
    await page.record();
    expect(page.view).toMatchObject({ status: "ready", context: "Greek", connection: "idle" });
  });

  test("is ended by Stop while the server does not answer, and its audio is transcribed", async () => {
    const { world, page } = openPage();
    let isHanging = true;
    world.server.before = (call) =>
      isHanging && call === "createLecture" ? new Promise<void>(() => {}) : undefined;
    void page.session.record();
    await world.clock.advance(10);
    expect(page.view).toMatchObject({ busy: "starting", canStop: true });
    await page.say(1, 6);
    isHanging = false;
    await page.stop();
    expect(page.view).toMatchObject({ status: "paused", busy: null, canStop: false });
    expect(page.text()).toBe(getExpectedText(6));
    expect(page.microphone.openCount).toBe(0);
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.storedText()).toBe(getExpectedText(6));
  });

  test("ends by itself when the server never answers, and keeps the audio for Continue", async () => {
    const { world, page } = openPage();
    const late = Promise.withResolvers<void>();
    world.server.before = () => late.promise;
    const started = page.session.record();
    await world.clock.advance(10);
    await page.say(1, 8);
    await page.finish(started);
    // After its words this microphone delivers nothing until the end.
    expect(page.kinds).toEqual(["soundMissing", "createLectureFailed"]);
    expect(page.view).toMatchObject({ status: "paused", busy: null, microphone: "off" });
    expect(page.session.hasUnsavedChanges()).toBe(true);
    late.resolve();
    await world.clock.advance(10);
    // The page has given up its first call, and creates the lecture for the sound.
    expect(world.server.titles.length).toBe(1);
    await page.recordWords(9, 12);
    expect(page.text()).toBe(getExpectedText(12));
  });

  test("still creates the first lecture from its audio after another one was opened", async () => {
    const { world, page } = openPage();
    await world.server.createLecture({ id: "other", title: "O", targetLanguage: "zh-cn" });
    let isHanging = true;
    world.server.before = (call) =>
      isHanging && call === "createLecture" ? new Promise<void>(() => {}) : undefined;
    void page.session.record();
    await world.clock.advance(10);
    await page.say(1, 6);
    await page.load("other");
    expect(page.view.lecture?.id).toBe("other");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    isHanging = false;
    const original = () => world.entries().map((entry) => entry.original);
    await world.clock.until(() => original().join(" ") === getExpectedText(6));
    await world.clock.until(() => !page.session.hasUnsavedChanges());
    expect(world.room.maxOpenCount).toBe(1);
  });

  test("is ended by Stop while a guest's ticket does not arrive", async () => {
    const { world, page } = openPage({ identity: "guest" });
    world.server.before = () => new Promise<void>(() => {});
    await page.recordWords(1, 4);
    expect(page.view).toMatchObject({ status: "paused", busy: null });
    world.server.before = () => {};
    for (const wake of page.wake) wake();
    await world.clock.until(() => page.text() === getExpectedText(4));
  });
});

describe("starting and stopping", () => {
  test("stops while the microphone permission is pending", async () => {
    const { world, page } = openPage();
    page.microphone.answer = new Promise(() => {});
    const started = page.session.record();
    await world.clock.advance(100);
    expect(page.view).toMatchObject({ busy: "starting", microphone: "requesting" });
    await page.stop();
    await page.finish(started);
    expect(page.view).toMatchObject({ status: "ready", busy: null, connection: "idle" });
    expect(page.microphone.captureCount).toBe(0);
    expect(page.kinds).not.toContain("recordingStarted");
    page.microphone.answer = Promise.resolve();
    await page.record();
    expect(page.view.status).toBe("recording");
  });

  test("runs a command once after a double click", async () => {
    const { page } = openPage();
    const started = [page.session.record(), page.session.record()];
    for (const each of started) await page.finish(each);
    await page.say(1, 3);
    const stopped = [page.session.stop(), page.session.stop()];
    for (const each of stopped) await page.finish(each);
    expect(page.microphone.captureCount).toBe(1);
    expect(page.view.status).toBe("paused");
    expect(page.kinds.filter((kind) => kind === "recordingPaused")).toHaveLength(1);
    expect(page.text()).toBe(getExpectedText(3));
  });

  test.each([
    ["denied", "microphoneDenied"],
    ["missing", "microphoneMissing"],
    ["unsupported", "notSupported"],
    ["failed", "startFailed"],
    ["busy", "microphoneBusy"],
    ["stuck", "startTimedOut"],
  ] as const)("reports a microphone that is %s", async (error, kind) => {
    const { page } = openPage();
    page.microphone.error = error;
    await page.record();
    expect(page.kinds).toEqual([kind]);
    expect(page.view).toMatchObject({ status: "ready", busy: null, microphone: "off" });
    expect(page.view.connection).toBe("idle");
  });

  test("reports a lecture that cannot be created, and starts once it can", async () => {
    const { world, page } = openPage();
    world.server.before = () => {
      throw new ApiError("unauthenticated", false);
    };
    await page.record();
    expect(page.kinds).toEqual(["sessionExpired"]);
    expect(page.microphone.open).toBeNull();
    expect(world.room.connections).toBe(0);
    world.server.before = () => {};
    await page.recordWords(1, 2);
    expect(page.text()).toBe(getExpectedText(2));
  });

  test("pauses and keeps the transcript when the only microphone is unplugged", async () => {
    const { world, page } = await sayWords(6);
    page.microphone.error = "missing";
    page.microphone.open?.lost();
    await world.clock.until(() => page.kinds.includes("recordingPaused"));
    expect(page.kinds).toContain("microphoneLost");
    expect(page.text()).toBe(getExpectedText(6));
  });

  test("logs a gap of more than 5 s between chunks", async () => {
    const { world, page } = await sayWords(2);
    await world.clock.advance(4_000);
    await page.say(3, 4);
    expect(page.log).not.toContain("gap between audio chunks");
    await world.clock.block(6_000);
    await page.say(5, 5);
    expect(page.log).toContain("gap between audio chunks");
  });

  test("does not connect again when it is disposed of during a stop", async () => {
    const { world, page } = await sayWords(6, { codec: "opus" });
    // The encoder has not returned it yet, so the stop waits.
    page.microphone.open?.chunk(sound(7, page.microphone.chunkSamples));
    void page.session.stop();
    await world.clock.advance(1);
    page.session.dispose();
    await world.clock.advance(60_000);
    expect([world.room.connections, world.room.openCount]).toEqual([1, 0]);
  });

  test("ends everything on dispose and leaves no timer", async () => {
    const { world, page } = await sayWords(6);
    page.session.dispose();
    await world.clock.advance(60_000);
    expect(page.microphone.open).toBeNull();
    expect(world.room.maxOpenCount).toBe(1);
    expect(world.clock.timers).toBe(0);
    await page.session.record();
    expect(page.microphone.captureCount).toBe(1);
  });
});

test("calls the other listeners and goes on when one fails on a notice", async () => {
  const page = new World().page();
  page.session.onNotice(() => {
    throw new Error("the page is broken");
  });
  const noticeKinds: string[] = [];
  page.session.onNotice(({ kind }) => noticeKinds.push(kind));
  await page.record();
  await page.say(1, 3);
  await page.load("lecture-that-is-not");
  expect(page.view.busy).toBeNull();
  expect(noticeKinds).toContain("recordingStopped");
  expect(noticeKinds).toEqual(page.kinds);
  expect(page.log).toContain("notice not shown");
});
