import { describe, expect, test } from "vitest";
import { openPage, recordWords, sayWords, startRecording } from "./kit/harness.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { getExpectedText, range, wordsIn } from "./kit/simulated-room.ts";

/** A page that records and has stopped; the room has not answered for the last words. */
async function stopWithWordsDue() {
  const { world, page } = await sayWords(9);
  world.room.stalled = true;
  await page.say(10, 12);
  const stopped = page.session.stop();
  return { world, page, stopped };
}

describe("Stop", () => {
  test("is answered at once, and tells when the last words and translations are saved", async () => {
    const { world, page } = await startRecording();
    const answers: (() => void)[] = [];
    world.server.translation = (text) =>
      new Promise((resolve) => answers.push(() => resolve(`«${text}»`)));
    await page.say(1, 7);
    const stopped = page.session.stop();
    const controls = { status: "paused", busy: null, canStop: false, hasRecording: true };
    expect(page.view).toMatchObject(controls);
    await world.clock.advance(1_000);
    expect(page.view).toMatchObject({ ...controls, microphone: "off", saveState: "unsaved" });
    expect(page.microphone.openCount).toBe(0);
    expect(page.kinds).toEqual(["recordingStarted", "finalizingTranslations"]);
    for (const answer of answers) answer();
    await page.finish(stopped);
    expect(page.kinds.at(-1)).toBe("recordingPaused");
    expect(page.view).toMatchObject({ ...controls, connection: "idle", saveState: "saved" });
    expect(page.rows().every(({ translation }) => translation === "done")).toBe(true);
  });

  test("waits 10 s for a model that hangs, and then says what is saved and what is missing", async () => {
    const { world, page } = await startRecording();
    world.server.translation = () => new Promise(() => {});
    await page.say(1, 12);
    const stopped = page.session.stop();
    await world.clock.advance(9_900);
    expect(page.kinds).toEqual(["recordingStarted", "finalizingTranslations"]);
    await world.clock.advance(100);
    await page.finish(stopped);
    const paused = { kind: "recordingPaused", isSaved: true, untranslated: 3 };
    expect(page.notices.slice(2)).toEqual([paused]);
    expect(page.rows().map(({ translation }) => translation)).toEqual(Array(3).fill("waiting"));
    expect(world.storedText()).toBe(getExpectedText(12));
  });

  test("calls nothing saved that the server does not have after 10 s", async () => {
    const { world, page } = await startRecording();
    world.server.translation = () => new Promise(() => {});
    await page.say(1, 12);
    world.server.fail("saveRows");
    await page.stop();
    expect(page.notices.at(-1)).toMatchObject({ kind: "recordingPaused", isSaved: false });
  });

  test("says that the recording is paused after 10 s, and still adds words that come later", async () => {
    const { world, page, stopped } = await stopWithWordsDue();
    await world.clock.advance(9_000);
    expect(page.view).toMatchObject({ status: "paused", busy: null, connection: "draining" });
    expect(page.kinds).not.toContain("recordingPaused");
    await world.clock.advance(5_000);
    await page.finish(stopped);
    expect(page.kinds.at(-1)).toBe("recordingPaused");
    world.room.stalled = false;
    world.room.drop();
    await world.clock.until(() => page.text() === getExpectedText(12));
    expect(page.kinds.filter((kind) => kind === "recordingPaused")).toHaveLength(1);
  });

  test.each([
    ["as long as the recogniser answers", (n: number) => `word ${n}`, 59_000],
    ["10 s for one whose room only repeats what it has said", () => "word", 10_000],
  ])("waits %s", async (_, getText, waitMs) => {
    const { world, page } = await sayWords(9);
    world.room.ignoresFinalize = true;
    const stopped = page.session.stop();
    for (let passed = 0; passed < waitMs - 1_000; passed += 1_000) {
      expect(page.kinds).not.toContain("recordingPaused");
      const tokens = [{ text: ` ${getText(passed)}`, is_final: false }];
      world.room.say({
        type: "tokens",
        tokens,
        audio_final_proc_ms: 0,
        audio_total_proc_ms: 0,
      });
      await world.clock.advance(1_000);
    }
    await world.clock.advance(3_000);
    expect(page.kinds).toContain("recordingPaused");
    void stopped;
  });

  test("saves what was said when the server needs longer than the stop for the lecture", async () => {
    const { world, page } = openPage();
    world.server.before = (call) =>
      call === "createLecture"
        ? new Promise((resolve) => void world.clock.after(8_000, resolve))
        : undefined;
    void page.session.record();
    await world.clock.advance(10);
    await page.say(1, 6);
    await page.stop();
    await world.clock.until(() => page.view.lecture !== null);
    await world.clock.until(() => world.storedText() === getExpectedText(6));
  });

  test("then Record goes on in the same lecture without waiting for the words before", async () => {
    const { world, page, stopped } = await stopWithWordsDue();
    await page.record();
    await page.finish(stopped);
    expect(page.view).toMatchObject({ status: "recording", lecture: { id: "lecture-1" } });
    world.room.stalled = false;
    world.room.drop();
    await page.say(13, 20);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(20));
    expect(world.storedText()).toBe(getExpectedText(20));
    expect(page.kinds.filter((kind) => kind === "recordingPaused")).toHaveLength(1);
    expect(world.room.maxOpenCount).toBe(1);
  });

  test("then Save waits for the words before it completes the lecture", async () => {
    const { world, page } = await stopWithWordsDue();
    const saving = page.session.save("Optics");
    expect(page.view).toMatchObject({ status: "paused", busy: "saving" });
    await world.clock.advance(3_000);
    expect(world.lecture()?.status).toBe("draft");
    world.room.stalled = false;
    world.room.drop();
    await page.finish(saving);
    expect(page.notices.at(-1)).toEqual({ kind: "lectureSaved", words: 12, unsentSeconds: 0 });
    expect(page.kinds).not.toContain("recordingPaused");
    expect(world.storedText()).toBe(getExpectedText(12));
  });

  test.each(["load", "reset"])(
    "then %s waits for no words, which come in the background",
    async (how) => {
      const { world, page } = await stopWithWordsDue();
      await world.server.createLecture({ id: "other", title: "Other", targetLanguage: "none" });
      const switching = how === "load" ? page.session.load("other") : page.session.reset();
      await world.clock.advance(100);
      expect(page.view).toMatchObject({ busy: null, lecture: { status: "draft" } });
      expect(page.view.lecture?.id).not.toBe("lecture-1");
      expect(page.kinds).toContain("recordingStopped");
      await page.finish(switching);
      expect(page.session.lectures.get().has("lecture-1")).toBe(true);
      world.room.stalled = false;
      world.room.drop();
      await world.clock.until(() => world.storedText() === getExpectedText(12));
      expect(page.kinds).not.toContain("recordingPaused");
      expect(page.rows()).toEqual([]);
    },
  );

  test("says nothing more about a lecture that is deleted before its last words", async () => {
    const { world, page } = await stopWithWordsDue();
    await world.clock.advance(500);
    page.session.onLectureDeleted("lecture-1");
    await world.clock.advance(15_000);
    expect(page.kinds).not.toContain("recordingPaused");
  });

  test("then two loads lead back to the lecture, which has all its words", async () => {
    const { world, page } = await stopWithWordsDue();
    page.lecture.setContext("Not saved yet.");
    await world.server.createLecture({ id: "other", title: "Other", targetLanguage: "none" });
    await page.load("other");
    await page.record();
    await page.say(13, 14);
    const loading = page.session.load("lecture-1");
    await world.clock.advance(100);
    const opened = { status: "paused", busy: null, lecture: { id: "lecture-1" } };
    expect(page.view).toMatchObject({ ...opened, context: "Not saved yet." });
    await page.finish(loading);
    world.room.stalled = false;
    world.room.drop();
    await world.clock.until(() => page.text() === getExpectedText(12));
    await page.recordWords(15, 20);
    const words = range(1, 20).filter((word) => word !== 13 && word !== 14);
    expect(wordsIn(page.text())).toEqual(words);
    await world.clock.until(() => !page.session.hasUnsavedChanges());
    expect(world.lecture()?.context).toBe("Not saved yet.");
    expect(wordsIn(world.storedText())).toEqual(words);
    await world.clock.until(() => world.entries("other").length > 0);
    expect(wordsIn(world.storedText("other"))).toEqual([13, 14]);
    expect(page.kinds).not.toContain("loadFailed");
    expect(world.room.maxOpenCount).toBe(1);
  });

  test("of a start pauses only where something was recorded", async () => {
    const { page } = openPage();
    void page.session.record();
    const stopped = page.session.stop();
    expect(page.view).toMatchObject({ status: "ready", busy: null, canStop: false });
    await page.finish(stopped);
    expect(page.view.status).toBe("ready");
    expect(page.kinds).toEqual([]);
    await page.recordWords(1, 5);
    expect(page.text()).toBe(getExpectedText(5));
  });

  test.each(["browser", "device"] as const)(
    "is answered at once with the engine of this %s",
    async (engine) => {
      const { world, page, say } = setUpNumbered();
      await page.record({ engine });
      await say(8);
      void page.session.stop();
      expect(page.view).toMatchObject({ status: "paused", busy: null });
      await page.record({ engine });
      await say(8);
      await page.stop();
      await world.clock.until(() => page.view.connection === "idle");
      expect(page.text()).toBe(getExpectedText(16));
      expect(page.microphone.maxOpenCount).toBe(1);
    },
  );
});

describe("Record while a lecture is being opened", () => {
  /** A page with a recorded lecture, and another lecture that the server has. */
  async function openWithOther() {
    const { world, page } = await recordWords(5);
    await world.server.createLecture({ id: "other", title: "Other", targetLanguage: "none" });
    return { world, page };
  }

  test("continues that lecture, which is shown in one step", async () => {
    const { page } = await openWithOther();
    const shown: { id: string | undefined; isHeld: boolean }[] = [];
    page.session.view.subscribe(() =>
      shown.push({
        id: page.view.lecture?.id,
        isHeld: page.session.lectures.get().has("other"),
      }),
    );
    void page.session.load("other");
    await page.finish(page.session.record());
    expect(page.view).toMatchObject({ status: "recording", lecture: { id: "other" } });
    expect(shown.every(({ id, isHeld }) => (id === "other") === isHeld)).toBe(true);
    expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(["lecture-1", "other"]));
    await page.say(6, 9);
    await page.stop();
    expect(page.rows()[0]?.original).toContain(getExpectedText(9).split(" ").at(-1));
    expect(page.kinds.slice(-2)).toEqual(["recordingStarted", "recordingPaused"]);
  });

  test("records nothing if that fails, or after Stop", async () => {
    const { world, page } = await openWithOther();
    world.server.fail("getLecture");
    void page.session.load("other");
    await page.finish(page.session.record());
    expect(page.kinds.at(-1)).toBe("loadFailed");
    expect(page.view).toMatchObject({ status: "paused", busy: null, lecture: { id: "lecture-1" } });
    world.server.before = () => {};
    const loading = page.session.load("other");
    void page.session.record();
    await page.finish(page.session.stop());
    await page.finish(loading);
    expect(page.view).toMatchObject({ status: "paused", busy: null, lecture: { id: "other" } });
    expect(page.microphone.captureCount).toBe(1);
  });

  test("records into the later of two lectures", async () => {
    const { world, page } = await openWithOther();
    await world.server.createLecture({ id: "later", title: "Later", targetLanguage: "none" });
    void page.session.load("other");
    void page.session.record();
    void page.session.load("later");
    await page.finish(page.session.record());
    expect(page.view).toMatchObject({ status: "recording", lecture: { id: "later" } });
    expect(page.microphone.captureCount).toBe(2);
  });

  test("records into a new lecture, which the start creates", async () => {
    const { world, page } = await openWithOther();
    await page.save("First");
    void page.session.reset();
    await page.finish(page.session.record());
    expect(page.view).toMatchObject({ status: "recording", lecture: { status: "draft" } });
    expect(page.view.lecture?.id).not.toBe("lecture-1");
    expect(page.kinds.slice(-2)).toEqual(["lectureSaved", "recordingStarted"]);
    await page.say(1, 4);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(4));
    expect(world.lecture()).toMatchObject({ title: "First", status: "completed" });
  });
});
