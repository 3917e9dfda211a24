import { describe, expect, test } from "vitest";
import type { LiveLine, TranscriptRow } from "#client/realtime/session-types.ts";
import { rowsPerBlock, Transcript } from "#client/realtime/transcript/transcript.ts";

function row(english: string): Omit<TranscriptRow, "position"> {
  const none = { translated: "", translation: "waiting", translatedInto: null } as const;
  const origin = { speaker: null, startMs: 0, endMs: 0, revision: 0 };
  return { english, ...origin, ...none, translatedByHand: false };
}

function line(settled: string, interim = ""): LiveLine {
  return { finalText: settled, interimText: interim, speaker: null, startMs: 0, preview: "" };
}

function filled(count: number): Transcript {
  const store = new Transcript();
  store.append(Array.from({ length: count }, (_, index) => row(`row ${index}`)));
  return store;
}

/** How many blocks and rows were replaced by `act`. */
function replaced(store: Transcript, act: () => void): { blocks: number; rows: number } {
  const before = store.blocks.get();
  const rows = before.flatMap((block) => block.rows);
  act();
  const after = store.blocks.get();
  return {
    blocks: after.filter((block, index) => block !== before[index]).length,
    rows: after.flatMap((block) => block.rows).filter((each, index) => each !== rows[index]).length,
  };
}

describe.each([500, 8_000])("with %i rows", (count) => {
  test("a batch of the live line touches no block and tells the live line's listeners alone", () => {
    const store = filled(count);
    let notifications = 0;
    store.blocks.subscribe(() => {
      notifications += 1;
    });
    const blocks = store.blocks.get();
    expect(replaced(store, () => store.setLive(line("a", " b")))).toEqual({ blocks: 0, rows: 0 });
    expect(store.blocks.get()).toBe(blocks);
    expect(notifications).toBe(0);
  });

  test("a new row replaces one block, and a translation its own", () => {
    const store = filled(count + 3);
    expect(replaced(store, () => store.append([row("new")]))).toEqual({ blocks: 1, rows: 1 });
    const change = () => store.change(60, { translated: "六十", translation: "done" });
    expect(replaced(store, change)).toEqual({ blocks: 1, rows: 1 });
    expect(store.row(60)).toMatchObject({ translated: "六十", revision: 1 });
  });
});

test("blocks hold 50 rows each, in order", () => {
  const store = filled(2 * rowsPerBlock + 1);
  expect(store.blocks.get().map(({ from, rows }) => [from, rows.length])).toEqual([
    [0, 50],
    [50, 50],
    [100, 1],
  ]);
  const positions = store.blocks.get().flatMap((block) => block.rows.map((each) => each.position));
  expect(positions).toEqual(Array.from({ length: 101 }, (_, index) => index));
  expect(store.row(77)?.english).toBe("row 77");
  expect(store.row(101)).toBeUndefined();
});

test("several rows at once are one notification, and full blocks keep their identity", () => {
  const store = filled(rowsPerBlock);
  const [first] = store.blocks.get();
  let notifications = 0;
  store.blocks.subscribe(() => {
    notifications += 1;
  });
  store.append([row("a"), row("b c")]);
  expect(notifications).toBe(1);
  expect(store.blocks.get()[0]).toBe(first);
  expect(store.wordCount.get()).toBe(rowsPerBlock * 2 + 3);
});

test("an equal live line is no change, and a preview without a line is dropped", () => {
  const store = new Transcript();
  let notifications = 0;
  store.live.subscribe(() => {
    notifications += 1;
  });
  store.setPreview("x");
  store.setLive(line("a"));
  store.setLive(line("a"));
  store.setPreview("甲");
  expect(store.live.get()?.preview).toBe("甲");
  expect(notifications).toBe(2);
});

test("only a change of the stored text counts up the revision", () => {
  const store = filled(1);
  store.change(0, { translation: "waiting" });
  expect(store.row(0)?.revision).toBe(0);
  store.change(0, { translated: "零" });
  store.change(0, { translated: "零" });
  expect(store.row(0)?.revision).toBe(1);
});

test.each([
  { starts: [0, 900], live: null, startMs: 900 },
  { starts: [0, 900, 300], live: null, startMs: 300 },
  { starts: [0, 300, 900], live: null, startMs: 300 },
  { starts: [0, 900], live: 300, startMs: 300 },
  { starts: [0, 300], live: 900, startMs: 300 },
  { starts: [0], live: null, startMs: Infinity },
])("the words behind row 0 of rows at $starts and live $live begin at $startMs ms", (each) => {
  const store = new Transcript();
  store.append(each.starts.map((startMs) => ({ ...row("Words."), startMs })));
  if (each.live !== null) store.setLive({ ...line("Words."), startMs: each.live });
  expect(store.findStartMs(1)).toBe(each.startMs);
});
