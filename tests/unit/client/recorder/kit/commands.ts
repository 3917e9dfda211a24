import * as fc from "fast-check";
import { expect } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { getWaitingMs } from "#shared/recorded-take.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { type Page, World } from "./harness.ts";
import { getExpectedText, wordsIn } from "./simulated-room.ts";

/** More time than a page needs to notice that its encoder has stalled. */
const noticeStallMs = 5_000;

/** Number of words said so far. */
interface SpeechState {
  words: number;
}

/** A page in a world that outlives it, and the failures that are switched on. */
export class TestSession {
  readonly world: World;
  page: Page;

  constructor(
    codec: AudioCodec,
    private readonly isOneLecture = false,
  ) {
    this.world = new World(codec);
    this.page = this.world.page();
    const { room, server } = this.world;
    server.usedTime = (id) => Math.floor(room.getLengthMs(`/api/recordings/${id}`) / 1_000);
    // As the recording screen does: audio of lectures that were left is then searched for regularly.
    this.session.preload();
  }

  get session(): RecordingSession {
    return this.page.session;
  }

  /** Closes the page, or kills its process, and opens the lecture on another one. */
  async kill(): Promise<void> {
    const { clock, live } = this.world;
    if (this.page.view.lecture === null) return;
    // Until the page notices that its encoder has stalled, the encoder's audio is lost with the tab.
    if (live.encoder.isStalled) await clock.advance(noticeStallMs);
    this.page.close();
    await clock.advance(1_000);
    this.page = this.world.page();
    await this.page.load("lecture-1");
  }

  get canSpeak(): boolean {
    return this.page.microphone.open !== null && this.page.view.status === "recording";
  }

  /** Calls to the server fail, or never come back. */
  server(state: "up" | "down" | "silent"): void {
    this.world.server.before = () => {
      if (state === "down") throw new ApiError("unavailable", true);
      return state === "silent" ? new Promise<void>(() => {}) : undefined;
    };
  }

  /** Checks the invariants after `words` words. */
  check(words: number): void {
    const { view, microphone } = this.page;
    const { room, server } = this.world;
    expect(room.maxOpenCount).toBeLessThanOrEqual(1);
    expect(microphone.maxOpenCount).toBeLessThanOrEqual(1);
    if (view.connection === "live") expect(room.openCount).toBe(1);
    if (view.busy === null && view.status !== "recording") expect(microphone.openCount).toBe(0);
    if (view.busy === null && view.status === "recording") {
      expect(["on", "muted", "notDelivered", "silent", "requesting"]).toContain(view.microphone);
      expect(view.canStop).toBe(true);
    }
    this.#checkWords(this.page.rows());
    if (this.isOneLecture) expect(getExpectedText(words).startsWith(this.page.text())).toBe(true);
    const starts = this.page.rows().map((row) => row.startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    for (const { entries } of server.lectures.values()) this.#checkWords(entries);
    for (const take of this.page.recorded.list.get()) {
      expect(take.acknowledgedMs + take.missingMs).toBeLessThanOrEqual(take.capturedMs);
      expect(take.transcribedMs).toBeLessThanOrEqual(take.acknowledgedMs);
    }
    if (view.saveState !== "saved" || view.lecture === null || view.status === "recording") return;
    const stored = server.lectures.get(view.lecture.id)?.entries ?? [];
    expect(stored.map(({ original, translated }) => [original, translated])).toEqual(
      this.page.rows().map(({ original, translated }) => [original, translated]),
    );
    // The page's clock is the room's: the seconds that the timer counts are those of accepted sound.
    const recordedMs = room.getLengthMs(`/api/recordings/${view.lecture.id}`);
    if (view.connection === "idle" && view.unsentSeconds === 0) {
      expect(view.recordedSeconds).toBe(Math.floor(recordedMs / 1_000));
    }
  }

  /** No word is doubled or out of order; those of audio that was unreadable at first may come late. */
  #checkWords(rows: readonly { original: string }[]): void {
    const words = rows.flatMap((row) => wordsIn(row.original));
    const ascending = words.toSorted((a, b) => a - b);
    expect(ascending).toEqual([...new Set(ascending)]);
    if (!this.page.kinds.includes("soundUnreadable")) expect(words).toEqual(ascending);
  }

  /** Ends all failures and waits until everything has arrived. */
  async settle(): Promise<void> {
    const { room, takes, clock, live } = this.world;
    room.stalled = false;
    room.refuses = null;
    room.ignoresFinalize = false;
    takes.fails = false;
    live.encoder.isStalled = false;
    this.page.microphone.error = null;
    this.server("up");
    await this.page.finish(this.session.stop());
    for (const wake of this.page.wake) wake();
    // A start that failed may have left sound that waits to be continued with.
    await this.page.finish(this.session.record());
    await clock.advance(1_000);
    await this.page.finish(this.session.stop());
    await clock.until(() => !this.session.hasUnsavedChanges(), 300_000);
    // The next search for audio of lectures that were left; it is sent one lecture at a time.
    await clock.advance(600_000 + 120_000);
    for (const { takes: stored } of this.world.server.lectures.values())
      expect(stored.map(getWaitingMs)).toEqual(stored.map(() => 0));
  }

  /** The words stored on the server, of all lectures. */
  stored(): number[] {
    const { lectures } = this.world.server;
    return [...lectures.values()].flatMap(({ entries }) =>
      entries.flatMap((entry) => wordsIn(entry.original)),
    );
  }
}

type Command = fc.AsyncCommand<SpeechState, TestSession>;

function command(
  name: string,
  run: (test: TestSession, said: SpeechState) => Promise<void> | void,
): Command {
  return {
    check: () => true,
    async run(said, test) {
      await run(test, said);
      // A Stop has closed the microphone.
      await test.world.clock.advance(1);
      test.check(said.words);
    },
    toString: () => name,
  };
}

const always = (
  name: string,
  run: (test: TestSession, said: SpeechState) => Promise<void> | void,
) => fc.constant(command(name, run));

const row = fc.nat(12);
const language = fc.constantFrom<TranslationLanguage>("fr", "ar", "zh-cn");

/** The person records and stops. */
const recording: fc.Arbitrary<Command>[] = [
  always("record", ({ page }) => page.record()),
  always("record", ({ page }) => page.record()),
  always("stop", ({ page }) => page.stop()),
  always("stop at once", ({ page, session }) => {
    void session.record();
    return page.finish(session.stop());
  }),
  fc.constantFrom(0, 1, 200, 3_000, 11_000).map((ms) =>
    command(`stop, record after ${ms}`, async ({ page, session, world }) => {
      void session.stop();
      await world.clock.advance(ms);
      await page.record();
    }),
  ),
  always("stop, record and stop", async ({ page, session }) => {
    void session.stop();
    void session.record();
    await page.stop();
  }),
  always("record twice", async ({ page, session }) => {
    await Promise.all([page.record(), session.record()]);
  }),
];

/** What else the person does. */
const person: fc.Arbitrary<Command>[] = [
  always("save", ({ page }) => page.save("Greek")),
  always("stop and save", ({ page, session }) => {
    void session.stop();
    return page.save("Greek");
  }),
  fc.boolean().map((records) =>
    command(`stop, new lecture${records ? " and record" : ""}`, async ({ page, session }) => {
      void session.stop();
      void session.reset();
      await page.finish(records ? session.record() : session.stop());
    }),
  ),
  fc.boolean().map((quiet) => command(`reset ${quiet}`, ({ page }) => page.reset({ quiet }))),
  fc.nat(3).map((which) =>
    command(`load ${which}`, ({ page, session, world }) => {
      const id = [...world.server.lectures.keys()][which];
      return id === undefined ? undefined : page.finish(session.load(id));
    }),
  ),
  fc.nat(3).map((which) =>
    command(`stop, continue ${which}`, ({ page, session, world }) => {
      const id = [...world.server.lectures.keys()][which];
      if (id === undefined) return;
      void session.stop();
      void session.load(id);
      return page.finish(session.record());
    }),
  ),
  language.map((to) =>
    command(`language ${to}`, ({ session }) =>
      session.lecture.get().setLanguages({ targetLanguage: to }),
    ),
  ),
  language.map((to) =>
    command(`retranslate ${to}`, ({ session }) => session.lecture.get().retranslate(to)),
  ),
  row.map((at) =>
    command(`retry ${at}`, ({ session }) => session.lecture.get().retryTranslation(at)),
  ),
  row.map((at) =>
    command(`correct the translation of ${at}`, ({ session }) =>
      session.lecture.get().correctRow(at, { translated: "by hand" }),
    ),
  ),
  row.map((at) =>
    command(`correct the English of ${at}`, ({ page, session }) =>
      session.lecture.get().correctRow(at, { original: `${page.rows()[at]?.original ?? ""} sic` }),
    ),
  ),
  fc
    .constantFrom("lapel", "desk", null)
    .map((id) => command(`microphone ${id}`, ({ session }) => session.setMicrophone(id))),
  always("context", ({ session }) => session.lecture.get().setContext("Greek")),
  always("name", ({ session }) => session.lecture.get().renameSpeaker("1", "Ito")),
  always("summary", ({ page, session }) => page.finish(session.lecture.get().generateSummary())),
  always("hide", ({ page }) => {
    for (const hide of page.hide) hide();
  }),
];

/** Speech and the passage of time. */
const speech: fc.Arbitrary<Command>[] = [
  fc.integer({ min: 1, max: 25 }).map((words) =>
    command(`say ${words}`, async (test, said) => {
      for (let count = 0; count < words && test.canSpeak; count += 1) {
        said.words += 1;
        await test.page.sayChunk(said.words);
      }
    }),
  ),
  fc.integer({ min: 1, max: 20 }).map((chunks) =>
    command(`silence ${chunks}`, async ({ page }) => {
      for (let count = 0; count < chunks; count += 1) await page.sayChunk(0);
    }),
  ),
  fc
    .integer({ min: 1, max: 15_000 })
    .map((ms) => command(`wait ${ms}`, ({ world }) => world.clock.advance(ms))),
];

/** Failures of the network, the room and the encoder. */
const lines: fc.Arbitrary<Command>[] = [
  fc
    .constantFrom(1001, 1006, 1011, 1012)
    .map((code) => command(`drop ${code}`, (test) => test.world.room.drop(code))),
  fc.boolean().map((on) =>
    command(`stall ${on}`, (test) => {
      test.world.room.stalled = on;
    }),
  ),
  fc.boolean().map((on) =>
    command(`outage ${on}`, (test) => {
      test.world.room.refuses = on ? "unavailable" : null;
      if (on) test.world.room.drop();
    }),
  ),
  fc.boolean().map((on) =>
    command(`deaf ${on}`, (test) => {
      test.world.room.ignoresFinalize = on;
    }),
  ),
  always("encoder failed", ({ world }) => world.live.encoder.fail()),
  fc.nat(3_000).map((ms) =>
    command(`late answers ${ms}`, (test) => {
      test.world.room.ackDelayMs = ms;
    }),
  ),
  always("wake", ({ page }) => {
    for (const wake of page.wake) wake();
  }),
];

/** Failures of the server and the devices. */
const failures: fc.Arbitrary<Command>[] = [
  always("microphone lost", ({ page }) => page.microphone.open?.lost()),
  fc
    .constantFrom("up" as const, "down" as const, "silent" as const)
    .map((state) => command(`server ${state}`, (test) => test.server(state))),
  fc.boolean().map((on) =>
    command(`translator ${on ? "broken" : "well"}`, ({ world: { server } }) => {
      server.translation = on
        ? () => Promise.reject(new ApiError("llm_failed", false))
        : (text) => Promise.resolve(`«${text}»`);
    }),
  ),
  fc.boolean().map((on) =>
    command(`storage full ${on}`, (test) => {
      test.world.takes.fails = on;
    }),
  ),
  fc.constantFrom(null, "denied" as const, "missing" as const, "busy" as const).map((error) =>
    command(`microphone ${error}`, ({ page }) => {
      page.microphone.error = error;
    }),
  ),
  fc
    .constantFrom(null, "muted" as const, "interrupted" as const, "notDelivered" as const)
    .map((reason) =>
      command(`no sound ${reason}`, ({ page }) => page.microphone.open?.noSound(reason)),
    ),
  fc.boolean().map((on) =>
    command(`encoder stalled ${on}`, ({ world }) => {
      world.live.encoder.isStalled = on;
    }),
  ),
];

/** Sequences of everything that may happen. */
export function everything(maxCommands: number): fc.Arbitrary<Iterable<Command>> {
  const all = [...speech, ...speech, ...speech, ...recording, ...person, ...lines, ...failures];
  return fc.commands(all, { maxCommands, size: "max" });
}

const ofOneLecture: fc.Arbitrary<Command>[] = [
  always("kill", (test) => test.kill()),
  fc.boolean().map((on) =>
    command(`saving down ${on}`, ({ world: { server } }) => {
      server.before = (call) => {
        if (on && call === "saveRows") throw new ApiError("unavailable", true);
      };
    }),
  ),
];

/** Sequences that lose no sound and stay in one lecture. */
export function oneLecture(maxCommands: number): fc.Arbitrary<Iterable<Command>> {
  const all = [...speech, ...speech, ...recording, ...lines, ...ofOneLecture];
  return fc.commands(all, { maxCommands, size: "max" });
}
