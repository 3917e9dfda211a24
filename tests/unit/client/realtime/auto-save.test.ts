import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AutoSave, firstRun } from "../../../../src/client/realtime/auto-save.ts";
import { ApiError } from "../../../../src/client/realtime/contract.ts";
import type { TranscriptEntry } from "../../../../src/shared/lecture.ts";
import { entriesPerAppendMax } from "../../../../src/shared/limits.ts";
import { ManualClock } from "./kit/manual-clock.ts";

function setUp(saved = 0) {
  const clock = new ManualClock();
  const rows: TranscriptEntry[] = [];
  const calls: { from: number; english: string[] }[] = [];
  const states: string[] = [];
  const refusals: string[] = [];
  const server = { fail: null as ApiError | null, hold: null as Promise<void> | null };
  const save = new AutoSave(
    {
      api: {
        async appendEntries({ from, entries }) {
          calls.push({ from, english: entries.map((entry) => entry.english) });
          const { fail } = server;
          await server.hold;
          if (fail !== null) throw fail;
        },
        getLecture: () => Promise.reject(new ApiError("not_found", false)),
        async setTargetLanguage() {
          calls.push({ from: -1, english: [] });
          if (server.fail !== null) throw server.fail;
        },
      },
      lectureId: "a",
      clock,
      log: { warn() {} },
      random: () => 0.5,
      row: (position) => rows[position],
      merge: () => [],
      onState: (state) => states.push(state),
      onSaved: () => {},
      onRefused: (code) => refusals.push(code),
    },
    saved,
  );
  const write = (position: number, english: string) => {
    const revision = (rows[position]?.revision ?? -1) + 1;
    rows[position] = { english, translated: "", speaker: null, startMs: 0, endMs: 0, revision };
    save.touch(position);
  };
  return { clock, rows, calls, states, refusals, server, save, write };
}

test("2 s after the last change, what changed and no more", async () => {
  const { clock, calls, states, save, write } = setUp();
  write(0, "a");
  await clock.advance(1_500);
  write(1, "b");
  await clock.advance(1_999);
  expect(calls).toEqual([]);
  expect(states).toEqual(["unsaved"]);
  await clock.advance(1);
  expect(calls).toEqual([{ from: 0, english: ["a", "b"] }]);
  expect(states).toEqual(["unsaved", "saving", "saved"]);
  write(1, "B");
  await clock.advance(2_000);
  expect(calls[1]).toEqual({ from: 1, english: ["B"] });
  expect(save.clean).toBe(true);
  expect(save.savedRows).toBe(2);
});

test("speech without a pause is saved all the same", async () => {
  const { clock, calls, write } = setUp();
  for (let at = 0; at < 12; at += 1) {
    write(at, `r${at}`);
    await clock.advance(1_000);
  }
  expect(calls.length).toBeGreaterThanOrEqual(1);
});

test("runs of neighbours, lowest first, one call at a time", async () => {
  const { clock, calls, write } = setUp();
  for (let at = 0; at < 6; at += 1) write(at, `r${at}`);
  await clock.advance(2_000);
  write(4, "four");
  write(1, "one");
  write(5, "five");
  await clock.advance(2_000);
  expect(calls.slice(1)).toEqual([
    { from: 1, english: ["one"] },
    { from: 4, english: ["four", "five"] },
  ]);
});

test("what changes while it is being saved is saved again, and not called saved before", async () => {
  const { clock, calls, states, server, write } = setUp();
  let release = () => {};
  server.hold = new Promise((resolve) => {
    release = resolve;
  });
  write(0, "a");
  await clock.advance(2_000);
  write(0, "A");
  server.hold = null;
  release();
  await clock.advance(3_000);
  expect(calls.map((call) => call.english)).toEqual([["a"], ["A"]]);
  expect(states).toEqual(["unsaved", "saving", "saved"]);
});

test("tries again and again while the server is away, ever more slowly, as it asks", async () => {
  const { clock, calls, states, server, write } = setUp();
  server.fail = new ApiError("unavailable", true);
  write(0, "a");
  await clock.advance(2_000);
  await clock.advance(60_000);
  const tries = calls.length;
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(10);
  expect(states).toEqual(["unsaved", "saving", "retrying"]);
  server.fail = new ApiError("rate_limited", true, { retryAfterSeconds: 100 });
  await clock.advance(31_000);
  const asked = calls.length;
  server.fail = null;
  await clock.advance(99_000 - 31_000);
  expect(calls.length).toBe(asked);
  await clock.advance(35_000);
  expect(states.at(-1)).toBe("saved");
});

test("a refusal is reported, and the next change asks again", async () => {
  const { clock, calls, states, refusals, server, save, write } = setUp();
  server.fail = new ApiError("unauthenticated", false);
  write(0, "a");
  await clock.advance(60_000);
  expect(calls).toHaveLength(1);
  expect(refusals).toEqual(["unauthenticated"]);
  expect(states.at(-1)).toBe("unsaved");
  server.fail = null;
  write(1, "b");
  await clock.advance(2_000);
  expect(calls.at(-1)).toEqual({ from: 0, english: ["a", "b"] });
  expect(save.clean).toBe(true);
});

test("flush saves at once and tells whether it is all there", async () => {
  const { clock, calls, server, save, write } = setUp();
  write(0, "a");
  const flushed = save.flush(1_000);
  await clock.advance(0);
  expect(calls).toHaveLength(1);
  expect(await flushed).toBe(true);
  server.hold = new Promise(() => {});
  write(1, "b");
  const late = save.flush(1_000);
  await clock.advance(1_000);
  expect(await late).toBe(false);
});

test("a changed language is saved, before the rows", async () => {
  const { clock, calls, save, write } = setUp();
  save.setLanguage("fr");
  write(0, "a");
  await clock.advance(2_000);
  expect(calls.map((call) => call.from)).toEqual([-1, 0]);
});

test("rows that the server never had go along with the first one after them", async () => {
  const { clock, rows, calls, write } = setUp();
  for (const english of ["x", "y"]) {
    rows.push({ english, translated: "", speaker: null, startMs: 0, endMs: 0, revision: 0 });
  }
  await clock.advance(10_000);
  expect(calls).toEqual([]);
  write(2, "z");
  await clock.advance(2_000);
  expect(calls).toEqual([{ from: 0, english: ["x", "y", "z"] }]);
});

test("the first run is the longest of neighbours from the lowest on, within what one call carries", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2_000), { maxLength: 1_500 }), (numbers) => {
      const positions = numbers.toSorted((a, b) => a - b);
      const run = firstRun(positions);
      if (run === null) {
        expect(positions).toEqual([]);
        return;
      }
      const { from, count } = run;
      expect(positions.slice(0, count)).toEqual(Array.from({ length: count }, (_, i) => from + i));
      expect(count).toBeLessThanOrEqual(entriesPerAppendMax);
      if (count < entriesPerAppendMax) expect(positions).not.toContain(from + count);
    }),
  );
});
