import { describe, expect, it } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { FakeServer } from "./kit/fake-server.ts";
import { openPage, recordWords, sayWords, startRecording, type World } from "./kit/harness.ts";
import { getExpectedText, range, wordsIn } from "./kit/simulated-room.ts";

const refused = {
  type: "error",
  code: "transcription_failed",
  message: "The transcription service refused this site's key.",
  retryable: false,
} as const;

/** A page whose room refuses for good while words are unsent. */
async function refusedPage() {
  const { world, page } = openPage();
  page.session.preload();
  await page.record();
  await page.say(1, 20);
  world.room.say(refused);
  await page.say(21, 30);
  await world.clock.until(() => page.view.status === "paused");
  return { world, page };
}

const storedWords = (world: World, id?: string) => wordsIn(world.storedText(id));

describe("Save with unsent audio", () => {
  it("reports the seconds of unsent audio", async () => {
    const { page } = await refusedPage();
    const waiting = page.view.unsentSeconds;
    expect(waiting).toBeGreaterThan(0);
    await page.save("Optics");
    expect(page.notices.at(-1)).toMatchObject({ kind: "lectureSaved", unsentSeconds: waiting });
  });

  it.each(["open", "left"])("transcribes the audio later while the lecture is %s", async (how) => {
    const { world, page } = await refusedPage();
    const captured = Math.max(...storedWords(world), ...wordsIn(page.text()));
    await page.save("Optics");
    if (how === "left") await page.reset();
    const kinds = page.kinds.length;
    world.room.refuses = "too_many_recordings";
    await world.clock.advance(600_000);
    world.room.refuses = null;
    await world.clock.advance(600_000);
    await world.clock.until(() => world.takes.takes.size === 0);
    const failures = page.kinds.slice(kinds).filter((kind) => kind !== "soundRecovered");
    expect(failures).toEqual([]);
    await world.clock.advance(30_000);
    const words = storedWords(world);
    expect(words).toEqual(words.map((_, index) => index + 1));
    expect(words.length).toBeGreaterThanOrEqual(captured);
  });

  it("lets the next page transcribe the audio while it shows a new lecture", async () => {
    const { world, page } = await refusedPage();
    await page.save("Optics");
    page.close();
    const next = world.page();
    await next.reset();
    next.session.preload();
    await world.clock.until(() => world.takes.takes.size === 0);
    const words = storedWords(world);
    expect(words).toEqual(words.map((_, index) => index + 1));
    expect(next.rows()).toEqual([]);
  });
});

describe("stored sound that is to stay without words", () => {
  it.each(["before", "after"])(
    "stays so if its lecture is opened %s that is said and both wait for the server",
    async (when) => {
      const { world, page } = await refusedPage();
      await page.save("Optics");
      page.close();
      await world.clock.advance(5_000);
      const before = world.storedText("lecture-1");
      const next = world.page();
      await next.reset();
      const answer = world.server.hold("getLecture");
      const calls = [
        () => next.session.load("lecture-1"),
        () => next.session.skipStored("lecture-1"),
      ];
      if (when === "after") calls.reverse();
      const running: Promise<void>[] = [];
      for (const call of calls) {
        running.push(call());
        await world.clock.advance(1_000);
      }
      answer();
      await Promise.all(running);
      await world.clock.until(() => world.takes.takes.size === 0);
      await world.clock.advance(30_000);
      expect(world.storedText("lecture-1")).toBe(before);
      expect(next.text()).toBe(before);
      // One owner: what the page corrects is saved, and stays.
      next.lecture.correctRow(0, { original: "Corrected." });
      await world.clock.advance(30_000);
      expect(world.storedText("lecture-1")).toContain("Corrected.");
      expect(next.view.saveState).toBe("saved");
    },
  );
});

describe("the list of lectures with unsent audio", () => {
  it("contains a saved lecture until its audio is transcribed", async () => {
    const { world, page } = await refusedPage();
    const waiting = () => [...page.session.lecturesWithUnsentAudio.get()];
    expect(waiting()).toEqual([]);
    await page.save("Optics");
    await page.reset();
    await world.clock.until(() => waiting().length > 0);
    expect(waiting()).toEqual(["lecture-1"]);
    await world.clock.advance(600_000);
    await world.clock.until(() => world.takes.takes.size === 0);
    await world.clock.until(() => waiting().length === 0);
  });

  it("is restored by the next page, without the lecture that it opens", async () => {
    const { world, page } = await refusedPage();
    await page.save("Optics");
    page.close();
    world.room.refuses = "unavailable";
    const next = world.page();
    await next.reset();
    next.session.preload();
    await world.clock.until(() => next.session.lecturesWithUnsentAudio.get().size > 0);
    expect([...next.session.lecturesWithUnsentAudio.get()]).toEqual(["lecture-1"]);
    next.close();
    const last = await world.open();
    last.session.preload();
    await world.clock.advance(30_000);
    expect(world.takes.takes.size).toBeGreaterThan(0);
    expect([...last.session.lecturesWithUnsentAudio.get()]).toEqual([]);
  });
});

describe("a start that is refused", () => {
  it.each([
    ["too_many_recordings", "user", { kind: "recordingRefused", code: "too_many_recordings" }],
    ["allowance_exhausted", "user", { kind: "monthlyLimitReached" }],
    ["guest_allowance_exhausted", "guest", { kind: "guestLimitReached" }],
  ] as const)(
    "with %s is reported once to a %s, creates no lecture and keeps no audio",
    async (code, identity, notice) => {
      const { world, page } = openPage({ identity });
      world.room.refuses = code;
      await page.record();
      await world.clock.advance(5_000);
      expect(page.notices).toMatchObject([notice]);
      expect(page.view).toMatchObject({ status: "ready", busy: null, lecture: null });
      expect(page.view.unsentSeconds).toBe(0);
      expect(page.microphone.open).toBeNull();
      expect(world.server.lectures.size).toBe(0);
      expect(world.takes.takes.size).toBe(0);
      expect(page.session.hasUnsavedChanges()).toBe(false);
    },
  );

  it("keeps the open lecture, which can be continued later", async () => {
    const { world, page } = await recordWords(10);
    const before = page.notices.length;
    world.room.refuses = "too_many_recordings";
    await page.record();
    expect(page.kinds.slice(before)).toEqual(["recordingRefused"]);
    world.room.refuses = null;
    await page.recordWords(11, 20);
    expect(page.text()).toBe(getExpectedText(20));
  });
});

describe("audio that could not be read when its lecture was opened", () => {
  /** Audio of `lecture-1`, which is open again, is on a disk that cannot be read; its room is silent. */
  async function unreadablePage() {
    const { world, page } = openPage();
    page.session.preload();
    await page.record();
    world.room.stalled = true;
    await page.say(1, 1);
    world.takes.fails = true;
    await page.load("lecture-1");
    expect(page.kinds).toContain("soundUnreadable");
    return { world, page };
  }

  it.each([false, true])(
    "is sent by the next search after the lecture was left (quiet: %s)",
    async (quiet) => {
      const { world, page } = await unreadablePage();
      await page.reset({ quiet });
      world.room.stalled = false;
      world.takes.fails = false;
      await world.clock.advance(600_000);
      await world.clock.until(() => world.takes.takes.size === 0);
      expect(storedWords(world)).toEqual([1]);
      expect(page.rows()).toEqual([]);
    },
  );

  it("is sent once the person is back, after the connection of a lecture that was left", async () => {
    const { world, page } = await startRecording();
    world.room.ignoresFinalize = true;
    await page.say(1, 1);
    await page.reset();
    await page.record();
    await page.say(2, 2);
    world.takes.fails = true;
    await page.load(page.view.lecture?.id ?? "");
    await world.clock.until(() => world.room.openCount === 1);
    world.takes.fails = false;
    page.session.wake();
    await world.clock.advance(1_000);
    world.room.ignoresFinalize = false;
    await world.clock.until(() => world.takes.takes.size === 0);
    expect(page.text()).toBe("wc");
    expect(storedWords(world)).toEqual([1]);
    expect(world.room.maxOpenCount).toBe(1);
  });
});

describe("audio of several lectures that a closed page has left", () => {
  it("is sent although the person opens one of them meanwhile", async () => {
    const { world, page } = openPage();
    const ids: string[] = [];
    for (const word of [1, 2, 3, 4]) {
      await page.record();
      ids.push(page.view.lecture?.id ?? "");
      await page.say(word, word);
      await page.reset();
      // The first lecture has everything: its id is also that of the next page's draft.
      if (word === 1) await world.clock.until(() => world.takes.takes.size === 0);
      world.room.refuses = "unavailable";
    }
    page.close();
    world.room.refuses = null;
    const next = world.page();
    // The search is about to open the second of them when the person does.
    let reads = 0;
    world.server.before = async (call) => {
      if (call !== "getLecture") return;
      reads += 1;
      if (reads === 2) await next.session.load(ids[2] ?? "");
    };
    next.session.preload();
    await world.clock.until(() => world.takes.takes.size === 0, 300_000);
  });
});

describe("several takes that were recorded without a network", () => {
  it("are counted once on the lecture's clock", async () => {
    const { world, page } = openPage();
    world.room.refuses = "unavailable";
    for (let take = 0; take < 3; take += 1) {
      await page.record();
      for (let chunk = 0; chunk < 10; chunk += 1) await page.sayChunk(0);
      await page.stop();
    }
    world.room.refuses = null;
    page.session.wake();
    await world.clock.until(() => world.takes.takes.size === 0);
    const recordedMs = world.room.getLengthMs("/api/recordings/lecture-1");
    expect(page.view.recordedSeconds).toBe(Math.floor(recordedMs / 1_000));
  });
});

describe("unsent audio at the end of a lecture", () => {
  it("does not count as unsaved rows", async () => {
    const { world, page } = await sayWords(10);
    for (let chunk = 0; chunk < 20; chunk += 1) await page.sayChunk(0);
    await world.clock.until(() => page.view.saveState === "saved");
    world.room.goDown();
    for (let chunk = 0; chunk < 20; chunk += 1) await page.sayChunk(0);
    await page.stop();
    await world.clock.advance(5_000);
    expect(page.view.unsentSeconds).toBeGreaterThan(3);
    expect(page.view.saveState).toBe("saved");
    expect(page.view.connection).not.toBe("idle");
  });
});

describe("a lecture that was deleted elsewhere and is kept as a new one", () => {
  it("gets the words of its unsent audio, even from a later page", async () => {
    const { world, page } = await sayWords(10);
    await world.clock.until(() => page.view.saveState === "saved");
    world.room.goDown();
    await page.say(11, 20);
    await page.stop();
    world.server.lectures.delete("lecture-1");
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    const created = page.view.lecture?.id ?? "";
    expect(created).not.toBe("lecture-1");
    await world.clock.advance(5_000);
    page.close();
    world.room.refuses = null;
    world.page().session.preload();
    await world.clock.until(() => world.takes.takes.size === 0);
    expect(storedWords(world, created)).toEqual(range(1, 20));
  });

  it("is as long as before, while the audio waits and once it is sent", async () => {
    const { world, page } = await sayWords(50);
    world.room.goDown();
    await page.say(51, 60);
    await page.stop();
    const { recordedSeconds } = page.view;
    world.server.lectures.delete("lecture-1");
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    expect(page.view.unsentSeconds).toBeGreaterThan(0);
    expect(page.view.recordedSeconds).toBe(recordedSeconds);
    world.room.refuses = null;
    page.session.wake();
    await world.clock.until(() => world.takes.takes.size === 0);
    expect(page.view.recordedSeconds).toBe(recordedSeconds);
  });

  it("gets its words from their sound if the page is closed before they are saved in it", async () => {
    const { world, page } = await startRecording();
    world.server.before = (call) => {
      if (call === "saveRows") throw new ApiError("unavailable", true);
    };
    await page.say(1, 20);
    await page.stop();
    world.server.lectures.delete("lecture-1");
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    const created = page.view.lecture?.id ?? "";
    page.close();
    world.server.before = () => undefined;
    const next = await world.open(created);
    await world.clock.until(() => world.takes.takes.size === 0);
    expect(next.text()).toBe(getExpectedText(20));
  });

  it("leaves no sound on the device all of whose words are saved in it", async () => {
    const { world, page } = await sayWords(10);
    world.server.lectures.delete("lecture-1");
    await page.stop();
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    await world.clock.until(() => page.view.saveState === "saved");
    await world.clock.advance(5_000);
    expect(storedWords(world, page.view.lecture?.id)).toEqual(range(1, 10));
    expect(world.takes.takes.size).toBe(0);
  });

  it("gets the words of audio that has to be read from the disk", async () => {
    const { world, page } = await sayWords(10);
    await world.clock.until(() => page.view.saveState === "saved");
    world.room.goDown();
    // More than is held in memory.
    await page.say(11, 300);
    await page.stop();
    world.server.lectures.delete("lecture-1");
    await page.finish(page.session.keepAsNewLecture("lecture-1"));
    world.room.refuses = null;
    page.session.wake();
    await world.clock.until(() => world.takes.takes.size === 0);
    expect(storedWords(world, page.view.lecture?.id)).toHaveLength(300);
  });
});

describe("unsent audio of one user", () => {
  /** User 1 has left audio; user 2, who has another account, opens a page in the same browser. */
  async function nextUsersPage() {
    const { world, page } = await refusedPage();
    await page.save("Optics");
    page.close();
    const next = world.page({ userId: "user-2", api: new FakeServer(world.clock) });
    await next.reset();
    return { world, next };
  }
  const copyTakes = (world: World) => structuredClone([...world.takes.takes.values()]);

  it("is neither shown to nor sent by another user's page", async () => {
    const { world, next } = await nextUsersPage();
    const before = copyTakes(world);
    next.session.preload();
    await world.clock.advance(1_300_000);
    expect(next.session.lecturesWithUnsentAudio.get()).toEqual(new Set());
    expect(copyTakes(world)).toEqual(before);
    next.close();
    const owner = world.page();
    await owner.reset();
    owner.session.preload();
    await world.clock.until(() => world.takes.takes.size === 0);
  });
});
