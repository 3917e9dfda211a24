import { describe, expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { pause } from "#client/lib/timeouts-and-retries.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { leaveUnsentWords, openPage, recordWords, sayWords } from "./kit/harness.ts";
import { getExpectedText, wordsIn } from "./kit/simulated-room.ts";

describe("loading", () => {
  test("stops and saves a recording first, then shows the lecture paused", async () => {
    const { world, page } = await sayWords(10);
    await page.save("First");
    await page.reset();
    await page.record();
    await page.say(11, 13);
    const other = page.view.lecture?.id;
    await page.load("lecture-1");
    expect(page.kinds).toContain("recordingStopped");
    expect(page.view).toMatchObject({ status: "paused", lecture: { title: "First" } });
    expect(page.text()).toBe(getExpectedText(10));
    expect(page.lecture.transcript.wordCount.get()).toBe(10);
    await world.clock.until(() => !page.session.hasUnsavedChanges());
    expect(world.storedText(other)).toBe("wbb wbc wbd");
    // Another session of the recording begins where the room is.
    await page.recordWords(11, 15);
    expect(page.text()).toBe(getExpectedText(15));
    const starts = page.rows().map((row) => row.startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  test("shows the later of two loads, and reports a lecture that does not exist", async () => {
    const { world, page } = openPage();
    for (const [id, title] of [
      ["a", "A"],
      ["b", "B"],
    ] as const) {
      await world.server.createLecture({ id, title, targetLanguage: "zh-cn" });
    }
    const loads = [page.session.load("a"), page.session.load("b")];
    for (const each of loads) await page.finish(each);
    expect(page.view.lecture?.title).toBe("B");
    await page.load("c");
    expect(page.kinds).toEqual(["lectureNotFound"]);
    expect(page.view).toMatchObject({ status: "paused", busy: null, lecture: { title: "B" } });
  });

  test("shows all of a lecture whose last words are saved while it is read again", async () => {
    const { world, page } = await sayWords(19);
    const read = world.server.getLecture.bind(world.server);
    world.server.getLecture = async (id) => {
      const stored = await read(id);
      await pause(world.clock, 5_000);
      return stored;
    };
    await page.reset();
    await page.load("lecture-1");
    await world.clock.until(() => !page.session.hasUnsavedChanges());
    expect(world.storedText()).toBe(getExpectedText(19));
    expect(page.text()).toBe(getExpectedText(19));
  });

  test("continues on the room's clock a lecture that was recorded elsewhere", async () => {
    for (const recordedChunks of [500, 3]) {
      const { world, page } = openPage();
      await world.server.createLecture({ id: "shared", title: "S", targetLanguage: "none" });
      const stored = createEntry("Before.", 10, { seq: 1, endMs: 700 });
      world.server.lectures.get("shared")?.entries.push(stored);
      world.room.setLengthMs("/api/recordings/shared", recordedChunks * 256);
      await page.load("shared");
      void page.session.record();
      await world.clock.advance(1);
      await page.say(1, 7);
      await page.stop();
      expect(page.text()).toBe(`Before. ${getExpectedText(7)}`);
      expect(page.rows()[1]?.startMs).toBe(recordedChunks * 256 + 10);
      expect(world.room.configs[0]).toMatchObject({ from: 0, heldMs: 0, lectureEndMs: 700 });
      expect(world.room.getLengthMs("/api/recordings/shared")).toBe((recordedChunks + 7) * 256);
    }
  });

  test("keeps the open lecture, paused, when a load fails", async () => {
    const { world, page } = await sayWords(4);
    world.server.fail("getLecture");
    await page.load("elsewhere");
    expect(page.kinds.at(-2)).toBe("recordingStopped");
    expect(page.notices.at(-1)).toEqual({ kind: "loadFailed", code: null });
    expect(page.view).toMatchObject({ status: "paused", busy: null });
    await world.clock.until(() => page.view.saveState === "saved");
    expect(page.text()).toBe(getExpectedText(4));
    world.server.fail("getLecture", new ApiError("internal", true));
    await page.load("elsewhere");
    expect(page.notices.at(-1)).toEqual({ kind: "loadFailed", code: "internal" });
  });

  test("pairs the texts of a lecture without entries, and saves all rows once it grows", async () => {
    const { world, page } = openPage();
    await world.server.createLecture({ id: "old", title: "Old", targetLanguage: "zh-cn" });
    Object.assign(world.server.lectures.get("old") ?? {}, {
      originalText: "One. Two.",
      translatedText: "一。",
    });
    await page.load("old");
    expect(page.rows().map((row) => row.translated)).toEqual(["一。", "[No translation]"]);
    await world.clock.advance(10_000);
    expect(world.server.saves).toEqual([]);
    await page.recordWords(1, 5);
    const texts = world.entries("old").map((entry) => entry.original);
    expect(texts).toEqual(["One.", "Two.", getExpectedText(5)]);
  });

  test("requests a translation again that was missing when the page closed", async () => {
    const { world, page: first } = openPage();
    world.server.translation = () => new Promise(() => {});
    await first.record();
    await first.say(1, 9);
    await world.clock.until(() => world.lecture()?.entries.length === 1);
    first.close();
    world.server.translation = (text) => Promise.resolve(`«${text}»`);
    const page = await world.open();
    await world.clock.until(() => page.rows()[0]?.translation === "done");
  });
});

describe("the session's lecture", () => {
  test("shows what the recorder does with it, until another one takes its place", async () => {
    const { world, page } = await sayWords(10);
    const first = page.lecture;
    expect(first.view.get()).toMatchObject({ status: "recording", busy: null, recordedSeconds: 2 });
    const resetting = page.session.reset();
    expect(first.view.get().busy).toBe("loading");
    await page.finish(resetting);
    expect(page.lecture).not.toBe(first);
    expect(first.view.get()).toMatchObject({ status: "paused", busy: null });
    expect(page.lecture.view.get()).toMatchObject({ status: "ready", recordedSeconds: 0 });
    await page.load("lecture-1");
    await world.clock.until(() => page.view.saveState === "saved");
    expect(page.lecture.view.get()).toMatchObject({ status: "paused", recordedSeconds: 2 });
  });

  test("is the one that a page shows, with what was changed there and is not saved", async () => {
    const { world, page } = await recordWords(10);
    await page.reset();
    await world.clock.advance(60_000);
    const { lecture } = page.session.openLecture(await world.server.getLecture("lecture-1"));
    world.server.fail("saveRows");
    lecture.correctRow(0, { original: "Corrected." });
    await page.load("lecture-1");
    expect(page.lecture).toBe(lecture);
    expect(page.rows()[0]?.original).toBe("Corrected.");
    world.server.before = () => {};
    await page.record();
    await page.say(11, 20);
    await page.stop();
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.entries()[0]?.original).toBe("Corrected.");
    expect(world.storedText()).toContain(getExpectedText(20).slice(-10));
  });
});

describe("a killed page", () => {
  test.each([3, 9, 14, 27])(
    "transcribes its audio at the next visit, killed after %i words",
    async (count) => {
      const { world, page: first } = await sayWords(count);
      // Killed: nothing is stopped or flushed, its connection dies, its timers run no more.
      first.close();
      const page = await world.open();
      await world.clock.until(() => page.kinds.includes("soundRecovered"));
      await world.clock.until(
        () => page.view.saveState === "saved" && page.view.connection === "idle",
      );
      expect(page.text()).toBe(getExpectedText(count));
      expect(world.storedText()).toBe(getExpectedText(count));
      await world.clock.advance(5_000);
      expect(world.takes.listLectureChunks("lecture-1")).toEqual([]);
      await page.recordWords(count + 1, count + 5);
      expect(page.text()).toBe(getExpectedText(count + 5));
    },
  );

  test("transcribes the audio of an outage at the next visit", async () => {
    const world = await leaveUnsentWords(12, 40);
    const page = await world.open();
    await world.clock.until(() => page.kinds.includes("soundRecovered"));
    expect(page.text()).toBe(getExpectedText(40));
  });

  test("shows the recovered words of a lecture that is opened while its audio is found", async () => {
    const world = await leaveUnsentWords(12, 40);
    const page = world.page();
    await page.reset();
    world.takes.beforeList = () => pause(world.clock, 200);
    page.session.preload();
    await world.clock.advance(300);
    await page.load("lecture-1");
    await world.clock.until(() => world.storedText() === getExpectedText(40));
    expect(page.text()).toBe(getExpectedText(40));
  });

  test("keeps the audio for the next attempt when the lecture cannot be loaded", async () => {
    const world = await leaveUnsentWords(12, 20);
    const page = world.page();
    world.server.fail("getLecture");
    await page.load("lecture-1");
    expect(page.kinds).toEqual(["loadFailed"]);
    world.server.before = () => {};
    await page.load("lecture-1");
    await world.clock.until(() => page.kinds.includes("soundRecovered"));
    expect(page.text()).toBe(getExpectedText(20));
  });

  test.each(["fails", "never answers"])(
    "reports once that the storage %s, and recovers the audio at the next visit",
    async (how) => {
      const world = await leaveUnsentWords(12, 20);
      const { takes } = world;
      takes.beforeList = () =>
        how === "fails"
          ? Promise.reject(new DOMException("blocked", "InvalidStateError"))
          : new Promise(() => {});
      const page = await world.open();
      await world.clock.until(() => page.kinds.includes("soundUnreadable"));
      expect(page.view).toMatchObject({ status: "paused", lecture: { id: "lecture-1" } });
      await page.recordWords(31, 40);
      await page.load("lecture-1");
      expect(page.kinds.filter((kind) => kind === "soundUnreadable")).toHaveLength(1);
      page.close();
      takes.beforeList = async () => {};
      const next = await world.open();
      await world.clock.until(() => next.kinds.includes("soundRecovered"));
      await world.clock.until(() => next.view.saveState === "saved");
      const wordNumbers = wordsIn(next.text());
      for (const word of [...Array(20).keys()]) expect(wordNumbers).toContain(word + 1);
      for (const word of [...Array(10).keys()]) expect(wordNumbers).toContain(word + 31);
      expect(wordNumbers).toHaveLength(new Set(wordNumbers).size);
    },
  );

  test("loses no word at the next visit after the storage was full", async () => {
    const { world, page: first } = await sayWords(4);
    world.takes.fails = true;
    await first.say(5, 29);
    await first.stop();
    first.close();
    world.takes.fails = false;
    const page = await world.open();
    await world.clock.until(() => page.view.connection === "idle");
    await page.recordWords(30, 41);
    expect(page.text()).toBe(getExpectedText(41));
  });
});

describe("a lecture that is read elsewhere on the page", () => {
  test("stays open when its recording is finished, until it is no longer read", async () => {
    const { world, page } = await recordWords(10);
    const { lecture, close } = page.session.openLecture(await world.server.getLecture("lecture-1"));
    expect(lecture).toBe(page.session.lectures.get().get("lecture-1"));
    await page.reset();
    await world.clock.advance(60_000);
    lecture.correctRow(0, { original: "Corrected." });
    await world.clock.advance(10_000);
    expect(world.lecture()?.entries[0]?.original).toBe("Corrected.");
    close();
    await world.clock.advance(10_000);
    expect(page.session.lectures.get().has("lecture-1")).toBe(false);
  });
});
