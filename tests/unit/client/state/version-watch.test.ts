import { beforeEach, expect, it } from "vitest";
import { VersionWatch } from "#client/state/version-watch.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

const minute = 60_000;

let clock: ManualClock;
let served: string | Error;
let asked: number;
let told: number;
let wake: () => void;
let watch: VersionWatch;

beforeEach(() => {
  clock = new ManualClock();
  served = "version-one";
  asked = 0;
  told = 0;
  wake = () => {};
  watch = new VersionWatch({
    clock,
    currentVersion: "version-one",
    async fetchVersion() {
      asked += 1;
      if (served instanceof Error) throw served;
      return served;
    },
    onWake(listener) {
      wake = listener;
    },
    onNewVersion() {
      told += 1;
    },
  });
  watch.start();
});

it("checks every half hour, and reports once", async () => {
  await clock.advance(29 * minute);
  expect(asked).toBe(0);
  await clock.advance(2 * minute);
  expect([asked, told]).toEqual([1, 0]);
  served = "version-two";
  await clock.advance(30 * minute);
  expect([asked, told]).toEqual([2, 1]);
  await clock.advance(120 * minute);
  await watch.check();
  expect([asked, told]).toEqual([2, 1]);
});

it("checks when the user returns, at most once a minute", async () => {
  wake();
  wake();
  await clock.advance(30_000);
  wake();
  expect(asked).toBe(1);
  await clock.advance(31_000);
  served = "version-two";
  wake();
  await clock.advance(0);
  expect([asked, told]).toEqual([2, 1]);
});

it.each([
  ["the document in its place", "<!doctype html><html></html>"],
  ["nothing", ""],
  ["no server", new Error("offline")],
])("takes %s for no version", async (_what, answer) => {
  served = answer;
  await watch.check();
  expect([asked, told]).toEqual([1, 0]);
});

it("joins a check in flight", async () => {
  await Promise.all([watch.check(), watch.check()]);
  expect(asked).toBe(1);
});
