import { expect, it } from "vitest";
import { readEditLists, readRecordingTime } from "#client/sound/media-files/movie-tables.ts";

/** Seconds since 1904, as these files count. */
const toSeconds = (iso: string) => Date.parse(iso) / 1_000 + 2_082_844_800;

function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, content]);
}

function createMovie(seconds: number, isLong = false): Blob {
  const header = Buffer.alloc(108);
  if (isLong) {
    header[0] = 1;
    header.writeBigUInt64BE(BigInt(seconds), 4);
  } else header.writeUInt32BE(seconds, 4);
  const file = [box("ftyp", Buffer.from("qt  ")), box("wide", Buffer.alloc(0))];
  return new Blob([new Uint8Array(Buffer.concat([...file, box("moov", box("mvhd", header))]))]);
}

it.each([false, true])(
  "reads when a file says that it was recorded (64 bits: %s)",
  async (isLong) => {
    const recorded = "2025-11-03T09:15:20.000Z";
    expect(await readRecordingTime(createMovie(toSeconds(recorded), isLong))).toBe(
      Date.parse(recorded),
    );
  },
);

it("takes the time of a device without a clock for none", async () => {
  for (const seconds of [
    0,
    1,
    toSeconds("1970-01-01T00:00:00Z"),
    toSeconds("1980-01-06T00:00:00Z"),
  ])
    expect(await readRecordingTime(createMovie(seconds))).toBeNull();
});

it.each([
  ["another file", Buffer.from("RIFF\0\0\0\0WAVEfmt ")],
  [
    "a file that ends in its tables",
    Buffer.from("\0\0\0\x10ftypqt  \0\0\0\0\0\0\0\x7fmoov", "latin1"),
  ],
  ["tables without a header", box("moov", Buffer.alloc(0))],
  ["a header that is too short", box("moov", box("mvhd", Buffer.alloc(5)))],
  ["boxes without length", Buffer.alloc(64)],
])("finds nothing in %s", async (_, bytes) => {
  const file = new Blob([new Uint8Array(bytes)]);
  expect(await readRecordingTime(file)).toBeNull();
  expect((await readEditLists(file)).size).toBe(0);
});
