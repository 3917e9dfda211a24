import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError } from "#client/lib/api-error.ts";
import { type AudioCodec, audioCodecs } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { type Page, World } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

type Step =
  | { do: "record" | "stop" | "doubleRecord" | "stopAtOnce" | "kill" | "wake" }
  | { do: "say"; words: number }
  | { do: "silence"; chunks: number }
  | { do: "drop"; code: number }
  | { do: "stall" | "outage" | "saveDown" | "deaf" | "encoderStall"; on: boolean }
  | { do: "encoderFault" }
  | { do: "lag"; ms: number }
  | { do: "wait"; ms: number };

/** More time than a page needs to notice that its encoder has stalled. */
const noticeStallMs = 5_000;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("say"), words: fc.integer({ min: 1, max: 30 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("silence"), chunks: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("record", "stop", "doubleRecord", "stopAtOnce", "wake"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("kill", "encoderFault") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("drop"),
      code: fc.constantFrom(1001, 1006, 1011, 1012),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("stall", "outage", "saveDown", "deaf", "encoderStall"),
      on: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("lag"), ms: fc.integer({ min: 0, max: 3_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.integer({ min: 1, max: 12_000 }) }),
  },
) as fc.Arbitrary<Step>;

/** Plays the steps and checks after each what must hold at any time. */
class Play {
  readonly world: World;
  page: Page;
  words = 0;

  constructor(codec: AudioCodec) {
    this.world = new World(codec);
    this.page = this.world.page();
  }

  async take(step: Step): Promise<void> {
    const { clock, live, room, server } = this.world;
    const { session } = this.page;
    switch (step.do) {
      case "record":
        return this.page.finish(session.record());
      case "doubleRecord":
        await Promise.all([this.page.finish(session.record()), session.record()]);
        return;
      case "stop":
        return this.page.finish(session.stop());
      case "stopAtOnce":
        void session.record();
        return this.page.finish(session.stop());
      case "say":
        for (let count = 0; count < step.words && this.#hears; count += 1) {
          this.words += 1;
          await this.page.sayChunk(this.words);
        }
        return;
      case "silence":
        for (let count = 0; count < step.chunks; count += 1) await this.page.sayChunk(0);
        return;
      case "drop":
        room.drop(step.code);
        return;
      case "stall":
        room.stalled = step.on;
        return;
      case "outage":
        room.refuses = step.on ? "unavailable" : null;
        if (step.on) room.drop();
        return;
      case "encoderStall":
        live.encoder.isStalled = step.on;
        return;
      case "encoderFault":
        live.encoder.fail();
        return;
      case "deaf":
        room.ignoresFinalize = step.on;
        return;
      case "saveDown":
        server.before = (call) => {
          if (step.on && call === "appendEntries") throw new ApiError("unavailable", true);
        };
        return;
      case "lag":
        room.ackDelayMs = step.ms;
        return;
      case "wake":
        for (const wake of this.page.wake) wake();
        return;
      case "wait":
        return clock.advance(step.ms);
      case "kill": {
        if (this.page.view.lecture === null) return;
        // Until the page notices that its encoder has stalled, the encoder's audio is lost with the tab.
        if (live.encoder.isStalled) await clock.advance(noticeStallMs);
        this.page.close();
        await clock.advance(1_000);
        this.page = this.world.page();
        return this.page.finish(this.page.session.load("lecture-1"));
      }
      default:
        step satisfies never;
    }
  }

  get #hears(): boolean {
    return this.page.microphone.open !== null && this.page.view.status === "recording";
  }

  check(): void {
    const { view } = this.page;
    expect(this.world.room.maxOpenCount).toBeLessThanOrEqual(1);
    expect(view.status === "recording" && view.busy === null).toBe(
      this.page.microphone.open !== null && view.busy === null,
    );
    const text = this.page.text();
    expect(getExpectedText(this.words).startsWith(text)).toBe(true);
    const starts = this.page.rows().map((row) => row.startMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    if (view.saveState === "saved" && view.lecture !== null) {
      const stored = this.world.server.lectures.get("lecture-1")?.entries ?? [];
      expect(stored.map((entry) => entry.english)).toEqual(
        this.page.rows().map((row) => row.english),
      );
    }
  }

  /** All faults end; the recording is stopped and everything has time to arrive. */
  async end(): Promise<void> {
    const { clock, live, room, server } = this.world;
    room.stalled = false;
    room.refuses = null;
    room.ignoresFinalize = false;
    live.encoder.isStalled = false;
    server.before = () => {};
    await this.page.finish(this.page.session.stop());
    await clock.until(() => this.page.view.connection === "idle", 120_000);
    await clock.until(() => this.page.view.saveState === "saved", 120_000);
    await clock.advance(10_000);
  }
}

test("saves every word once and in order after any sequence of events", async () => {
  const steps = fc.array(step, { minLength: 4, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...audioCodecs), steps, async (codec, steps) => {
      const play = new Play(codec);
      await play.take({ do: "record" });
      for (const each of steps) {
        await play.take(each);
        play.check();
      }
      await play.end();
      play.check();
      expect(play.page.text()).toBe(getExpectedText(play.words));
      expect(play.page.view).toMatchObject({ busy: null, connection: "idle", saveState: "saved" });
      expect(play.world.room.maxInFlight).toBeLessThanOrEqual(128);
      expect(play.world.takes.listLectureChunks("lecture-1")).toEqual([]);
    }),
    { numRuns: countRuns(150), endOnFailure: true },
  );
}, 120_000);
