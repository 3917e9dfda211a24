import { describe, expect, test } from "vitest";
import { ApiError } from "../../../../src/client/realtime/contract.ts";
import { translationFailed } from "../../../../src/shared/sentinels.ts";
import { World } from "./kit/harness.ts";
import { sound, spoken } from "./kit/simulated-room.ts";

const offline = () => new ApiError("unavailable", true);

describe("the main job", () => {
  test("record, speak, stop: every word once, in order, translated and saved", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    expect(page.view).toMatchObject({ status: "recording", busy: null, microphone: "on" });
    expect(page.view.lecture).toMatchObject({ id: "lecture-1", status: "draft" });
    expect(world.server.titles[0]).toMatch(/^[A-Z][a-z]{2} \d{1,2}, 2026 \d{1,2}:\d\d [AP]M$/u);
    await page.say(1, 23);
    expect(page.view.connection).toBe("live");
    await page.finish(page.session.stop());

    expect(page.text()).toBe(spoken(23));
    expect(page.view).toMatchObject({ status: "paused", connection: "idle", save: "saved" });
    expect(page.view.recordedSeconds).toBe(Math.floor((23 * 256) / 1_000));
    expect(page.rows().map((row) => row.speaker)).toEqual(["1", "2", "1", "2", "1"]);
    expect(page.rows().every((row) => row.translated === `«${row.english}»`)).toBe(true);
    const saved = world.server.lectures.get("lecture-1")?.entries ?? [];
    expect(saved.map((entry) => entry.english).join(" ")).toBe(spoken(23));
    expect(saved.every((entry) => entry.translated === `«${entry.english}»`)).toBe(true);
    expect(page.kinds[0]).toBe("recordingStarted");
    expect(page.kinds.at(-1)).toBe("recordingPaused");
    expect(world.spool.recordings.get("lecture-1")?.chunks).toEqual([]);
    expect(page.session.hasUnsavedChanges()).toBe(false);
    expect(world.room.frames).not.toContain("text");
    expect(world.room.closes.at(-1)).toBe(1000);
  });

  test("each sentence goes out with the words before it", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 12);
    await page.finish(page.session.stop());
    const asked = world.server.translations.filter((input) => input.context !== "");
    expect(asked[0]?.context).toBe(`Previous context: ${spoken(5)}`);
    expect(asked[1]?.context).toBe(`Previous context: ${spoken(10)}`);
  });

  test("continue goes on on the same clock; save names, completes and clears", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 7);
    await page.finish(page.session.stop());
    await page.finish(page.session.record());
    expect(page.kinds.at(-1)).toBe("recordingResumed");
    await page.say(8, 20);
    expect(page.session.canSave()).toBe(true);
    await page.finish(page.session.save("  "));
    expect(world.room.highSeq).toBe(19);
    const saved = world.server.lectures.get("lecture-1");
    expect(saved?.status).toBe("completed");
    expect(saved?.title).toBe(`${spoken(20).slice(0, 50).trim()}...`);
    expect(saved?.entries.map((entry) => entry.english).join(" ")).toBe(spoken(20));
    expect(page.notices.at(-1)).toEqual({ kind: "lectureSaved", words: 20 });
    expect(page.view).toMatchObject({ status: "ready", lecture: null, recordedSeconds: 0 });
    expect(page.rows()).toEqual([]);
    await page.finish(page.session.record());
    expect(page.view.lecture?.id).toBe("lecture-2");
  });

  test("base64 carries the same words, by choice or when the room does not confirm binary", async () => {
    for (const chosen of [true, false]) {
      const world = new World();
      if (!chosen) world.room.confirms = "base64";
      const page = world.page(chosen ? { audio: "base64" } : {});
      await page.finish(page.session.record());
      await page.say(1, 11);
      await page.finish(page.session.stop());
      expect(page.text()).toBe(spoken(11));
      expect(world.room.frames).not.toContain("binary");
    }
  });

  test("what is said while the lecture is being created is not lost", async () => {
    const world = new World();
    let create = () => {};
    world.server.before = (call) =>
      call === "createLecture"
        ? new Promise<void>((resolve) => {
            create = resolve;
          })
        : undefined;
    const page = world.page();
    const started = page.session.record();
    await world.clock.advance(10);
    await page.say(1, 6);
    expect(page.view.busy).toBe("starting");
    create();
    await page.finish(started);
    await page.say(7, 9);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(9));
  });

  test("silence gives no words", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    for (let chunk = 0; chunk < 40; chunk += 1) await page.hear(0);
    await page.finish(page.session.stop());
    expect(page.rows()).toEqual([]);
    expect(page.session.canSave()).toBe(false);
    expect(page.kinds.at(-1)).toBe("noContent");
  });
});

describe("the connection", () => {
  test.each([1006, 1001, 1011, 1012])("a close with %i loses nothing", async (code) => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 8);
    world.room.drop(code);
    expect(page.view.connection).toBe("reconnecting");
    await page.say(9, 30);
    expect(page.view.connection).toBe("live");
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(30));
    expect(world.room.connections).toBe(2);
    expect(world.room.greatestOpen).toBe(1);
    expect(page.kinds).not.toContain("providerDisconnected");
  });

  test("a stalled network is noticed within 10 s and made good", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 6);
    world.room.stalled = true;
    await page.say(7, 52);
    expect(page.view.connection).toBe("reconnecting");
    expect(page.view.waitingSeconds).toBeGreaterThan(10);
    world.room.stalled = false;
    await page.say(53, 120);
    expect(page.view.waitingSeconds).toBeLessThan(5);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(120));
    expect(world.room.greatestOpen).toBe(1);
  });

  test("a long outage is caught up without exceeding the window", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 3);
    world.room.refuses = "unavailable";
    world.room.drop();
    await page.say(4, 400);
    expect(page.view.status).toBe("recording");
    world.room.refuses = null;
    for (const wake of page.wake) wake();
    await page.say(401, 420);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(420));
    expect(world.room.greatestInFlight).toBeLessThanOrEqual(128);
  });

  test.each([
    ["allowance_exhausted", "monthlyLimitReached"],
    ["unauthenticated", "sessionExpired"],
    ["not_found", "lectureNotFound"],
    ["transcription_failed", "providerError"],
  ] as const)("%s ends the recording and says so, keeping the words", async (code, kind) => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 9);
    world.room.say({ type: "timer", usedSeconds: 3600, limitSeconds: 7200 });
    world.room.say({ type: "error", message: "No.", code, retryable: false });
    await world.clock.until(() => page.view.status === "paused");
    expect(page.notices.filter((notice) => notice.kind === kind)).toHaveLength(1);
    if (kind === "monthlyLimitReached") {
      expect(page.notices).toContainEqual({ kind, limitHours: 2 });
    }
    expect(page.microphone.open).toBeNull();
    expect(page.text()).toBe(spoken(9));
    expect(page.view).toMatchObject({ connection: "idle", usage: { usedSeconds: 3600 } });
    expect(world.room.connections).toBe(1);
  });

  test("another device takes over", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 4);
    world.room.drop(4001);
    await world.clock.until(() => page.view.status === "paused");
    expect(page.kinds).toContain("recordingTakenOver");
    expect(world.room.connections).toBe(1);
  });

  test("a refused upgrade is asked about and told", async () => {
    const world = new World();
    world.room.refuses = "allowance_exhausted";
    const page = world.page();
    void page.session.record();
    await world.clock.until(() => page.kinds.includes("monthlyLimitReached"));
    await world.clock.until(() => page.view.busy === null);
    expect(page.view.status).not.toBe("recording");
    expect(page.microphone.open).toBeNull();
  });

  test("a refusal that is not the recogniser's is not told as one of its", async () => {
    const world = new World();
    world.room.refuses = "too_many_recordings";
    const page = world.page();
    void page.session.record();
    await world.clock.until(() => page.kinds.includes("recordingRefused"));
    expect(page.notices).toContainEqual({ kind: "recordingRefused", code: "too_many_recordings" });
    await world.clock.until(() => page.view.busy === null);
    expect(page.view.status).not.toBe("recording");
  });

  test("a finalize without answer does not hold up Stop; the words come later", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 8);
    world.room.deaf = true;
    const from = world.clock.now();
    await page.finish(page.session.stop());
    expect(world.clock.now() - from).toBeLessThan(14_000);
    expect(page.view).toMatchObject({ status: "paused", connection: "draining" });
    world.room.deaf = false;
    await world.clock.until(() => page.view.connection === "idle");
    await world.clock.until(() => page.view.save === "saved");
    expect(page.text()).toBe(spoken(8));
  });
});

describe("translation", () => {
  test("a change of language applies from the next sentence on; none asks nothing", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 7);
    page.session.setTargetLanguage("fr");
    await page.say(8, 12);
    page.session.setTargetLanguage("none");
    await page.say(13, 15);
    await page.finish(page.session.stop());
    expect(page.rows().map((row) => [row.translation, row.translatedInto])).toEqual([
      ["done", "zh-cn"],
      ["done", "fr"],
      ["none", null],
    ]);
    expect(world.server.lectures.get("lecture-1")).toMatchObject({ targetLanguage: "none" });
    expect(world.server.lectures.get("lecture-1")?.entries[2]?.translated).toBe("");
  });

  test("one that fails is marked, stored as such and can be tried again", async () => {
    const world = new World();
    const page = world.page();
    world.server.translation = () => Promise.reject(new ApiError("llm_failed", false));
    await page.finish(page.session.record());
    await page.say(1, 5);
    await page.finish(page.session.stop());
    expect(page.rows()[0]).toMatchObject({ translation: "failed", translated: translationFailed });
    const entries = () => world.server.lectures.get("lecture-1")?.entries ?? [];
    expect(entries()[0]?.translated).toBe(translationFailed);
    world.server.translation = (text) => Promise.resolve(`«${text}»`);
    page.session.retryTranslation(0);
    expect(page.rows()[0]?.translation).toBe("waiting");
    await world.clock.until(() => entries()[0]?.translated.startsWith("«") === true);
    expect(page.rows()[0]).toMatchObject({ translation: "done", translatedInto: "zh-cn" });
    expect(page.view.save).toBe("saved");
  });

  test("Stop waits for slow translations, and says so, but not for ever", async () => {
    const world = new World();
    const page = world.page();
    world.server.translation = () => new Promise(() => {});
    await page.finish(page.session.record());
    await page.say(1, 5);
    const from = world.clock.now();
    await page.finish(page.session.stop());
    expect(page.kinds).toContain("finalizingTranslations");
    expect(world.clock.now() - from).toBeGreaterThanOrEqual(9_900);
    expect(world.clock.now() - from).toBeLessThan(11_000);
    expect(page.rows()[0]?.translation).toBe("waiting");
  });

  test("the live line has a preview, which goes when the line becomes a row", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 4);
    expect(page.session.transcript.live.get()?.preview).toMatch(/^«/u);
    const previews = () => world.server.translations.filter((input) => input.context === "");
    const before = previews().length;
    await page.say(5, 7);
    expect(page.session.transcript.live.get()?.preview ?? "").not.toContain("wb ");
    expect(previews().length).toBeLessThanOrEqual(before + 2);
    await page.finish(page.session.stop());
    expect(page.session.transcript.live.get()).toBeNull();
  });
});

describe("saving", () => {
  test("fails, is never called saved, then succeeds in order", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    let down = true;
    world.server.before = (call) => {
      if (down && call === "appendEntries") throw offline();
    };
    await page.say(1, 9);
    const states = new Set<string>([page.view.save]);
    page.session.view.subscribe(() => states.add(page.view.save));
    await page.say(10, 70);
    expect(states).not.toContain("saved");
    expect(page.view.save).toBe("retrying");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    down = false;
    await page.finish(page.session.stop());
    expect(page.view.save).toBe("saved");
    const entries = world.server.lectures.get("lecture-1")?.entries ?? [];
    expect(entries.map((entry) => entry.english).join(" ")).toBe(spoken(70));
  });

  test("a server that lost rows gets them again", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 10);
    await page.finish(page.session.stop());
    world.server.lectures.get("lecture-1")?.entries.splice(0);
    await page.finish(page.session.record());
    await page.say(11, 15);
    await page.finish(page.session.stop());
    await world.clock.until(() => page.view.save === "saved");
    const entries = world.server.lectures.get("lecture-1")?.entries ?? [];
    expect(entries.map((entry) => entry.english).join(" ")).toBe(spoken(15));
  });

  test.each([false, true])(
    "without a room: the last words come once it is back (and the lecture is opened again: %s)",
    async (reopened) => {
      const world = new World();
      const page = world.page();
      await page.finish(page.session.record());
      await page.say(1, 6);
      world.room.refuses = "unavailable";
      world.room.drop();
      await page.say(7, 18);
      await page.finish(page.session.save("Greek"));
      expect(page.kinds.at(-1)).toBe("lectureSaved");
      expect(page.view).toMatchObject({ status: "ready", lecture: null, connection: "idle" });
      const english = () =>
        (world.server.lectures.get("lecture-1")?.entries ?? []).map((entry) => entry.english);
      expect(english().join(" ")).not.toBe(spoken(18));
      if (reopened) {
        // The words on the page would lack what is still to come.
        await page.finish(page.session.load("lecture-1"));
        expect(page.kinds.at(-1)).toBe("loadFailed");
      }
      world.room.refuses = null;
      for (const wake of page.wake) wake();
      if (reopened) {
        await page.finish(page.session.load("lecture-1"));
        expect(page.text()).toBe(spoken(18));
      }
      await world.clock.until(() => english().join(" ") === spoken(18));
      expect(world.server.lectures.get("lecture-1")?.status).toBe("completed");
      expect(world.room.greatestOpen).toBe(1);
      await world.clock.advance(60_000);
      expect(page.session.hasUnsavedChanges()).toBe(false);
      page.session.dispose();
      await world.clock.advance(60_000);
      expect(world.clock.timers).toBe(0);
    },
  );

  test("refused until the person has signed in again, then made good by a wake", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    world.server.before = (call) => {
      if (call === "appendEntries") throw new ApiError("unauthenticated", false);
    };
    await page.say(1, 12);
    await page.finish(page.session.stop());
    await world.clock.advance(60_000);
    expect(page.kinds.filter((kind) => kind === "sessionExpired")).toHaveLength(1);
    expect(page.view.save).toBe("unsaved");
    world.server.before = () => {};
    page.session.wake();
    await world.clock.until(() => page.view.save === "saved");
    const entries = world.server.lectures.get("lecture-1")?.entries ?? [];
    expect(entries.map((entry) => entry.english).join(" ")).toBe(spoken(12));
  });

  test("Save that cannot reach the server says so and keeps the lecture", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 5);
    await page.finish(page.session.stop());
    world.server.before = (call) => {
      if (call === "completeLecture") throw offline();
    };
    await page.finish(page.session.save("Greek"));
    expect(page.kinds.at(-1)).toBe("saveFailed");
    expect(page.view).toMatchObject({ status: "paused", busy: null });
    expect(page.text()).toBe(spoken(5));
    world.server.before = () => {};
    await page.finish(page.session.save("Greek"));
    expect(world.server.lectures.get("lecture-1")).toMatchObject({ title: "Greek" });
  });
});

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
      expect(page.text()).toBe(spoken(5));
      expect(world.server.titles).toHaveLength(1);
    },
  );
});

describe("a start always has a way out", () => {
  test("one that fails keeps what was noted for it", async () => {
    const world = new World();
    const page = world.page();
    page.microphone.fault = "denied";
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
    expect(page.text()).toBe(spoken(6));
    expect(page.microphone.openNow).toBe(0);
    await world.clock.until(() => page.view.save === "saved");
    const entries = world.server.lectures.get("lecture-1")?.entries ?? [];
    expect(entries.map((entry) => entry.english).join(" ")).toBe(spoken(6));
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
    expect(page.text()).toBe(spoken(12));
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
    await world.clock.until(() => english().join(" ") === spoken(6));
    await world.clock.until(() => !page.session.hasUnsavedChanges());
    expect(world.room.greatestOpen).toBe(1);
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
    await world.clock.until(() => page.text() === spoken(4));
  });
});

describe("a lecture that is deleted", () => {
  test("while it is open: nothing more is asked or saved, and no failure is told", async () => {
    const world = new World();
    const page = world.page();
    world.server.translation = () => new Promise(() => {});
    await page.finish(page.session.record());
    await page.say(1, 12);
    world.server.lectures.delete("lecture-1");
    page.session.lectureDeleted("lecture-1");
    await world.clock.until(() => page.view.busy === null);
    expect(page.view).toMatchObject({ status: "ready", lecture: null, connection: "idle" });
    expect(page.microphone.openNow).toBe(0);
    await world.clock.advance(60_000);
    expect(page.kinds).toEqual(["recordingStarted"]);
    expect(page.session.hasUnsavedChanges()).toBe(false);
    expect(world.spool.recordings.size).toBe(0);
  });

  test("while it is being recorded, with all of it saved: its last chunk is not kept either", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 12);
    await page.finish(page.session.stop());
    await page.finish(page.session.record());
    const { open } = page.microphone;
    page.session.lectureDeleted("lecture-1");
    open?.chunk(sound(13));
    await world.clock.advance(60_000);
    expect(world.spool.recordings.size).toBe(0);
  });

  test("elsewhere while it is being recorded: that is told once", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 9);
    world.server.lectures.delete("lecture-1");
    world.room.say({ type: "error", message: "Gone.", code: "not_found", retryable: false });
    await page.say(10, 12);
    await world.clock.advance(60_000);
    expect(page.view.status).toBe("paused");
    expect(page.kinds.filter((kind) => kind === "lectureNotFound")).toHaveLength(1);
    expect(page.kinds).not.toContain("saveFailed");
    expect(page.text()).toBe(spoken(9));
  });

  test("after it was left with translations under way: no failure is told either", async () => {
    const world = new World();
    const page = world.page();
    world.server.translation = () => new Promise(() => {});
    await page.finish(page.session.record());
    await page.say(1, 12);
    await page.finish(page.session.reset({ quiet: true }));
    world.server.lectures.delete("lecture-1");
    await world.clock.advance(120_000);
    expect(page.kinds).not.toContain("saveFailed");
    expect(page.kinds).not.toContain("lectureNotFound");
    expect(page.session.hasUnsavedChanges()).toBe(false);
  });
});

describe("starting and stopping", () => {
  test("stop while the microphone is still being asked for", async () => {
    const world = new World();
    const page = world.page();
    page.microphone.answer = new Promise(() => {});
    const started = page.session.record();
    await world.clock.advance(100);
    expect(page.view).toMatchObject({ busy: "starting", microphone: "asking" });
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
    expect(page.text()).toBe(spoken(3));
  });

  test.each([
    ["denied", "microphoneDenied"],
    ["missing", "microphoneMissing"],
    ["unsupported", "notSupported"],
    ["failed", "startFailed"],
  ] as const)("a microphone that is %s", async (fault, kind) => {
    const world = new World();
    const page = world.page();
    page.microphone.fault = fault;
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
    expect(page.text()).toBe(spoken(2));
  });

  test("a microphone that is unplugged pauses, keeping the words", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 6);
    page.microphone.open?.lost();
    await world.clock.until(() => page.view.status === "paused");
    expect(page.kinds).toContain("microphoneLost");
    expect(page.text()).toBe(spoken(6));
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
    expect(world.room.greatestOpen).toBe(1);
    expect(world.clock.timers).toBe(0);
    await page.session.record();
    expect(page.microphone.opened).toBe(1);
  });
});

describe("loading", () => {
  test("while recording: stops and saves first, then shows the lecture paused", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 10);
    await page.finish(page.session.save("First"));
    await page.finish(page.session.record());
    await page.say(11, 13);
    await page.finish(page.session.load("lecture-1"));
    expect(page.kinds).toContain("recordingStopped");
    expect(page.view).toMatchObject({ status: "paused", lecture: { title: "First" } });
    expect(page.text()).toBe(spoken(10));
    expect(page.session.transcript.wordCount.get()).toBe(10);
    const second = world.server.lectures.get("lecture-2")?.entries ?? [];
    expect(second.map((entry) => entry.english).join(" ")).toBe("wbb wbc wbd");
    // Another session of the recording begins where the room is.
    await page.finish(page.session.record());
    await page.say(11, 15);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(15));
    const starts = page.rows().map((row) => row.startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  test("the later of two loads wins; a lecture that is gone is reported", async () => {
    const world = new World();
    const page = world.page();
    for (const [id, title] of [
      ["a", "A"],
      ["b", "B"],
    ] as const) {
      await world.server.createLecture({ id, title, targetLanguage: "zh-cn" });
    }
    const loads = [page.session.load("a"), page.session.load("b")];
    for (const each of loads) await page.finish(each);
    expect(page.view.lecture?.title).toBe("B");
    await page.finish(page.session.load("c"));
    expect(page.kinds).toEqual(["lectureNotFound"]);
    expect(page.view).toMatchObject({ status: "paused", busy: null, lecture: { title: "B" } });
  });

  test("a lecture that went on elsewhere continues on the room's clock, not on this page's guess", async () => {
    for (const highSeq of [499, 2]) {
      const world = new World();
      const page = world.page();
      await world.server.createLecture({ id: "shared", title: "S", targetLanguage: "none" });
      const none = { translated: "", translatedInto: null, translatedByHand: false };
      const words = { english: "Before.", ...none, speaker: null };
      const stored = { ...words, startMs: 10, endMs: 700, revision: 1 };
      world.server.lectures.get("shared")?.entries.push(stored);
      world.room.highSeq = highSeq;
      await page.finish(page.session.load("shared"));
      void page.session.record();
      await world.clock.advance(1);
      await page.say(1, 7);
      await page.finish(page.session.stop());
      expect(page.text()).toBe(`Before. ${spoken(7)}`);
      expect(page.rows()[1]?.startMs).toBe((highSeq + 1) * 256 + 10);
      expect(world.room.configs[0]?.resumeFrom).toBeUndefined();
      expect(world.room.configs[0]?.finalMs).toBe(700);
      expect(world.room.highSeq).toBe(highSeq + 7);
    }
  });

  test("a load that fails leaves what was recorded on the screen, paused", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 4);
    world.server.before = (call) => {
      if (call === "getLecture") throw offline();
    };
    await page.finish(page.session.load("elsewhere"));
    expect(page.kinds.slice(-2)).toEqual(["recordingStopped", "loadFailed"]);
    expect(page.view).toMatchObject({ status: "paused", busy: null, save: "saved" });
    expect(page.text()).toBe(spoken(4));
  });

  test("a lecture without entries is paired, and saved whole once it grows", async () => {
    const world = new World();
    const page = world.page();
    await world.server.createLecture({ id: "old", title: "Old", targetLanguage: "zh-cn" });
    Object.assign(world.server.lectures.get("old") ?? {}, {
      originalText: "One. Two.",
      translatedText: "一。",
    });
    await page.finish(page.session.load("old"));
    expect(page.rows().map((row) => row.translated)).toEqual(["一。", "[No translation]"]);
    await world.clock.advance(10_000);
    expect(world.server.appends).toEqual([]);
    await page.finish(page.session.record());
    await page.say(1, 5);
    await page.finish(page.session.stop());
    const entries = world.server.lectures.get("old")?.entries ?? [];
    expect(entries.map((entry) => entry.english)).toEqual(["One.", "Two.", spoken(5)]);
  });

  test("a translation that was still due when the page closed is asked for again", async () => {
    const world = new World();
    const first = world.page();
    world.server.translation = () => new Promise(() => {});
    await first.finish(first.session.record());
    await first.say(1, 9);
    await world.clock.until(() => world.server.lectures.get("lecture-1")?.entries.length === 1);
    first.session.dispose();
    world.server.translation = (text) => Promise.resolve(`«${text}»`);
    const page = world.page();
    await page.finish(page.session.load("lecture-1"));
    await world.clock.until(() => page.rows()[0]?.translation === "done");
  });
});

describe("a killed page", () => {
  test.each([3, 9, 14, 27])(
    "after %i words: what it had heard becomes words at the next visit",
    async (count) => {
      const world = new World();
      const first = world.page();
      await first.finish(first.session.record());
      await first.say(1, count);
      // Killed: nothing is stopped or flushed, its connection dies, its timers run no more.
      first.session.dispose();
      const page = world.page();
      await page.finish(page.session.load("lecture-1"));
      await world.clock.until(() => page.kinds.includes("soundRecovered"));
      await world.clock.until(() => page.view.save === "saved" && page.view.connection === "idle");
      expect(page.text()).toBe(spoken(count));
      const entries = world.server.lectures.get("lecture-1")?.entries ?? [];
      expect(entries.map((entry) => entry.english).join(" ")).toBe(spoken(count));
      await world.clock.advance(5_000);
      expect(world.spool.recordings.get("lecture-1")?.chunks).toEqual([]);
      await page.finish(page.session.record());
      await page.say(count + 1, count + 5);
      await page.finish(page.session.stop());
      expect(page.text()).toBe(spoken(count + 5));
    },
  );

  test("killed while offline: everything since is still there", async () => {
    const world = new World();
    const first = world.page();
    await first.finish(first.session.record());
    await first.say(1, 12);
    world.room.refuses = "unavailable";
    world.room.drop();
    await first.say(13, 40);
    first.session.dispose();
    world.room.refuses = null;
    const page = world.page();
    await page.finish(page.session.load("lecture-1"));
    await world.clock.until(() => page.kinds.includes("soundRecovered"));
    expect(page.text()).toBe(spoken(40));
  });

  test("a visit at which the lecture could not be loaded leaves its sound for the next try", async () => {
    const world = new World();
    const first = world.page();
    await first.finish(first.session.record());
    await first.say(1, 12);
    world.room.refuses = "unavailable";
    world.room.drop();
    await first.say(13, 20);
    first.session.dispose();
    world.room.refuses = null;
    const page = world.page();
    world.server.before = (call) => {
      if (call === "getLecture") throw offline();
    };
    await page.finish(page.session.load("lecture-1"));
    expect(page.kinds).toEqual(["loadFailed"]);
    expect([...page.claimed]).toEqual([]);
    world.server.before = () => {};
    await page.finish(page.session.load("lecture-1"));
    await world.clock.until(() => page.kinds.includes("soundRecovered"));
    expect(page.text()).toBe(spoken(20));
  });

  test("a full storage degrades to memory and loses no word", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 4);
    world.spool.fails = true;
    await page.say(5, 9);
    expect(page.log).toContain("spool kept in memory alone");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(9));
  });

  test.each([false, true])(
    "after a full storage the next visit loses no word either (what is stored stays: %s)",
    async (stuck) => {
      const world = new World();
      const first = world.page();
      await first.finish(first.session.record());
      await first.say(1, 4);
      world.spool.fails = true;
      world.spool.stuck = stuck;
      await first.say(5, 29);
      await first.finish(first.session.stop());
      first.session.dispose();
      world.spool.fails = false;
      const page = world.page();
      await page.finish(page.session.load("lecture-1"));
      await world.clock.until(() => page.view.connection === "idle");
      await page.finish(page.session.record());
      await page.say(30, 41);
      await page.finish(page.session.stop());
      expect(page.text()).toBe(spoken(41));
    },
  );
});

describe("the numbers of a recording that goes on", () => {
  test("are the room's: another device may have recorded since Stop", async () => {
    const world = new World();
    const page = world.page();
    await page.finish(page.session.record());
    await page.say(1, 5);
    await page.finish(page.session.stop());
    world.room.highSeq = 99;
    await page.finish(page.session.record());
    await page.say(6, 10);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(10));
    expect(page.rows().at(-1)?.startMs).toBe(100 * 256 + 10);
    expect(world.room.highSeq).toBe(104);
  });
});

describe("a guest", () => {
  test("records and translates on this page alone, and is asked to sign in to save", async () => {
    const world = new World();
    const page = world.page({ identity: "guest" });
    await page.finish(page.session.record());
    await page.say(1, 12);
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(12));
    expect(page.rows().every((row) => row.translation === "done")).toBe(true);
    expect(page.view).toMatchObject({ save: "local", lecture: null, status: "paused" });
    expect(world.server.lectures.size).toBe(0);
    expect(world.spool.recordings.size).toBe(0);
    expect(page.session.canSave()).toBe(false);
    expect(page.kinds.at(-1)).toBe("signInRequired");
    expect(world.room.paths[0]).toBe("/api/recordings/guest-recording?ticket=t1");
    await page.finish(page.session.reset());
    expect(page.kinds.at(-1)).toBe("newLectureReadyGuest");
    expect(page.rows()).toEqual([]);
  });

  test("who asks for a lecture is asked to sign in, and goes on recording", async () => {
    const world = new World();
    const page = world.page({ identity: "guest" });
    await page.finish(page.session.record());
    await page.finish(page.session.load("lecture-1"));
    expect(page.notices.at(-1)).toEqual({ kind: "signInRequired", for: "lectures" });
    expect(page.view).toMatchObject({ status: "recording", busy: null });
  });

  test("the ticket is renewed before it ends, and a reconnect uses the new one", async () => {
    const world = new World();
    world.server.ticketMs = 120_000;
    const page = world.page({ identity: "guest" });
    await page.finish(page.session.record());
    await page.say(1, 300);
    expect(world.server.tickets.length).toBeGreaterThan(1);
    expect(world.server.tickets[1]).toBe("t1");
    world.room.drop();
    await page.say(301, 320);
    expect(world.room.paths.at(-1)).not.toContain("ticket=t1");
    await page.finish(page.session.stop());
    expect(page.text()).toBe(spoken(320));
  });
});
