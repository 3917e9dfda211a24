import { expect, it } from "vitest";
import { openMedia } from "#client/sound/media-files/open-media.ts";
import { createMediaFile } from "#tests/fixtures/media.ts";

const rate = 16_000;
const seconds = 10;
/** Each sample tells its place. */
const ramp = Float32Array.from({ length: seconds * rate }, (_, at) => at / (seconds * rate));

interface TestEdit {
  /** s; null: silence. */
  from: number | null;
  length: number;
  speed?: number;
}

/** Ten seconds in a QuickTime file with an edit list. */
async function createEdited(edits: readonly TestEdit[], isLong = false): Promise<Blob> {
  const file = Buffer.from(
    await (await createMediaFile("mov", rate, [{ planes: [ramp] }])).arrayBuffer(),
  );
  const movieAt = file.indexOf("moov") - 4;
  const trackAt = file.indexOf("trak") - 4;
  const mediaAt = file.indexOf("mdhd");
  const movieScale = file.readUInt32BE(file.indexOf("mvhd") + 16);
  const mediaScale = file.readUInt32BE(mediaAt + 16);
  const entries = edits.map(({ from, length, speed = 1 }) => {
    const media = from === null ? -1 : Math.round(from * mediaScale);
    const entry = Buffer.alloc(isLong ? 20 : 12);
    if (isLong) {
      entry.writeBigUInt64BE(BigInt(Math.round(length * movieScale)));
      entry.writeBigInt64BE(BigInt(media), 8);
    } else {
      entry.writeUInt32BE(Math.round(length * movieScale));
      entry.writeInt32BE(media, 4);
    }
    entry.writeUInt16BE(speed, entry.length - 4);
    return entry;
  });
  const head = Buffer.alloc(8);
  head[0] = isLong ? 1 : 0;
  head.writeUInt32BE(entries.length, 4);
  const added = box("edts", box("elst", Buffer.concat([head, ...entries])));
  const trackEnd = trackAt + file.readUInt32BE(trackAt);
  for (const at of [movieAt, trackAt]) file.writeUInt32BE(file.readUInt32BE(at) + added.length, at);
  const changed = Buffer.concat([file.subarray(0, trackEnd), added, file.subarray(trackEnd)]);
  return new Blob([new Uint8Array(changed)]);
}

function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, content]);
}

/** Which seconds of the file are heard at the given ones, and how long it is. */
async function play(file: Blob, at: readonly number[], from = 0) {
  const media = await openMedia(file);
  const heard = new Map<number, number>();
  for await (const { samples, sampleRate, atMs } of media.readBlocks(from * 1_000))
    for (const second of at) {
      const sample = samples[Math.round((second - atMs / 1_000) * sampleRate)];
      if (sample !== undefined) heard.set(second, Math.round(sample * seconds * 100) / 100);
    }
  media.close();
  return {
    length: Math.round(media.lengthMs) / 1_000,
    heard: at.map((second) => heard.get(second) ?? null),
  };
}

it("plays what an edit list leaves, at the times of a player", async () => {
  const edits = [
    { from: 0, length: 3 },
    { from: 7, length: 3 },
  ];
  for (const isLong of [false, true]) {
    const file = await createEdited(edits, isLong);
    expect(await play(file, [0, 1, 2.9, 3.1, 5, 5.9, 6.1])).toEqual({
      length: 6,
      heard: [0, 1, 2.9, 7.1, 9, 9.9, null],
    });
  }
});

it("plays the same from the middle", async () => {
  const file = await createEdited([
    { from: 0, length: 3 },
    { from: 7, length: 3 },
  ]);
  expect(await play(file, [1, 4, 5], 3.5)).toMatchObject({ heard: [null, 8, 9] });
});

it.each<[name: string, edits: TestEdit[], length: number, heard: (number | null)[]]>([
  ["a beginning and an end that are cut off", [{ from: 2, length: 5 }], 5, [3, 6.9, null]],
  [
    "parts in another order",
    [
      { from: 6, length: 3 },
      { from: 0, length: 2 },
    ],
    5,
    [7, 1.9, null],
  ],
  [
    "a part that is played twice",
    [
      { from: 1, length: 3 },
      { from: 1, length: 3 },
    ],
    6,
    [2, 2.9, 3.5],
  ],
  [
    "silence between two parts",
    [
      { from: 0, length: 2 },
      { from: null, length: 2 },
      { from: 5, length: 2 },
    ],
    6,
    [1, 5.9, 6.5],
  ],
  ["everything", [{ from: 0, length: 10 }], 10, [1, 4.9, 5.5]],
  [
    "another speed, which is not followed",
    [
      { from: 0, length: 5, speed: 2 },
      { from: 0, length: 1 },
    ],
    10,
    [1, 4.9, 5.5],
  ],
  ["no length", [{ from: 0, length: 0 }], 10, [1, 4.9, 5.5]],
])("plays %s", async (_, edits, length, heard) => {
  expect(await play(await createEdited(edits), [1, 4.9, 5.5])).toEqual({ length, heard });
});

it("does not follow a list without end, and refuses a length without end", async () => {
  const many = Array.from({ length: 20_000 }, () => ({ from: 0, length: 0.001 }));
  expect(await play(await createEdited(many), [1, 5])).toEqual({ length: 10, heard: [1, 5] });
  const long = Array.from({ length: 3_000 }, () => ({ from: 0, length: 10 }));
  await expect(openMedia(await createEdited(long))).rejects.toMatchObject({ problem: "tooLong" });
});
