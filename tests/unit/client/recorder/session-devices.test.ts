import { describe, expect, test } from "vitest";
import { openPage, sayWords, startRecording } from "./kit/harness.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { getExpectedText, range, sound, wordsIn } from "./kit/simulated-room.ts";

describe("the choice of a microphone", () => {
  test("updates the list after the permission and when devices change", async () => {
    const { world, page } = openPage();
    page.microphone.devices = [{ id: "a", label: "" }];
    await page.record();
    await world.clock.advance(1);
    expect(page.session.microphones.get()).toEqual([{ id: "a", label: "" }]);
    page.microphone.devices = [
      { id: "a", label: "Built-in" },
      { id: "b", label: "Lapel" },
    ];
    for (const listener of page.microphone.listeners) listener();
    await world.clock.advance(1);
    expect(page.session.microphones.get().map(({ label }) => label)).toEqual(["Built-in", "Lapel"]);
    page.session.dispose();
    expect(page.microphone.listeners.size).toBe(0);
  });

  test("changes during a recording without losing words or opening two at once", async () => {
    const { world, page } = await sayWords(8);
    page.session.setMicrophone("lapel");
    expect(page.view).toMatchObject({ microphoneId: "lapel", status: "recording" });
    await world.clock.until(() => page.view.microphone === "on");
    expect(page.microphone.openId).toBe("lapel");
    await page.say(9, 16);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(16));
    expect(page.microphone).toMatchObject({ maxOpenCount: 1, openCount: 0, captureCount: 2 });
    await page.record();
    expect(page.microphone.openId).toBe("lapel");
  });

  test("is opened again, with a gap, when its sound is to be left as it is", async () => {
    const raw = new Set<string>();
    const { world, page } = openPage({ isRaw: (id) => raw.has(id) });
    page.microphone.setDevices("Built-in", "Lapel");
    await page.record();
    await page.say(1, 8);
    expect(page.microphone.isRaw).toBe(false);

    raw.add("lapel");
    page.session.applyRawSound();
    await world.clock.advance(1_000);
    expect(page.microphone.captureCount).toBe(1);
    raw.add("built-in");
    page.microphone.answer = world.clock.until(() => page.microphone.openCount === 0);
    page.session.applyRawSound();
    await world.clock.until(() => page.microphone.captureCount === 2);
    expect(page.microphone).toMatchObject({ isRaw: true, openId: null, maxOpenCount: 1 });
    await page.say(9, 16);
    page.session.setMicrophone("lapel");
    await world.clock.until(() => page.microphone.openId === "lapel");
    expect(page.microphone).toMatchObject({ isRaw: true, captureCount: 3 });
    raw.clear();
    page.session.applyRawSound();
    await world.clock.until(() => page.microphone.captureCount === 4);
    expect(page.microphone).toMatchObject({ isRaw: false, openId: "lapel" });
    await page.say(17, 20);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(20));
    expect(page.view.microphoneId).toBe("lapel");
  });

  test("shows the time as a gap in which a microphone is opened again for its sound", async () => {
    const raw = new Set<string>();
    const { world, page } = openPage({ isRaw: (id) => raw.has(id) });
    page.microphone.setDevices("Built-in");
    await page.record();
    await page.say(1, 8);
    let answer = () => {};
    page.microphone.answer = new Promise((resolve) => {
      answer = resolve;
    });
    raw.add("built-in");
    page.session.applyRawSound();
    await world.clock.advance(3_000);
    answer();
    await world.clock.until(() => page.view.microphone === "on");
    await page.say(9, 12);
    await page.stop();
    await world.clock.until(() => page.view.saveState === "saved");
    const [gap, ...more] = world.lecture()?.takes?.[0]?.gaps ?? [];
    expect(gap?.lengthMs).toBeGreaterThan(2_500);
    expect(gap?.lengthMs).toBeLessThan(3_500);
    expect(more).toEqual([]);
  });

  test("is opened once where it cannot be opened as was chosen", async () => {
    const raw = new Set<string>();
    const { world, page } = openPage({ isRaw: (id) => raw.has(id) });
    page.microphone.setDevices("Built-in");
    await page.record();
    await page.say(1, 4);
    page.microphone.canBeRaw = false;
    raw.add("built-in");
    page.session.applyRawSound();
    await world.clock.until(() => page.microphone.captureCount === 2);
    await page.say(5, 8);
    await world.clock.advance(1_000);
    expect(page.microphone.captureCount).toBe(2);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(8));
  });

  test("names the microphone of which the speech is quiet, whichever is the default", async () => {
    const { page } = openPage();
    page.microphone.setDevices("Built-in", "Lapel");
    await page.record();
    await page.say(1, 2);
    page.microphone.open?.quiet();
    expect(page.notices).toContainEqual({ kind: "speechQuiet", deviceId: "built-in" });
    page.session.setMicrophone("lapel");
    await page.say(3, 4);
    page.microphone.open?.quiet();
    expect(page.notices).toContainEqual({ kind: "speechQuiet", deviceId: "lapel" });
  });

  test("reports 6 s without sound until there is sound again", async () => {
    const { page } = await sayWords(2);
    const hearNothing = async (chunks: number) => {
      for (let count = 0; count < chunks; count += 1) await page.sayChunk(0);
    };
    await hearNothing(23);
    expect(page.view.microphone).toBe("on");
    await hearNothing(3);
    expect(page.view.microphone).toBe("silent");
    await page.say(3, 3);
    expect(page.view.microphone).toBe("on");
    await hearNothing(26);
    await page.stop();
    expect(page.view.microphone).toBe("off");
  });

  test("returns to the previous microphone and reports it when the new one cannot be opened", async () => {
    const { world, page } = await sayWords(3);
    page.microphone.deviceErrors.set("busy", "busy");
    page.session.setMicrophone("busy");
    await world.clock.until(() => page.kinds.includes("microphoneChangeFailed"));
    await world.clock.until(() => page.view.microphone === "on");
    expect(page.view).toMatchObject({ microphoneId: null, status: "recording" });
    await page.say(4, 6);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(6));
  });

  test("pauses and keeps the words when neither microphone can be opened", async () => {
    const { world, page } = await sayWords(3);
    page.microphone.error = "missing";
    page.session.setMicrophone("gone");
    await world.clock.until(() => page.kinds.includes("recordingPaused"));
    expect(page.kinds).toContain("microphoneLost");
    expect(page.text()).toBe(getExpectedText(3));
  });

  test("opens only the last of several choices, and none after Stop", async () => {
    const { world, page } = await startRecording();
    for (const id of ["a", "b", null, "c"]) page.session.setMicrophone(id);
    await world.clock.until(() => page.microphone.openId === "c");
    page.session.setMicrophone("a");
    await page.stop();
    expect(page.microphone).toMatchObject({ maxOpenCount: 1, openCount: 0 });
    expect(page.view).toMatchObject({ microphone: "off", microphoneId: "a" });
  });

  test("falls back to the system's microphone when the stored one is missing", async () => {
    const { page } = openPage({ microphoneId: "lapel" });
    page.microphone.deviceErrors.set("lapel", "missing");
    await page.record();
    expect(page.microphone.openId).toBeNull();
    expect(page.view).toMatchObject({ microphoneId: null, status: "recording" });
  });
});

test("a microphone that fails to close does not delay Stop", async () => {
  const { page } = openPage();
  const { open } = page.microphone.source;
  page.microphone.source.open = async (...request) => {
    const { isRaw, level } = await open(...request);
    return { isRaw, level, stop: () => Promise.reject(new DOMException("", "InvalidStateError")) };
  };
  await page.recordWords(1, 6);
  expect(page.view).toMatchObject({ status: "paused", busy: null, microphone: "off" });
  expect(page.text()).toBe(getExpectedText(6));
});

describe("the screen", () => {
  test("stays awake while recording, and only then", async () => {
    const { world, page } = await startRecording();
    expect(page.awake).toBe(1);
    await page.stop();
    expect(page.awake).toBe(0);
    await page.record();
    page.session.dispose();
    await world.clock.advance(1_000);
    expect(page.awake).toBe(0);
  });
});

describe("a microphone that delivers nothing", () => {
  test("is shown as muted, and the gap is reported in seconds", async () => {
    const { world, page } = await sayWords(4);
    page.microphone.open?.noSound("muted");
    expect(page.view.microphone).toBe("muted");
    await world.clock.advance(20_000);
    page.microphone.open?.noSound(null);
    await page.say(5, 12);
    expect(page.notices).toContainEqual({ kind: "soundMissing", seconds: 20 });
  });

  test("is not reported when a blocked page receives the chunks late", async () => {
    const { world, page } = await sayWords(4);
    // Eight seconds in which the page did not run; the worklet's chunks then come all at once.
    await world.clock.block(8_192);
    for (let chunk = 0; chunk < 32; chunk += 1) page.microphone.open?.chunk(sound(0));
    await page.say(5, 12);
    expect(page.log).toContain("gap between audio chunks");
    expect(page.kinds).not.toContain("soundMissing");
  });
});

describe("a full storage", () => {
  test("is reported once, keeps the audio in memory and stores the next recording again", async () => {
    const { world, page } = await sayWords(4);
    world.takes.fails = true;
    await page.say(5, 20);
    expect(page.view.storageState).toBe("full");
    expect(page.kinds.filter((kind) => kind === "storageFull")).toHaveLength(1);
    expect(page.log).toContain("take not stored");
    expect(page.session.hasUnsavedChanges()).toBe(true);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(20));
    world.takes.fails = false;
    await page.record();
    await page.say(21, 23);
    expect(page.view.storageState).toBe("ok");
    expect(world.takes.listLectureChunks("lecture-1").length).toBeGreaterThan(0);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(23));
  });

  test.each(["browser", "device"] as const)(
    "is reported where the %s recognises: what waits for words is kept in memory",
    async (engine) => {
      const { world, page, say, pause } = setUpNumbered();
      await page.record({ engine });
      await say(4);
      world.takes.fails = true;
      await say(20);
      expect(page.view.storageState).toBe("full");
      expect(page.kinds.filter((kind) => kind === "storageFull")).toHaveLength(1);
      await pause();
      await page.stop();
      await page.listen(5_000);
      expect(wordsIn(page.text())).toEqual(range(1, 24));
      expect(page.view.storageState).toBe("ok");
    },
  );

  test("ends the keeping of sound, which is said once; the recording goes on", async () => {
    const { world, page } = await sayWords(8, { keepsSound: () => true });
    const keptChunks = world.takes.listLectureChunks("lecture-1").length;
    world.takes.isNarrow = true;
    await page.say(9, 30);
    expect(page.view.storageState).toBe("ok");
    expect(page.kinds).not.toContain("storageFull");
    await page.stop();
    await page.recordWords(31, 33);
    expect(page.kinds.filter((kind) => kind === "soundNotKept")).toHaveLength(1);
    expect(page.text()).toBe(getExpectedText(33));
    await world.clock.advance(60_000);
    expect(keptChunks).toBeGreaterThan(0);
    expect(world.takes.listLectureChunks("lecture-1")).toEqual([]);
  });
});
