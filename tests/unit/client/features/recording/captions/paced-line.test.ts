import { beforeEach, expect, it } from "vitest";
import { paceLine, paceMs } from "#client/features/recording/captions/paced-line.ts";
import type { LiveLine, RowBlock } from "#client/lecture/lecture-document.ts";
import { Signal } from "#client/lib/observable.ts";
import { createLine } from "#tests/unit/client/kit/rows.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

let live: Signal<LiveLine | null>;
let blocks: Signal<readonly RowBlock[]>;
let clock: ManualClock;
let seen: (string | null)[];
let end: () => void;

const say = (finalText: string, startMs = 0) => live.set(createLine({ finalText, startMs }));

beforeEach(() => {
  live = new Signal<LiveLine | null>(null);
  blocks = new Signal<readonly RowBlock[]>([]);
  clock = new ManualClock();
  seen = [];
  const line = paceLine({ live, blocks }, clock);
  end = line.subscribe(() => seen.push(line.get()?.finalText ?? null));
});

it("shows the first word at once, and then the newest in each interval", async () => {
  say("one");
  say("one two");
  say("one two three");
  expect(seen).toEqual(["one"]);
  await clock.advance(paceMs);
  say("one two three four");
  await clock.advance(paceMs - 1);
  expect(seen).toEqual(["one", "one two three"]);
  await clock.advance(1);
  expect(seen).toEqual(["one", "one two three", "one two three four"]);
  await clock.advance(10 * paceMs);
  say("one two three four five");
  expect(seen.at(-1)).toBe("one two three four five");
});

it("shows a new sentence, its end and rows in its place at once", () => {
  say("one");
  say("two", 1_000);
  live.set(null);
  say("three", 2_000);
  say("three four", 2_000);
  expect(seen).toEqual(["one", "two", null, "three"]);
  blocks.set([]);
  expect(seen.at(-1)).toBe("three four");
});

it("stops with its last reader, and begins with the newest text", async () => {
  say("one");
  end();
  say("one two");
  await clock.advance(2 * paceMs);
  expect(seen).toEqual(["one"]);
  const line = paceLine({ live, blocks }, clock);
  say("one two three");
  line.subscribe(() => {});
  expect(line.get()?.finalText).toBe("one two three");
});
