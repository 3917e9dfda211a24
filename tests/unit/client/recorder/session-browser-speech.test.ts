import { describe, expect, test, vi } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import type { RecognitionEngine } from "#client/recognition/browser/recognition-engine.ts";
import type { SpeechErrorCode, SpeechRecognition } from "#client/recognition/browser/web-speech.ts";
import type { SessionEngines } from "#client/recorder/session-ports.ts";
import { type FakeRecognitionOptions, FakeRecognitions } from "./kit/fake-recognition.ts";
import { type Page, World } from "./kit/harness.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { range, wordsIn } from "./kit/simulated-room.ts";

const minutes = 4;

/** Sentences of ten words, each followed by a pause of two seconds. */
function speak(from: number, untilMs: number) {
  const words = [];
  let at = from + 1_500;
  for (let index = 0; at < from + untilMs; index += 1) {
    words.push({ text: `w${index}`, startsAt: at, endsAt: at + 300 });
    at += index % 10 === 9 ? 2_300 : 350;
  }
  return words;
}

const browserEngine = (): SessionEngines => ({
  selectSpeech: async () => "browser",
  wrapLanguageCalls: (server) => server,
});

interface Options extends Omit<Partial<FakeRecognitionOptions>, "clock" | "words"> {
  identity?: "user" | "guest";
  minutes?: number;
  engines?: SessionEngines;
  opensMicrophone?: boolean;
}

function setUp({
  identity = "user",
  minutes = 10,
  engines = browserEngine(),
  opensMicrophone = false,
  ...script
}: Options = {}) {
  const world = new World();
  const words = speak(world.clock.now(), minutes * 60_000);
  const recognitions = new FakeRecognitions({ clock: world.clock, words, ...script });
  world.live.recognition = {
    language: "en",
    opensMicrophone,
    create: () => recognitions.create(),
  };
  const page = world.page({ identity, engines, diarization: false });
  return { world, page, recognitions, words };
}

const getWords = (page: Page) => page.text().split(" ");

/** An engine whose every session fails. */
function createFailing(world: World, error: SpeechErrorCode): RecognitionEngine {
  return {
    language: "en",
    opensMicrophone: false,
    create() {
      const recognition: SpeechRecognition = {
        lang: "",
        continuous: true,
        interimResults: true,
        onstart: null,
        onresult: null,
        onerror: null,
        onend: null,
        start() {
          world.clock.after(5, () => recognition.onstart?.());
          world.clock.after(20, () => recognition.onerror?.({ error }));
          world.clock.after(21, () => recognition.onend?.());
        },
        stop() {},
        abort() {},
      };
      return recognition;
    },
  };
}

/** The page's engine, whose sessions begin and end at once while `isAway`. */
function createAway(world: World) {
  const hearing = world.live.recognition;
  const failing = createFailing(world, "network");
  const away = { isAway: false, sessions: 0 };
  world.live.recognition = {
    language: "en",
    opensMicrophone: false,
    create(terms) {
      if (away.isAway) away.sessions += 1;
      return (away.isAway ? failing : hearing)?.create(terms) as SpeechRecognition;
    },
  };
  return away;
}

describe("minutes recognised by the browser", () => {
  test.each<[string, Options]>([
    ["in sessions of a minute", { limitMs: 60_000, isFinalAtLimit: true }],
    ["in sessions that end with unconfirmed words", { limitMs: 45_000 }],
    ["on Android", { isAndroid: true }],
    ["with revised words", { limitMs: 60_000, isFinalAtLimit: true, revises: true }],
  ])("become rows with translations, every word once, %s", async (_, options) => {
    const { world, page, words } = setUp({ ...options, minutes });
    await page.record();
    expect(page.view).toMatchObject({
      status: "recording",
      connection: "live",
      speechEngine: "browser",
    });
    await page.listen(minutes * 60_000);
    await page.stop();
    expect(getWords(page)).toEqual(words.map(({ text }) => text));
    for (const row of page.rows()) expect(row.translated).toBe(`«${row.original}»`);
    expect(page.view).toMatchObject({ status: "paused", connection: "idle", saveState: "saved" });
    expect(page.view.recordedSeconds).toBeGreaterThanOrEqual(60 * minutes - 1);
    expect(world.storedText()).toBe(page.text());
  });

  test("send nothing to the room and use no hours", async () => {
    const { world, page } = setUp();
    await page.record();
    await page.listen(30_000);
    await page.stop();
    expect(world.room.connections).toBe(0);
    expect(page.view.usage).toBeNull();
    expect(page.view.unsentSeconds).toBe(0);
    expect(world.takes.list("lecture-1")).toEqual([]);
  });

  test("show words and their preview before they are final", async () => {
    const { page } = setUp();
    await page.record();
    await page.listen(4_500);
    const live = page.lecture.transcript.live.get();
    expect(live?.interimText).toMatch(/^w0 w1 w2/);
    expect(live?.preview).toMatch(/^«w0 w1/);
  });

  test("stay a guest's on the page", async () => {
    const { world, page, words } = setUp({ identity: "guest", minutes: 1 });
    await page.record();
    await page.listen(70_000);
    await page.stop();
    expect(getWords(page)).toEqual(words.map(({ text }) => text));
    expect(world.room.connections).toBe(0);
    // With the ticket the server translates.
    expect(world.server.tickets).toEqual([null]);
    expect(page.view.saveState).toBe("local");
  });

  test("are saved while they are recorded, although the server did not answer at the start", async () => {
    const { world, page } = setUp({ minutes: 1 });
    let calls = 0;
    world.server.before = async (call) => {
      if (call === "createLecture") calls += 1;
      if (call === "createLecture" && calls === 1) await new Promise(() => {});
    };
    await page.record();
    expect(world.server.lectures.size).toBe(0);
    await page.listen(40_000);
    expect(page.view).toMatchObject({ status: "recording", lecture: { id: "lecture-1" } });
    expect(world.storedText().length).toBeGreaterThan(50);
  });

  test("are recorded without a network and saved when there is one", async () => {
    const { world, page, words } = setUp({ minutes: 1 });
    world.server.before = () => {
      throw new ApiError("unavailable", true);
    };
    await page.record();
    await page.listen(70_000);
    expect(page.view).toMatchObject({ status: "recording", saveState: "failed" });
    await page.stop();
    expect(getWords(page)).toEqual(words.map(({ text }) => text));
    expect(page.session.hasUnsavedChanges()).toBe(true);
    world.server.before = () => {};
    for (const wake of page.wake) wake();
    await world.clock.until(() => page.view.saveState === "saved");
    expect(world.storedText()).toBe(page.text());
  });

  test("go on after a reload where the lecture ended", async () => {
    const { world, page, words, recognitions } = setUp({ minutes: 3 });
    await page.record();
    await page.listen(61_000);
    await page.stop();
    const firstPart = getWords(page);
    const lengthMs = page.rows().at(-1)?.endMs ?? 0;
    const rowCount = page.rows().length;
    page.close();
    const next = world.page({ engines: browserEngine(), diarization: false });
    await next.load("lecture-1");
    await next.record();
    const resumedAt = recognitions.sessions.at(-1)?.startedAt ?? 0;
    await next.listen(30_000);
    await next.stop();
    const recognizedWords = words
      .filter(({ endsAt }) => endsAt > resumedAt)
      .map(({ text }) => text);
    expect(getWords(next).slice(0, firstPart.length)).toEqual(firstPart);
    expect(getWords(next).slice(firstPart.length)).toEqual(
      recognizedWords.slice(0, getWords(next).length - firstPart.length),
    );
    expect(getWords(next).length).toBeGreaterThan(firstPart.length + 20);
    expect(next.rows().every(({ startMs, endMs }) => startMs <= endMs)).toBe(true);
    expect(next.rows()[rowCount]?.startMs).toBeGreaterThanOrEqual(lengthMs);
  });
});

describe("a browser's recognition that fails", () => {
  test.each<[SpeechErrorCode, string]>([
    ["network", "unreachable"],
    ["service-not-allowed", "refused"],
    ["language-not-supported", "noLanguage"],
    ["audio-capture", "missing"],
    ["not-allowed", "denied"],
  ])("is told while the sound is kept: %s", async (error, reason) => {
    const { world, page } = setUp();
    world.live.recognition = createFailing(world, error);
    await page.record();
    expect(page.kinds).toEqual(["recordingStarted"]);
    expect(page.view).toMatchObject({
      status: "recording",
      connection: "idle",
      unsentSeconds: 0,
      speechProblem: { engine: "browser", reason },
    });
    await page.listen(12_000, true);
    expect(page.view.waitingSeconds).toBe(12);
    await page.stop();
    expect(page.view).toMatchObject({ status: "paused", waitingSeconds: 12 });
    expect(page.text()).toBe("");
    expect(world.room.connections).toBe(0);
  });

  test("is told at once where the browser has none", async () => {
    const { world, page } = setUp();
    world.live.recognition = null;
    await page.record();
    expect(page.view.speechProblem).toEqual({ engine: "browser", reason: "refused" });
  });

  test("is not told any more once the person has stopped and no sound waits", async () => {
    const { world, page } = setUp();
    world.live.recognition = null;
    await page.record();
    await page.stop();
    expect(page.view).toMatchObject({ speechProblem: null, waitingSeconds: 0 });
  });

  test("is not told while another engine records, and its sound waits on", async () => {
    const { page, say, fail } = setUpNumbered();
    await page.record({ engine: "browser" });
    await say(10);
    fail("service-not-allowed");
    await say(40);
    await page.stop();
    expect(page.view.speechProblem?.reason).toBe("refused");
    expect(page.session.lectures.get().get("lecture-1")?.view.get().status).toBe("paused");
    await page.record({ engine: "service" });
    await say(10);
    expect(page.view.speechProblem).toBeNull();
    await page.stop();
    expect(page.view.speechProblem).toBeNull();
    expect(page.view.waitingSeconds).toBeGreaterThan(9);
    await page.finish(page.session.recognizeWith("service"));
    await page.listen(30_000);
    expect(page.view).toMatchObject({ speechProblem: null, waitingSeconds: 0 });
  });

  test("takes the place of this device's failure, once the browser records", async () => {
    const { page, device, say } = setUpNumbered();
    device.hasModel = false;
    await page.record({ engine: "device" });
    await say(10);
    expect(page.view.speechProblem).toEqual({ engine: "device", reason: "modelMissing" });
    await page.stop();
    expect(page.view.speechProblem?.engine).toBe("device");
    await page.record({ engine: "browser" });
    await say(10);
    expect(page.view.speechProblem).toBeNull();
    await page.stop();
    await page.finish(page.session.recognizeWith("service"));
    await page.listen(30_000);
    expect(page.view).toMatchObject({ speechProblem: null, waitingSeconds: 0 });
  });

  test("has stalled when somebody speaks for 6 s without a result, and works again with the next one", async () => {
    const { world, page, words } = setUp({ minutes: 0 });
    await page.record();
    await page.listen(8_000);
    expect(page.view.speechProblem).toBeNull();
    await page.listen(5_800, true);
    expect(page.view.speechProblem).toBeNull();
    await page.listen(600, true);
    expect(page.view.speechProblem).toEqual({ engine: "browser", reason: "stalled" });
    const startsAt = world.clock.now();
    words.push({ text: "again", startsAt, endsAt: startsAt + 300 });
    await page.listen(2_000, true);
    expect(page.view.speechProblem).toBeNull();
    await page.stop();
    expect(page.text()).toBe("again");
    expect(page.view.waitingSeconds).toBe(0);
  });

  test.each(["opus", "pcm_s16le"] as const)(
    "leaves its sound to the room, which gives every word once, in order (%s)",
    async (codec) => {
      const { page, say, fail } = setUpNumbered(codec);
      await page.record({ engine: "browser" });
      await say(80);
      expect(page.view.waitingSeconds).toBe(0);
      fail("service-not-allowed");
      await say(40);
      expect(page.view.speechProblem?.reason).toBe("refused");
      expect(page.view.waitingSeconds).toBeGreaterThan(9);
      await page.finish(page.session.recognizeWith("service"));
      await say(20);
      await page.stop();
      expect(wordsIn(page.text())).toEqual(range(1, 140));
      const starts = page.rows().map(({ startMs }) => startMs);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      expect(page.view).toMatchObject({ waitingSeconds: 0, unsentSeconds: 0, saveState: "saved" });
    },
  );

  test("has lost no sound where it had taken over from the room", async () => {
    const { page, say, pause, fail } = setUpNumbered();
    await page.record({ engine: "service" });
    await say(20);
    await pause();
    await page.finish(page.session.recognizeWith("browser"));
    await say(20);
    await pause();
    fail("service-not-allowed");
    await say(20);
    await page.stop();
    await page.finish(page.session.recognizeWith("service"));
    await page.listen(5_000);
    expect(wordsIn(page.text())).toEqual(range(1, 60));
  });

  test("hears again after it was away: what it has missed waits, and comes at the end", async () => {
    const { page, say, pause, fail } = setUpNumbered();
    await page.record({ engine: "browser" });
    await say(20);
    await pause();
    fail("network");
    await say(3);
    await pause();
    await say(20);
    await pause();
    expect(page.view.speechProblem).toBeNull();
    expect(page.view.waitingSeconds).toBeGreaterThan(0);
    await page.stop();
    const heard = wordsIn(page.text());
    expect(heard).not.toContain(21);
    await page.finish(page.session.recognizeWith("service"));
    await page.listen(5_000);
    const words = wordsIn(page.text());
    expect(words.slice(0, heard.length)).toEqual(heard);
    // Both may have heard a part of the word between.
    expect([...new Set(words)].toSorted((a, b) => a - b)).toEqual(range(1, 43));
    expect(words.length).toBeLessThanOrEqual(44);
    expect(page.view).toMatchObject({ waitingSeconds: 0, connection: "idle" });
  });

  test("does not cut its sound where sessions begin and end at once", async () => {
    const { world, page, say, pause, fail } = setUpNumbered();
    const away = createAway(world);
    await page.record({ engine: "browser" });
    await say(20);
    await pause();
    away.isAway = true;
    fail("network");
    await say(60);
    expect(away.sessions).toBeGreaterThan(3);
    expect(world.takes.list("lecture-1")).toHaveLength(1);
    await page.finish(page.session.recognizeWith("service"));
    await say(20);
    await page.stop();
    expect(wordsIn(page.text())).toEqual(range(1, 100));
    expect(page.view).toMatchObject({ waitingSeconds: 0, unsentSeconds: 0 });
  });

  test("was away for a moment before Stop: what it has missed waits", async () => {
    const { world, page, say, pause, fail } = setUpNumbered();
    const away = createAway(world);
    await page.record({ engine: "browser" });
    await say(20);
    await pause();
    away.isAway = true;
    fail("network");
    await say(5);
    expect(page.view.speechProblem).toBeNull();
    await page.stop();
    expect(page.view.waitingSeconds).toBeGreaterThan(0);
    await page.finish(page.session.recognizeWith("service"));
    await page.listen(5_000);
    expect(wordsIn(page.text())).toEqual(range(1, 25));
  });

  test.each([
    ["does not answer at Stop", () => {}],
    [
      "fails at Stop",
      ({ onerror, onend }: SpeechRecognition) => {
        onerror?.({ error: "network" });
        onend?.();
      },
    ],
  ])("%s: what was said last waits", async (_, stop) => {
    const { world, page, say, pause } = setUpNumbered();
    const hearing = world.live.recognition;
    world.live.recognition = {
      language: "en",
      opensMicrophone: false,
      create(terms) {
        const recognition = hearing?.create(terms) as SpeechRecognition;
        recognition.stop = () => stop(recognition);
        return recognition;
      },
    };
    await page.record({ engine: "browser" });
    await say(20);
    await pause();
    // The session gets no sound any more.
    page.microphone.track = undefined;
    await say(10);
    expect(page.view.speechProblem).toBeNull();
    await page.stop();
    expect(page.view.waitingSeconds).toBeGreaterThan(0);
    await page.finish(page.session.recognizeWith("service"));
    await world.clock.until(() => page.view.connection === "idle");
    expect(wordsIn(page.text())).toEqual(range(1, 30));
  });

  test("is told while it is away, although it is tried again", async () => {
    const { world, page, say, pause, fail } = setUpNumbered();
    const away = createAway(world);
    await page.record({ engine: "browser" });
    await say(20);
    await pause();
    away.isAway = true;
    fail("network");
    await page.listen(2_500);
    expect(page.view.speechProblem).toBeNull();
    await page.listen(1_500);
    // Its sessions begin, and end again at once.
    for (let chunk = 0; chunk < 20; chunk += 1) {
      expect(page.view.speechProblem).toEqual({ engine: "browser", reason: "unreachable" });
      await page.listen(200);
    }
    away.isAway = false;
    page.session.wake();
    await page.listen(12_000);
    expect(page.view.speechProblem).toBeNull();
    await say(10);
    await pause();
    await page.stop();
    expect(wordsIn(page.text())).toEqual(range(1, 30));
  });

  test("keeps its sound over a reload, and sends nothing before the person chooses an engine", async () => {
    const { world, page, say, fail } = setUpNumbered();
    await page.record({ engine: "browser" });
    await say(40);
    fail("service-not-allowed");
    await say(60);
    page.close();
    const next = world.page({ engines: browserEngine() });
    next.session.preload();
    await next.load("lecture-1");
    await next.listen(700_000);
    for (const wake of next.wake) wake();
    await next.listen(5_000);
    expect(world.room.connections).toBe(0);
    expect(next.view.waitingSeconds).toBeGreaterThanOrEqual(15);
    await next.finish(next.session.recognizeWith("service"));
    await next.listen(30_000);
    expect(wordsIn(next.text())).toEqual(range(1, 100));
    expect(next.view).toMatchObject({ waitingSeconds: 0, connection: "idle", saveState: "saved" });
    expect(world.takes.list("lecture-1")).toEqual([]);
  });

  test("before it gave a word: what another engine has just been given is recognised after a reload", async () => {
    const { world, page, say, fail } = setUpNumbered();
    await page.record({ engine: "browser" });
    await page.listen(30_000);
    fail("service-not-allowed");
    await say(8);
    await page.finish(page.session.recognizeWith("service"));
    await world.clock.advance(100);
    page.close();
    const next = world.page({ engines: browserEngine() });
    next.session.preload();
    await next.load("lecture-1");
    await next.listen(60_000);
    expect(wordsIn(next.text())).toEqual(range(1, 8));
    expect(world.takes.list("lecture-1")).toEqual([]);
  });

  test("leaves nothing behind when its tab is closed while it works", async () => {
    const { world, page, say, pause } = setUpNumbered();
    await page.record({ engine: "browser" });
    await say(40);
    await pause();
    await page.listen(5_000);
    page.close();
    const next = world.page({ engines: browserEngine() });
    await next.load("lecture-1");
    await next.listen(10_000);
    expect(next.view.waitingSeconds).toBe(0);
    expect(world.takes.list("lecture-1")).toEqual([]);
  });

  test("takes the microphone back where the browser's engine had it", async () => {
    const { world, page } = setUp({
      opensMicrophone: true,
      errors: [{ at: new World().clock.now() + 10_000, error: "service-not-allowed" }],
    });
    await page.record();
    expect(page.microphone.open).toBeNull();
    await world.clock.advance(10_500);
    expect(page.microphone.open).not.toBeNull();
    await page.listen(5_000, true);
    expect(page.view).toMatchObject({ status: "recording", waitingSeconds: 5 });
  });

  test("leaves the microphone to the next recording if it was stopped before", async () => {
    const { world, page } = setUp({
      opensMicrophone: true,
      errors: [{ at: new World().clock.now() + 10_000, error: "service-not-allowed" }],
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const live = await world.live.load();
    const findCodec = () => promise.then(live.findCodec);
    vi.spyOn(world.live, "load")
      .mockResolvedValueOnce(live)
      .mockResolvedValueOnce({ ...live, findCodec });
    await page.record();
    await world.clock.advance(10_500);
    const stopping = page.session.stop();
    const recording = page.session.record({ engine: "service" });
    await world.clock.advance(100);
    resolve();
    await page.finish(stopping);
    await page.finish(recording);
    await page.say(1, 10);
    await page.stop();
    expect(wordsIn(page.text())).toEqual(range(1, 10));
  });

  describe("asks for the microphone where the browser's engine had it, and the recording", () => {
    /** The person is asked, and has not answered. */
    async function setUpPrompt() {
      const { world, page } = setUp({
        opensMicrophone: true,
        errors: [{ at: new World().clock.now() + 10_000, error: "service-not-allowed" }],
      });
      const { promise, resolve } = Promise.withResolvers<void>();
      page.microphone.answer = promise;
      await page.record();
      await world.clock.advance(10_500);
      expect(page.view).toMatchObject({ status: "recording", microphone: "requesting" });
      return { world, page, answer: resolve };
    }

    test("leaves the microphone closed if it was stopped before the answer", async () => {
      const { world, page, answer } = await setUpPrompt();
      await page.stop();
      answer();
      await world.clock.advance(1_000);
      expect(page.microphone.openCount).toBe(0);
      expect(page.view).toMatchObject({ status: "paused", microphone: "off" });
      expect(page.kinds.at(-1)).toBe("recordingPaused");
    });

    test("pauses if the answer is no", async () => {
      const { world, page, answer } = await setUpPrompt();
      page.microphone.error = "denied";
      answer();
      await world.clock.until(() => page.view.status === "paused");
      expect(page.kinds).toContain("microphoneDenied");
    });
  });

  test("pauses a recording for which it had the microphone and may not use it any more", async () => {
    const started = new World().clock.now();
    const { world, page } = setUp({
      opensMicrophone: true,
      errors: [{ at: started + 30_000, error: "not-allowed" }],
    });
    await page.record();
    await world.clock.advance(32_000);
    await world.clock.until(() => page.view.status === "paused");
    expect(page.kinds).toContain("microphoneDenied");
    expect(getWords(page).length).toBeGreaterThan(30);
  });
});

describe("the engine of a recording", () => {
  test("ends the lecture's clock when the recording is stopped, where no sound moves it", async () => {
    const { world, page } = setUp({ opensMicrophone: true });
    const startedAt = world.clock.now();
    await page.record();
    // The clock ticked last before the whole second.
    await world.clock.advance(startedAt + 11_150 - world.clock.now());
    expect(page.view.recordedSeconds).toBe(10);
    await page.stop();
    expect(page.view.recordedSeconds).toBe(11);
  });

  test("is the lecture's only source of words: what the room did not get is sent afterwards", async () => {
    const { world, page } = setUp({ minutes: 2 });
    const { room } = world;
    await page.record({ engine: "service" });
    await page.say(1, 10);
    room.refuses = "busy";
    room.drop();
    await page.say(11, 40);
    await page.stop();
    await page.record({ engine: "browser" });
    room.refuses = null;
    await world.clock.advance(30_000);
    page.session.wake();
    await world.clock.advance(30_000);
    expect(room.openCount).toBe(0);
    const recognized = page.text().split(" ").length;
    expect(recognized).toBeGreaterThan(60);
    const stopping = page.session.stop();
    await world.clock.until(() => room.openCount === 1);
    await world.clock.advance(500);
    room.drop();
    await page.finish(stopping);
    await world.clock.until(() => page.view.connection === "idle");
    const words = getWords(page);
    expect(words.slice(recognized).join(" ")).toMatch(/wea/u);
    expect(wordsIn(page.text())).toEqual(range(1, 40));
  });

  test("is the browser on request, although the person's hours are used up", async () => {
    const world = new World();
    const usage = { usedSeconds: 3_600, limitSeconds: 3_600 };
    const words = speak(world.clock.now(), 20_000);
    const recognitions = new FakeRecognitions({ clock: world.clock, words });
    world.live.recognition = {
      language: "en",
      opensMicrophone: false,
      create: () => recognitions.create(),
    };
    const page = world.page({
      allowance: { getCached: () => usage, fetch: async () => usage },
    });
    await page.record();
    expect(page.kinds).toEqual(["monthlyLimitReached"]);
    await page.record({ engine: "browser" });
    expect(page.view).toMatchObject({ status: "recording", speechEngine: "browser" });
  });

  test("opens no microphone where the browser's engine opens it itself", async () => {
    const { world, page } = setUp({ opensMicrophone: true });
    await page.record();
    expect(page.microphone.open).toBeNull();
    await world.clock.advance(10_000);
    await page.stop();
    expect(getWords(page).length).toBeGreaterThan(5);
  });

  test("closes the microphone at Stop while another engine waits for the server", async () => {
    const { world, page, say, fail } = setUpNumbered();
    const answer = world.server.hold("createLecture");
    await page.record({ engine: "browser" });
    await say(10);
    fail("service-not-allowed");
    await say(10);
    const choosing = page.session.recognizeWith("service");
    await say(3);
    const stopping = page.session.stop();
    await world.clock.advance(1_000);
    expect(page.microphone.openCount).toBe(0);
    answer();
    await page.finish(choosing);
    await page.finish(stopping);
    await world.clock.advance(60_000);
    expect(wordsIn(page.text())).toEqual(range(1, 23));
  });

  test("closes the microphone at Stop while the browser, which is to take over, does not answer", async () => {
    const { world, page, say } = setUpNumbered();
    await page.record({ engine: "service" });
    await say(10);
    const recognition = world.live.recognition?.create([]) as SpeechRecognition;
    recognition.start = () => {};
    world.live.recognition = { language: "en", opensMicrophone: false, create: () => recognition };
    const choosing = page.session.recognizeWith("browser");
    await say(5);
    const stopping = page.session.stop();
    await world.clock.advance(100);
    expect(page.microphone.openCount).toBe(0);
    await page.finish(choosing);
    await page.finish(stopping);
    expect(page.view.waitingSeconds).toBeGreaterThan(0);
    await page.finish(page.session.recognizeWith("service"));
    await world.clock.until(() => page.view.connection === "idle");
    expect(wordsIn(page.text())).toEqual(range(1, 15));
  });

  test("ends as a recording when it is stopped while its lecture is being created", async () => {
    const { world, page } = setUp();
    const answer = world.server.hold("createLecture");
    const recording = page.session.record();
    await world.clock.advance(2_500);
    const stopping = page.session.stop();
    await world.clock.advance(100);
    expect(page.microphone.openCount).toBe(0);
    answer();
    await page.finish(stopping);
    await page.finish(recording);
    expect(page.kinds).toEqual(["recordingPaused"]);
    expect(getWords(page)).toEqual(["w0", "w1", "w2"]);
    expect(world.storedText()).toBe(page.text());
    expect(page.view.status).toBe("paused");
  });

  test("hears the microphone that is chosen while it works", async () => {
    const { world, page, say, pause } = setUpNumbered();
    await page.record({ engine: "browser" });
    await say(10);
    await pause();
    page.session.setMicrophone("lapel");
    await world.clock.until(() => page.microphone.openId === "lapel");
    await say(10);
    await pause();
    await page.stop();
    expect(wordsIn(page.text())).toEqual(range(1, 20));
    expect(page.view.waitingSeconds).toBe(0);
  });

  test("can be cancelled while the browser does not answer", async () => {
    const { world, page } = setUp();
    world.live.recognition = createFailing(world, "aborted");
    const recording = page.session.record();
    await world.clock.advance(100);
    await page.stop();
    await page.finish(recording);
    expect(page.view).toMatchObject({ status: "ready", busy: null, connection: "idle" });
    expect(page.microphone.open).toBeNull();
  });
});
