import { describe, expect, test, vi } from "vitest";
import { rowsPerBlock, Transcript } from "#client/realtime/transcript/transcript.ts";
import { countWords } from "#shared/words.ts";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";

const row = (original: string) =>
  createRow({
    original,
    translated: "",
    translatedInto: null,
    translation: "waiting",
    revision: 0,
  });

function filled(count: number): Transcript {
  const transcript = new Transcript(countWords);
  transcript.append(Array.from({ length: count }, (_, index) => row(`row ${index}`)));
  return transcript;
}

/** How many blocks and rows were replaced by `act`. */
function replaced(transcript: Transcript, act: () => void): { blocks: number; rows: number } {
  const before = transcript.blocks.get();
  const rows = before.flatMap((block) => block.rows);
  act();
  const after = transcript.blocks.get();
  return {
    blocks: after.filter((block, index) => block !== before[index]).length,
    rows: after.flatMap((block) => block.rows).filter((each, index) => each !== rows[index]).length,
  };
}

describe.each([500, 8_000])("with %i rows", (count) => {
  test("a batch of the live line touches no block and tells the live line's listeners alone", () => {
    const transcript = filled(count);
    const onChange = vi.fn();
    transcript.blocks.subscribe(onChange);
    const blocks = transcript.blocks.get();
    expect(
      replaced(transcript, () => transcript.setLive(createLine({ interimText: " b" }))),
    ).toEqual({ blocks: 0, rows: 0 });
    expect(transcript.blocks.get()).toBe(blocks);
    expect(onChange).not.toHaveBeenCalled();
  });

  test("a new row replaces one block, and a translation its own", () => {
    const transcript = filled(count + 3);
    expect(replaced(transcript, () => transcript.append([row("new")]))).toEqual({
      blocks: 1,
      rows: 1,
    });
    const change = () => transcript.change(60, { translated: "六十", translation: "done" });
    expect(replaced(transcript, change)).toEqual({ blocks: 1, rows: 1 });
    expect(transcript.row(60)).toMatchObject({ translated: "六十", revision: 1 });
  });
});

test("blocks hold 50 rows each, in order", () => {
  const transcript = filled(2 * rowsPerBlock + 1);
  expect(transcript.blocks.get().map(({ from, rows }) => [from, rows.length])).toEqual([
    [0, 50],
    [50, 50],
    [100, 1],
  ]);
  const positions = transcript.blocks
    .get()
    .flatMap((block) => block.rows.map((each) => each.position));
  expect(positions).toEqual(Array.from({ length: 101 }, (_, index) => index));
  expect(transcript.row(77)?.original).toBe("row 77");
  expect(transcript.row(101)).toBeUndefined();
});

test("several rows at once are one notification, and full blocks keep their identity", () => {
  const transcript = filled(rowsPerBlock);
  const [first] = transcript.blocks.get();
  const onChange = vi.fn();
  transcript.blocks.subscribe(onChange);
  transcript.append([row("a"), row("b c")]);
  expect(onChange).toHaveBeenCalledOnce();
  expect(transcript.blocks.get()[0]).toBe(first);
  expect(transcript.wordCount.get()).toBe(rowsPerBlock * 2 + 3);
});

test("an equal live line is no change, and a preview without a line is dropped", () => {
  const transcript = new Transcript(countWords);
  const onChange = vi.fn();
  transcript.live.subscribe(onChange);
  transcript.setPreview("x");
  transcript.setLive(createLine());
  transcript.setLive(createLine());
  transcript.setPreview("甲");
  expect(transcript.live.get()?.preview).toBe("甲");
  expect(onChange).toHaveBeenCalledTimes(2);
});

test("only a change of the stored text counts up the revision", () => {
  const transcript = filled(1);
  transcript.change(0, { translation: "waiting" });
  expect(transcript.row(0)?.revision).toBe(0);
  transcript.change(0, { translated: "零" });
  transcript.change(0, { translated: "零" });
  expect(transcript.row(0)?.revision).toBe(1);
});

test.each([
  { starts: [0, 900], live: null, startMs: 900 },
  { starts: [0, 900, 300], live: null, startMs: 300 },
  { starts: [0, 300, 900], live: null, startMs: 300 },
  { starts: [0, 900], live: 300, startMs: 300 },
  { starts: [0, 300], live: 900, startMs: 300 },
  { starts: [0], live: null, startMs: Infinity },
])("the words behind row 0 of rows at $starts and live $live begin at $startMs ms", (each) => {
  const transcript = new Transcript(countWords);
  transcript.append(each.starts.map((startMs) => ({ ...row("Words."), startMs })));
  if (each.live !== null) transcript.setLive(createLine({ startMs: each.live }));
  expect(transcript.findStartMs(1)).toBe(each.startMs);
});
