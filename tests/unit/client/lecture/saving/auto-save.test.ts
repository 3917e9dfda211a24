import { expect, test } from "vitest";
import { LectureMarks } from "#client/lecture/lecture-marks.ts";
import { RecordedTakes } from "#client/lecture/recorded-takes.ts";
import { AutoSave } from "#client/lecture/saving/auto-save.ts";
import type { LectureFields } from "#client/lecture/server-api.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { SavedRows, TranscriptEntry } from "#shared/lecture.ts";
import { rowsPerCallMax } from "#shared/limits.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/** `isStarted`: the server has the lecture. */
function setUp({ stored = [] as TranscriptEntry[], isStarted = true } = {}) {
  const clock = new ManualClock();
  const rows = new Map<string, TranscriptEntry>(stored.map((row) => [row.id, row]));
  /** The originals of each call; `[]`: it was for fields. */
  const calls: string[][] = [];
  const changes: LectureFields[] = [];
  const states: string[] = [];
  const refusals: string[] = [];
  const shown: { entries: readonly TranscriptEntry[]; deletedIds: readonly string[] }[] = [];
  const server = {
    fail: null as ApiError | null,
    refuseFields: null as ApiError | null,
    /** Longer rows do not fit. */
    longestRow: Number.POSITIVE_INFINITY,
    hold: null as Promise<void> | null,
    /** What others have made of the rows of the next call. */
    others: {} as Partial<SavedRows>,
    seq: 10,
  };
  const save: AutoSave = new AutoSave(
    {
      api: {
        async saveRows({ entries }) {
          calls.push(entries.map(({ original }) => original));
          const { fail } = server;
          await server.hold;
          if (fail !== null) throw fail;
          if (entries.some(({ original }) => original.length > server.longestRow))
            throw new ApiError("lecture_full", false);
          server.seq += 1;
          const answer = {
            seq: server.seq,
            changed: [],
            deletedIds: [],
            ordinals: {},
            ...server.others,
          };
          server.others = {};
          return answer;
        },
        changeMarks: () => Promise.resolve(),
        storeTakes: () => Promise.resolve(),
        async updateLecture({ id: _, ...change }) {
          calls.push([]);
          changes.push(change);
          const fail = server.fail ?? server.refuseFields;
          await server.hold;
          if (fail !== null) throw fail;
        },
      },
      lectureId: "a",
      clock,
      log: { warn() {} },
      random: () => 0.5,
      getRow: (id) => rows.get(id),
      marks: new LectureMarks([], true),
      takes: new RecordedTakes([], true),
      showRows(update) {
        shown.push(update);
        for (const entry of update.entries) rows.set(entry.id, entry);
        for (const id of update.deletedIds) rows.delete(id);
      },
      onChange: () => states.push(save.state),
      onSaved: () => {},
      onRefused: (code) => refusals.push(code),
    },
    stored,
    isStarted,
  );
  /** Answers wait until the returned function is called. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.hold = promise;
    return () => {
      server.hold = null;
      resolve();
    };
  };
  const write = (number: number, original: string, change: Partial<TranscriptEntry> = {}) => {
    const id = String(number);
    rows.set(id, createEntry(original, 0, { endMs: 0, ...rows.get(id), original, id, ...change }));
    save.markRowChanged(id);
  };
  return { clock, rows, calls, changes, states, refusals, shown, server, hold, save, write };
}

test("0.5 s after the last change while others read along, and 2 s again afterwards", async () => {
  const { clock, calls, save, write } = setUp();
  save.isShared = true;
  write(0, "one");
  await clock.advance(499);
  expect(calls).toEqual([]);
  await clock.advance(1);
  expect(calls).toEqual([["one"]]);
  save.isShared = false;
  write(1, "two");
  await clock.advance(1_999);
  expect(calls).toHaveLength(1);
  await clock.advance(1);
  expect(calls).toHaveLength(2);
});

test("2 s after the last change, what changed and no more", async () => {
  const { clock, calls, states, save, write } = setUp();
  write(0, "a");
  await clock.advance(1_500);
  write(1, "b");
  await clock.advance(1_999);
  expect(calls).toEqual([]);
  expect(states).toEqual(["unsaved"]);
  await clock.advance(1);
  expect(calls).toEqual([["a", "b"]]);
  expect(states).toEqual(["unsaved", "saving", "saved"]);
  write(1, "B");
  await clock.advance(2_000);
  expect(calls[1]).toEqual(["B"]);
  expect(save.isSaved).toBe(true);
});

test("speech without a pause is saved all the same", async () => {
  const { clock, calls, write } = setUp();
  for (let at = 0; at < 12; at += 1) {
    write(at, `r${at}`);
    await clock.advance(1_000);
  }
  expect(calls.length).toBeGreaterThanOrEqual(1);
});

test("words of a file are saved by the length of their sound: they come faster than they were spoken", async () => {
  const { clock, calls, write } = setUp();
  for (let at = 0; at < 20; at += 1) {
    write(at, `r${at}`, { startMs: at * 5_000, endMs: (at + 1) * 5_000 });
    await clock.advance(250);
  }
  expect(calls.map(({ length }) => length)).toEqual([8, 8]);
});

test("all changes with one call, those that came first before the others", async () => {
  const { clock, calls, write } = setUp();
  for (let at = 0; at < 6; at += 1) write(at, `r${at}`);
  await clock.advance(2_000);
  write(4, "four");
  write(1, "one");
  write(5, "five");
  await clock.advance(2_000);
  expect(calls.slice(1)).toEqual([["four", "one", "five"]]);
});

test("as many rows a call as one may have", async () => {
  const { clock, calls, save, write } = setUp();
  for (let at = 0; at <= rowsPerCallMax; at += 1) write(at, `r${at}`);
  await clock.advance(2_000);
  expect(calls.map(({ length }) => length)).toEqual([rowsPerCallMax, 1]);
  expect(save.isSaved).toBe(true);
});

test("new rows are saved while translations of earlier ones keep coming", async () => {
  const { clock, calls, hold, write } = setUp();
  for (let at = 0; at < 2 * rowsPerCallMax; at += 1) write(at, `r${at}`);
  await clock.advance(2_000);
  calls.length = 0;
  let release = hold();
  for (let at = 0; at < 2 * rowsPerCallMax; at += 1) write(at, "translated");
  await clock.advance(2_000);
  write(2_000, "new");
  for (let call = 0; call < 2; call += 1) {
    release();
    release = hold();
    await clock.advance(0);
  }
  expect(calls.map(({ length }) => length)).toEqual([rowsPerCallMax, 1, rowsPerCallMax]);
  expect(calls[1]).toEqual(["new"]);
});

test("what changes while it is being saved is saved again, and not called saved before", async () => {
  const { clock, calls, states, hold, write } = setUp();
  const release = hold();
  write(0, "a");
  await clock.advance(2_000);
  write(0, "A");
  release();
  await clock.advance(3_000);
  expect(calls).toEqual([["a"], ["A"]]);
  expect(states).toEqual(["unsaved", "saving", "saved"]);
});

test("retries with growing delays while the server is unreachable, and follows Retry-After", async () => {
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
  const callCount = calls.length;
  server.fail = null;
  await clock.advance(99_000 - 31_000);
  expect(calls.length).toBe(callCount);
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
  expect(states.at(-1)).toBe("failed");
  server.fail = null;
  write(1, "b");
  await clock.advance(2_000);
  expect(calls.at(-1)).toEqual(["a", "b"]);
  expect(save.isSaved).toBe(true);
});

test("what does not fit delays nothing else, and a flush tries it again", async () => {
  const { clock, calls, changes, refusals, server, save, write } = setUp();
  for (const position of [0, 1, 2]) write(position, "row");
  await clock.advance(2_000);
  server.longestRow = 3;
  calls.length = 0;
  write(1, "longer");
  write(3, "longer");
  write(4, "new");
  save.changeFields({ summary: "Short" });
  await clock.advance(2_000);
  expect(calls.slice(1)).toEqual([["longer", "longer", "new"]]);
  expect(changes).toEqual([{ summary: "Short" }]);
  expect([save.state, save.isSaved]).toEqual(["failed", false]);

  // Neither a new row nor one that is saved already asks for those again.
  calls.length = 0;
  write(5, "new");
  await clock.advance(60_000);
  expect(calls).toEqual([]);
  write(0, "cut");
  await clock.advance(2_000);
  expect(calls).toEqual([["cut"]]);
  write(1, "cut");
  await clock.advance(2_000);
  expect(calls[1]).toEqual(["cut"]);
  expect(save.state).toBe("failed");
  expect(refusals).toEqual(["lecture_full"]);

  calls.length = 0;
  expect(await save.flush(1_000)).toBe(false);
  expect(calls).toEqual([["longer", "new", "new"]]);
  server.longestRow = 10;
  expect(await save.flush(1_000)).toBe(true);
  expect([save.state, save.newStartMs]).toEqual(["saved", Infinity]);
});

test("a row that became shorter is saved, although another of the same call does not fit", async () => {
  const { clock, calls, server, save, write } = setUp();
  for (const number of [0, 1]) write(number, "row");
  await clock.advance(2_000);
  server.longestRow = 3;
  calls.length = 0;
  write(0, "longer");
  write(1, "cut");
  await clock.advance(2_000);
  expect(calls).toEqual([["longer", "cut"], ["cut"]]);
  expect(save.state).toBe("failed");
});

test("fields and marks that do not fit do not delay rows", async () => {
  const { clock, calls, server, save, write, refusals } = setUp();
  server.refuseFields = new ApiError("account_full", false);
  save.changeFields({ summary: "Long" });
  write(0, "a");
  await clock.advance(60_000);
  expect(calls).toEqual([[], ["a"]]);
  expect([save.state, save.isSaved, refusals]).toEqual(["failed", false, ["account_full"]]);
  server.refuseFields = null;
  save.changeFields({ summary: "" });
  await clock.advance(2_000);
  expect([save.state, save.isSaved]).toEqual(["saved", true]);
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

test("changed fields are saved together, before the rows, the latest value of each", async () => {
  const { clock, calls, changes, save, write } = setUp();
  save.changeFields({ targetLanguage: "fr" });
  save.changeFields({ summary: "A", context: "Greek" });
  save.changeFields({ summary: "B" });
  write(0, "a");
  await clock.advance(2_000);
  expect(calls).toEqual([[], ["a"]]);
  expect(changes).toEqual([{ targetLanguage: "fr", summary: "B", context: "Greek" }]);
  expect(save.isSaved).toBe(true);
});

test("a field that changes while it is being saved is saved again", async () => {
  const { clock, changes, hold, save } = setUp();
  const release = hold();
  save.changeFields({ context: "Greek", summary: "S" });
  await clock.advance(2_000);
  save.changeFields({ context: "Latin" });
  release();
  await clock.until(() => save.isSaved);
  expect(changes).toEqual([{ context: "Greek", summary: "S" }, { context: "Latin" }]);
});

test("a field that is refused for what it holds does not hold up the rows", async () => {
  const { clock, calls, server, save, write } = setUp();
  server.refuseFields = new ApiError("validation_failed", false);
  save.changeFields({ context: "x".repeat(20_000) });
  write(0, "a");
  await clock.advance(2_000);
  expect(calls).toEqual([[], ["a"]]);
  expect(save.isSaved).toBe(true);
});

test("a page that may be gone sends fields and rows at once, as much as a browser carries", async () => {
  const { calls, changes, save, write, server } = setUp();
  server.hold = new Promise(() => {});
  for (let at = 0; at < 20; at += 1) write(at, "x".repeat(9_000));
  save.changeFields({ summary: "S" });
  save.saveOnPageHide();
  expect(changes).toEqual([{ summary: "S" }]);
  expect(calls.at(-1)).toHaveLength(6);
  expect(save.isSaved).toBe(false);
});

test("what a closing page sends fits together into what a browser carries", async () => {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;
  const sent = async (summary: string) => {
    const { calls, changes, rows, save, write } = setUp();
    save.changeFields({ summary });
    for (let at = 0; at < 500; at += 1) write(at, "0123456789".repeat(20));
    save.saveOnPageHide();
    const count = calls.find(({ length }) => length > 0)?.length ?? 0;
    const sent = [...rows.values()].slice(0, count);
    return { fields: changes.length, count, total: bytes(changes) + bytes(sent) };
  };
  const long = await sent("摘".repeat(10_000));
  expect(long.fields).toBe(1);
  expect(long.count).toBeGreaterThan(50);
  expect(long.total).toBeLessThan(64 * 1_024);
  const tooLong = await sent("摘".repeat(30_000));
  expect(tooLong.fields).toBe(0);
  expect(tooLong.count).toBeGreaterThan(100);
});

test("what the server answers to a lecture that was given up is nobody's concern", async () => {
  const { clock, refusals, server, hold, save, write } = setUp();
  server.fail = new ApiError("not_found", false);
  const release = hold();
  write(0, "a");
  await clock.advance(2_000);
  save.dispose();
  release();
  await clock.advance(60_000);
  expect(refusals).toEqual([]);
  expect(clock.timers).toBe(0);
});

test("rows that come before the lecture exists wait for it", async () => {
  const { clock, calls, save, write } = setUp({ isStarted: false });
  write(0, "a", { startMs: 3_000, endMs: 4_000 });
  await clock.advance(60_000);
  expect(calls).toEqual([]);
  expect(save.newStartMs).toBe(3_000);
  save.start();
  await clock.advance(2_000);
  expect(calls).toEqual([["a"]]);
  expect([save.state, save.newStartMs]).toEqual(["saved", Infinity]);
});

test("shows what another tab has changed, and saves what both have changed", async () => {
  const row = createEntry("Ours.", 0, { id: "0", seq: 4 });
  const { clock, calls, shown, server, save, write } = setUp({ stored: [row] });
  const theirs = { ...row, speaker: "2", seq: 8 };
  server.others = { changed: [theirs] };
  write(0, "Corrected.", { originalByHand: true });
  await clock.advance(2_000);
  expect(shown[0]?.entries).toMatchObject([{ original: "Corrected.", speaker: "2", seq: 8 }]);
  expect(calls).toEqual([["Corrected."], ["Corrected."]]);
  expect(save.getStoredRow("0")).toMatchObject({ original: "Corrected.", speaker: "2", seq: 12 });
  expect(save.state).toBe("saved");
});

test("a copy that another device has changed leaves what is not saved", async () => {
  const rows = ["0", "1"].map((id) => createEntry(`Row ${id}.`, 0, { id, seq: 4 }));
  const { clock, calls, shown, save, write } = setUp({ stored: rows });
  write(0, "Corrected.", { originalByHand: true });
  save.mergeRows({ entries: [createEntry("Row 2.", 0, { id: "2", seq: 9 })], seq: 9 });
  expect(shown[0]).toMatchObject({ entries: [{ id: "2" }], deletedIds: ["1"] });
  await clock.advance(2_000);
  expect(calls).toEqual([["Corrected."]]);
  expect(save.isSaved).toBe(true);
});

test("a change in the very moment in which saving ends is saved all the same", async () => {
  for (let turns = 0; turns < 6; turns += 1) {
    const { clock, calls, save, hold, write } = setUp();
    write(0, "a");
    const release = hold();
    await clock.advance(2_000);
    release();
    // One promise after the other, so that one of the rounds meets that moment.
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    write(1, "b");
    await clock.advance(2_000);
    expect(calls.flat()).toEqual(["a", "b"]);
    expect(save.isSaved).toBe(true);
  }
});

test("what is saved once replaces an older value, which is not sent after it", async () => {
  const { clock, changes, states, save, hold } = setUp();
  save.changeFields({ summary: "older", context: "c" });
  const release = hold();
  await clock.advance(2_000);
  save.changeFields({ summary: "old" });
  let confirmed = false;
  const saved = save.saveOnce({ summary: "new" }, () => {
    confirmed = true;
    expect(save.isSaved).toBe(false);
  });
  await clock.advance(0);
  expect(changes).toEqual([{ summary: "older", context: "c" }]);
  release();
  await saved;
  expect(confirmed).toBe(true);
  await clock.advance(60_000);
  expect(changes.map(({ summary }) => summary).at(-1)).toBe("new");
  expect(states.at(-1)).toBe("saved");
  expect(save.isSaved).toBe(true);
});

test("what is saved once is not tried again, and what waited before it is", async () => {
  const { clock, changes, server, save, refusals } = setUp();
  save.changeFields({ summary: "old" });
  server.fail = new ApiError("unavailable", true);
  await clock.advance(2_000);
  expect(save.state).toBe("retrying");
  let confirmed = false;
  const saved = save.saveOnce({ summary: "new" }, () => {
    confirmed = true;
  });
  await expect(saved).rejects.toMatchObject({ code: "unavailable" });
  expect(confirmed).toBe(false);
  server.fail = null;
  changes.length = 0;
  await clock.advance(60_000);
  expect(changes).toEqual([{ summary: "old" }]);
  expect(save.state).toBe("saved");
  expect(refusals).toEqual([]);
});

test("rows and a flush that come while something is saved once follow it", async () => {
  const { clock, calls, save, write, hold } = setUp();
  const release = hold();
  const saved = save.saveOnce({ summary: "new" }, () => {});
  write(0, "a");
  const flushed = save.flush(15_000);
  await clock.advance(5_000);
  expect(calls).toEqual([[]]);
  release();
  await saved;
  expect(await flushed).toBe(true);
  expect(calls.at(-1)).toEqual(["a"]);
  expect(save.state).toBe("saved");
});

test("a flush with nothing else to save ends with what is saved once", async () => {
  const { save, hold } = setUp();
  const release = hold();
  const saved = save.saveOnce({ summary: "new" }, () => {});
  const flushed = save.flush(15_000);
  release();
  await saved;
  expect(await flushed).toBe(true);
});
