import { describe, expect, test } from "vitest";
import { ApiError } from "#client/realtime/server-api.ts";
import { World } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

const offline = () => new ApiError("unavailable", true);

describe("a new lecture", () => {
  test("is told of when it was asked for, not when the recording only has to end", async () => {
    const world = new World();
    const page = world.page();
    for (const quiet of [true, false]) {
      await page.finish(page.session.record());
      await page.say(1, 3);
      await page.finish(page.session.reset({ quiet }));
      expect(page.view.status).toBe("ready");
      expect(page.view.lecture === null).toBe(quiet);
      expect(page.kinds.includes("newLectureCreated")).toBe(!quiet);
    }
    expect(page.kinds.filter((kind) => kind === "recordingStopped")).toHaveLength(2);
  });

  test("is a draft of the library at once, and one that is untouched is kept", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.reset());
    const { lecture } = page.view;
    expect(lecture).toMatchObject({ id: "lecture-2", status: "draft" });
    expect(world.server.lectures.get("lecture-2")).toMatchObject({ targetLanguage: "zh-cn" });
    await page.finish(page.session.reset());
    expect(page.view.lecture).toBe(lecture);
    expect(page.kinds).toEqual(["newLectureCreated", "newLectureCreated"]);
    page.session.setContext("Greek");
    await page.finish(page.session.reset());
    expect(page.view.lecture?.id).toBe("lecture-3");
    expect(page.view.context).toBe("");
    expect(world.server.lectures.get("lecture-2")?.context).toBe("Greek");
    expect(world.server.titles).toHaveLength(2);
  });

  test.each([
    [new ApiError("internal", true), "createLectureFailed"],
    [new ApiError("unauthenticated", false), "sessionExpired"],
    [new ApiError("sign_in_required", false), "signInRequired"],
  ] as const)(
    "that cannot be created is told of, and made when it is recorded",
    async (fault, kind) => {
      const world = new World();
      const page = world.page();
      world.server.before = (call) => {
        if (call === "createLecture") throw fault;
      };
      await page.finish(page.session.reset());
      expect(page.kinds).toEqual([kind]);
      expect(page.view).toMatchObject({ status: "ready", busy: null, lecture: null });
      world.server.before = () => {};
      await page.finish(page.session.record());
      await page.say(1, 5);
      await page.finish(page.session.stop());
      expect(page.text()).toBe(getExpectedText(5));
      expect(world.server.titles).toHaveLength(1);
    },
  );
});

describe("a start always has a way out", () => {
  test("one that fails keeps what was noted for it", async () => {
    const world = new World();
    const page = world.page();
    page.microphone.error = "denied";
    world.server.before = () => {
      throw offline();
    };
    page.session.setContext("Greek");
    await page.finish(page.session.record());
    expect(page.view).toMatchObject({ status: "ready", context: "Greek", connection: "idle" });
  });

  test("while the server does not answer: Stop ends it, and what was said becomes words", async () => {
    const world = new World();
    const page = world.page();
    let hangs = true;
    world.server.before = (call) =>
      hangs && call === "createLecture" ? new Promise<void>(() => {}) : undefined;
    void page.session.record();
    await world.clock.advance(10);
    expect(page.view).toMatchObject({ busy: "starting", canStop: true });
    await page.say(1, 6);
    hangs = false;
    await page.finish(page.session.stop());
    expect(page.view).toMatchObject({ status: "paused", busy: null, canStop: false });
    expect(page.text()).toBe(getExpectedText(6));
    expect(page.microphone.openCount).toBe(0);
    await world.clock.until(() => page.view.saveState === "saved");
    const entries = world.server.lectures.get("lecture-1")?.entries ?? [];
    expect(entries.map((entry) => entry.english).join(" ")).toBe(getExpectedText(6));
  });

  test("a server that never answers ends it by itself; the sound waits to be continued with", async () => {
    const world = new World();
    const page = world.page();
    let hangs = true;
    world.server.before = () => (hangs ? new Promise<void>(() => {}) : undefined);
    const started = page.session.record();
    await world.clock.advance(10);
    await page.say(1, 8);
    await page.finish(started);
    expect(page.kinds).toEqual(["createLectureFailed"]);
    expect(page.view).toMatchObject({ status: "paused", busy: null, microphone: "off" });
    expect(page.session.hasUnsavedChanges()).toBe(true);
    hangs = false;
    await page.finish(page.session.record());
    await page.say(9, 12);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(getExpectedText(12));
  });

  test("left for another lecture before the first was created: its sound still becomes a lecture", async () => {
    const world = new World();
    const page = world.page();
    await world.server.createLecture({ id: "other", title: "O", targetLanguage: "zh-cn" });
    let hangs = true;
    world.server.before = (call) =>
      hangs && call === "createLecture" ? new Promise<void>(() => {}) : undefined;
    void page.session.record();
    await world.clock.advance(10);
    await page.say(1, 6);
    await page.finish(page.session.load("other"));
    expect(page.view.lecture?.id).toBe("other");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    hangs = false;
    const english = () =>
      (world.server.lectures.get("lecture-1")?.entries ?? []).map((entry) => entry.english);
    await world.clock.until(() => english().join(" ") === getExpectedText(6));
    await world.clock.until(() => !page.session.hasUnsavedChanges());
    expect(world.room.maxOpenCount).toBe(1);
  });

  test("a guest's ticket that does not come does not hold up Stop", async () => {
    const world = new World();
    const page = world.page({ identity: "guest" });
    world.server.before = () => new Promise<void>(() => {});
    await page.finish(page.session.record());
    await page.say(1, 4);
    await page.finish(page.session.stop());
    expect(page.view).toMatchObject({ status: "paused", busy: null });
    world.server.before = () => {};
    for (const wake of page.wake) wake();
    await world.clock.until(() => page.text() === getExpectedText(4));
  });
});

describe("starting and stopping", () => {
  test("stop while the microphone is still being asked for", async () => {
    const world = new World();
    const page = world.page();
    page.microphone.answer = new Promise(() => {});
    const started = page.session.record();
    await world.clock.advance(100);
    expect(page.view).toMatchObject({ busy: "starting", microphone: "requesting" });
    await page.finish(page.session.stop());
    await page.finish(started);
    expect(page.view).toMatchObject({ status: "ready", busy: null, connection: "idle" });
    expect(page.microphone.opened).toBe(0);
    expect(page.kinds).not.toContain("recordingStarted");
    page.microphone.answer = Promise.resolve();
    await page.finish(page.session.record());
    expect(page.view.status).toBe("recording");
  });

  test("double clicks do once what they say", async () => {
    const world = new World();
    const page = world.page();
    const started = [page.session.record(), page.session.record()];
    for (const each of started) await page.finish(each);
    await page.say(1, 3);
    const stopped = [page.session.stop(), page.session.stop(), page.session.record()];
    for (const each of stopped) await page.finish(each);
    expect(page.microphone.opened).toBe(1);
    expect(page.view.status).toBe("paused");
    expect(page.kinds.filter((kind) => kind === "recordingPaused")).toHaveLength(1);
    expect(page.text()).toBe(getExpectedText(3));
  });

  test.each([
    ["denied", "microphoneDenied"],
    ["missing", "microphoneMissing"],
    ["unsupported", "notSupported"],
    ["failed", "startFailed"],
  ] as const)("a microphone that is %s", async (fault, kind) => {
    const world = new World();
    const page = world.page();
    page.microphone.error = fault;
    await page.finish(page.session.record());
    expect(page.kinds).toEqual([kind]);
    expect(page.view).toMatchObject({ status: "ready", busy: null, microphone: "off" });
    expect(page.view.connection).toBe("idle");
  });

  test("a lecture that cannot be created", async () => {
    const world = new World();
    const page = world.page();
    world.server.before = () => {
      throw new ApiError("unauthenticated", false);
    };
    await page.finish(page.session.record());
    expect(page.kinds).toEqual(["sessionExpired"]);
    expect(page.microphone.open).toBeNull();
    expect(world.room.connections).toBe(0);
    world.server.before = () => {};
    await page.finish(page.session.record());
    await page.say(1, 2);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(getExpectedText(2));
  });

  test("a microphone that is unplugged pauses, keeping the words", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 6);
    page.microphone.open?.lost();
    await world.clock.until(() => page.view.status === "paused");
    expect(page.kinds).toContain("microphoneLost");
    expect(page.text()).toBe(getExpectedText(6));
  });

  test("a gap of more than 5 s between chunks is logged", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 2);
    await world.clock.advance(4_000);
    await page.say(3, 4);
    expect(page.log).not.toContain("gap between audio chunks");
    await world.clock.advance(6_000);
    await page.say(5, 5);
    expect(page.log).toContain("gap between audio chunks");
  });

  test("dispose ends everything and leaves no timer", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 6);
    page.session.dispose();
    await world.clock.advance(60_000);
    expect(page.microphone.open).toBeNull();
    expect(world.room.maxOpenCount).toBe(1);
    expect(world.clock.timers).toBe(0);
    await page.session.record();
    expect(page.microphone.opened).toBe(1);
  });
});

test("a listener that fails on a notice holds up neither the others nor the session", async () => {
  const page = new World().page();
  page.session.onNotice(() => {
    throw new Error("the page is broken");
  });
  const heard: string[] = [];
  page.session.onNotice(({ kind }) => heard.push(kind));
  await page.finish(page.session.record());
  await page.say(1, 3);
  await page.finish(page.session.load("lecture-that-is-not"));
  expect(page.view.busy).toBeNull();
  expect(heard).toContain("recordingStopped");
  expect(heard).toEqual(page.kinds);
  expect(page.log).toContain("notice not shown");
});
