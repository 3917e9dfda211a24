import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AudioCodec, audioCodecs } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { type Page, World } from "./kit/harness.ts";
import { range, wordsIn } from "./kit/simulated-room.ts";

type Tab = 0 | 1;
type Step =
  | { do: "record" | "stop" | "kill" | "wake" | "load"; tab: Tab }
  | { do: "say"; tab: Tab; words: number }
  | { do: "drop" }
  | { do: "outage" | "stall"; on: boolean }
  | { do: "codec"; codec: AudioCodec }
  | { do: "wait"; ms: number };

const tab = fc.constantFrom<Tab>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("say"), tab, words: fc.integer({ min: 1, max: 15 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom("record", "record", "stop", "wake", "load"), tab }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("kill"), tab }) },
  { weight: 2, arbitrary: fc.constant({ do: "drop" }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("codec"), codec: fc.constantFrom(...audioCodecs) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("outage", "stall"), on: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.integer({ min: 1, max: 12_000 }) }),
  },
) as fc.Arbitrary<Step>;

/** Two tabs of one browser on one lecture. */
class Play {
  readonly world: World;
  readonly tabs: [Page, Page];
  words = 0;

  constructor(codec: AudioCodec) {
    this.world = new World(codec);
    this.tabs = [this.world.page(), this.world.page()];
  }

  async begin(): Promise<void> {
    const [first, second] = this.tabs;
    await first.record();
    await first.say(1, 5);
    this.words = 5;
    await second.load("lecture-1");
  }

  async take(step: Step): Promise<void> {
    const { clock, live, room } = this.world;
    switch (step.do) {
      case "record":
      case "stop": {
        const page = this.tabs[step.tab];
        return page.finish(page.session[step.do]());
      }
      case "load": {
        const page = this.tabs[step.tab];
        return page.load("lecture-1");
      }
      case "say":
        for (let count = 0; count < step.words && this.#hears(step.tab); count += 1) {
          this.words += 1;
          await this.tabs[step.tab].sayChunk(this.words);
        }
        return;
      case "drop":
        room.drop(1006);
        return;
      case "outage":
        room.refuses = step.on ? "unavailable" : null;
        if (step.on) room.drop();
        return;
      case "codec":
        live.codec = step.codec;
        return;
      case "stall":
        room.stalled = step.on;
        return;
      case "wake":
        for (const wake of this.tabs[step.tab].wake) wake();
        return;
      case "wait":
        return clock.advance(step.ms);
      case "kill": {
        this.tabs[step.tab].close();
        await clock.advance(1_000);
        const page = this.world.page();
        this.tabs[step.tab] = page;
        return page.load("lecture-1");
      }
      default:
        step satisfies never;
    }
  }

  #hears(which: Tab): boolean {
    const { microphone, view } = this.tabs[which];
    return microphone.open !== null && view.status === "recording" && view.busy === null;
  }

  get entries() {
    return this.world.entries();
  }

  /** All faults end, both tabs stop, and what waits has time to arrive. */
  async end(): Promise<void> {
    const { clock, room } = this.world;
    room.stalled = false;
    room.refuses = null;
    for (const page of this.tabs) await page.stop();
    // Each tab gets its turn, twice: what one has left to send waits while the other one sends.
    for (const page of [...this.tabs, ...this.tabs]) {
      for (const wake of page.wake) wake();
      await clock.advance(30_000);
    }
    for (const { session, view } of this.tabs) {
      expect([view.connection, view.unsentSeconds]).toEqual(["idle", 0]);
      expect(session.hasUnsavedChanges()).toBe(false);
    }
  }
}

test("keeps every word of two tabs once and on one clock after any drops, evictions and reloads", async () => {
  const steps = fc.array(step, { minLength: 4, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...audioCodecs), steps, async (codec, steps) => {
      const play = new Play(codec);
      await play.begin();
      for (const each of steps) await play.take(each);
      await play.end();
      const words = wordsIn(play.entries.map(({ original }) => original).join(" "));
      expect(words.toSorted((a, b) => a - b)).toEqual(range(1, play.words));
      const starts = play.entries.map(({ startMs }) => startMs);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      expect([...play.world.takes.takes.keys()]).toEqual([]);
    }),
    { numRuns: countRuns(100), endOnFailure: true },
  );
}, 120_000);
