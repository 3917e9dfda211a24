import { describe, expect, test, vi } from "vitest";
import { rowsPerBlock, Transcript } from "#client/lecture/rows/transcript.ts";
import { countWords } from "#shared/words.ts";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";

/** Row `number`, or a later one; all begin at the same time. */
const row = (original: string, number = 10_000) =>
  createRow({
    id: `${number}`,
    ordinal: number,
    original,
    translated: "",
    translatedInto: null,
    translation: "waiting",
  });

function filled(count: number): Transcript {
  const transcript = new Transcript(countWords);
  transcript.append(Array.from({ length: count }, (_, index) => row(`row ${index}`, index)));
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
    const change = () => transcript.change("60", { translated: "六十", translation: "done" });
    expect(replaced(transcript, change)).toEqual({ blocks: 1, rows: 1 });
    expect(transcript.row(60)).toMatchObject({ id: "60", translated: "六十" });
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
  transcript.append([row("a", 100), row("b c", 101)]);
  expect(onChange).toHaveBeenCalledOnce();
  expect(transcript.blocks.get()[0]).toBe(first);
  expect(transcript.wordCount.get()).toBe(rowsPerBlock * 2 + 3);
});

test("an equal live line is no change", () => {
  const transcript = new Transcript(countWords);
  const onChange = vi.fn();
  transcript.live.subscribe(onChange);
  transcript.setLive(createLine());
  transcript.setLive(createLine());
  transcript.setLive({ ...createLine(), preview: "甲" });
  expect(transcript.live.get()?.preview).toBe("甲");
  expect(onChange).toHaveBeenCalledTimes(2);
});

describe("a row that begins before others", () => {
  const at = (startMs: number, ordinal: number) => ({
    ...row(`at ${startMs}`, ordinal),
    startMs,
  });

  test("comes before them, and only what is behind it moves", () => {
    const transcript = new Transcript(countWords);
    transcript.add(Array.from({ length: 120 }, (_, index) => at(index * 1_000, index)));
    const [first] = transcript.blocks.get();
    expect(transcript.add([at(60_500, 120)])).toBe(true);
    expect(transcript.row(61)).toMatchObject({ id: "120", position: 61 });
    expect(transcript.rowById("61")).toMatchObject({ position: 62 });
    expect(transcript.rowById("119")).toMatchObject({ position: 120 });
    expect(transcript.rows().map(({ position }) => position)).toEqual(
      Array.from({ length: 121 }, (_, index) => index),
    );
    expect(transcript.blocks.get()[0]).toBe(first);
    transcript.change("61", { translated: "there" });
    expect(transcript.row(62)?.translated).toBe("there");
    expect(transcript.add([at(119_000, 121)])).toBe(false);
    expect(transcript.nextOrdinal).toBe(122);
  });

  test("stands by its ordinal among those that begin with it", () => {
    const transcript = new Transcript();
    transcript.add([at(0, 5), at(900, 6)]);
    transcript.add([at(0, 4), at(900, 7)]);
    expect(transcript.rows().map(({ ordinal }) => ordinal)).toEqual([4, 5, 6, 7]);
  });
});

test("a row that is gone is not found, and not changed", () => {
  const transcript = filled(3);
  transcript.replaceAll(transcript.rows().slice(0, 2));
  expect(transcript.rowById("2")).toBeUndefined();
  transcript.change("2", { translated: "x" });
  expect(transcript.length).toBe(2);
});
