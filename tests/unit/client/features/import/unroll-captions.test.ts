import { describe, expect, it } from "vitest";
import { readFile } from "#client/features/import/read-file.ts";

async function readRows(name: string, text: string) {
  const reading = await readFile(new File([text], name));
  if (!("file" in reading)) throw new Error(JSON.stringify(reading));
  return reading.file.single.map(({ original, startMs }) => [original, startMs]);
}

const time = (ms: number) => `00:00:${(ms / 1_000).toFixed(3).padStart(6, "0")}`;
const toVtt = (...cues: [fromMs: number, toMs: number, ...lines: string[]][]) =>
  `WEBVTT\n\n${cues.map(([from, to, ...lines]) => `${time(from)} --> ${time(to)}\n${lines.join("\n")}`).join("\n\n")}\n`;

/** As video sites write them by machine: the new line word by word, then both lines for a moment. */
const rollUp = (...lines: string[]) =>
  toVtt(
    ...lines.flatMap((line, at): [number, number, ...string[]][] => {
      const words = line.split(" ");
      const timed = words
        .map((word, n) => (n === 0 ? word : `<${time(at * 2_000 + n * 100)}><c> ${word}</c>`))
        .join("");
      const fromMs = at * 2_000 + (at === 0 ? 0 : 10);
      return [
        [fromMs, at * 2_000 + 2_000, lines[at - 1] ?? " ", timed],
        [at * 2_000 + 2_000, at * 2_000 + 2_010, line, " "],
      ];
    }),
  );

describe("captions that roll up", () => {
  it("come in once for each line, with its own start", async () => {
    const lines = ["welcome to the lecture", "on thermodynamics today", "we talk about entropy"];
    expect(await readRows("a.vtt", rollUp(...lines))).toEqual([
      ["welcome to the lecture", 0],
      ["on thermodynamics today", 2_010],
      ["we talk about entropy", 4_010],
    ]);
  });

  it("keep a line that is said twice", async () => {
    const lines = ["listen to this", "say it again", "say it again", "and once more"];
    expect((await readRows("a.vtt", rollUp(...lines))).map(([text]) => text)).toEqual(lines);
  });

  it("come in once from three lines of a television programme", async () => {
    const text = toVtt(
      [0, 1_000, "今天我们开始"],
      [1_000, 2_000, "今天我们开始", "讲热力学的"],
      [2_000, 3_000, "今天我们开始", "讲热力学的", "第二个定律"],
      [3_000, 4_000, "讲热力学的", "第二个定律", "和它的意义"],
    );
    expect(await readRows("a.vtt", text)).toEqual([
      ["今天我们开始", 0],
      ["讲热力学的", 1_000],
      ["第二个定律", 2_000],
      ["和它的意义", 3_000],
    ]);
  });

  it("come in once from a file that a downloader has made SRT of", async () => {
    const lines = ["bienvenue au cours", "sur la thermodynamique", "nous parlons d'entropie"];
    const srt = lines
      .flatMap((line, at) => [
        [at * 2_000, at * 2_000 + 1_990, [lines[at - 1], line]] as const,
        [at * 2_000 + 1_990, at * 2_000 + 2_000, [line]] as const,
      ])
      .map(
        ([from, to, shown], at) =>
          `${at + 1}\n${time(from).replace(".", ",")} --> ${time(to).replace(".", ",")}\n${shown.filter((one) => one !== undefined).join("\n")}\n`,
      )
      .join("\n");
    expect(await readRows("a.srt", srt)).toEqual([
      ["bienvenue au cours", 0],
      ["sur la thermodynamique", 2_000],
      ["nous parlons d'entropie", 4_000],
    ]);
  });

  it("keep a refrain that comes back later", async () => {
    const lines = ["we shall see", "what it means", "we shall see", "and then some"];
    expect((await readRows("a.vtt", rollUp(...lines))).map(([text]) => text)).toEqual(lines);
  });

  it("come in once where a line grows word by word", async () => {
    const srt = toVtt(
      [0, 500, "heute"],
      [500, 1_000, "heute reden wir"],
      [1_000, 2_000, "heute reden wir über Wärme"],
      [2_000, 2_500, "und"],
      [2_500, 3_000, "und über Arbeit"],
    ).replace("WEBVTT\n\n", "");
    expect(await readRows("a.srt", srt)).toEqual([
      ["heute reden wir über Wärme", 0],
      ["und über Arbeit", 2_000],
    ]);
  });
});

describe("other captions stay as they are", () => {
  it("where a sentence is said twice", async () => {
    const text = toVtt(
      [0, 1_000, "Yes."],
      [1_000, 2_000, "Yes."],
      [2_000, 3_000, "No."],
      [3_000, 4_000, "No."],
    );
    expect((await readRows("a.vtt", text)).map(([text]) => text)).toEqual([
      "Yes.",
      "Yes.",
      "No.",
      "No.",
    ]);
  });

  it("where one cue begins with the words of the one before", async () => {
    const text = toVtt(
      [0, 1_000, "Of course."],
      [1_000, 2_000, "Of course.", "That is right."],
      [2_000, 3_000, "Let us begin."],
      [3_000, 4_000, "With the first law."],
    );
    expect(await readRows("a.vtt", text)).toHaveLength(5);
  });
});
