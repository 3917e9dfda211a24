import { expect, it } from "vitest";
import { readTagTime } from "#client/sound/media-files/tag-time.ts";

const toFile = (...parts: (string | Uint8Array)[]) =>
  new Blob([
    Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)),
    ),
  ]);
const utc = (...date: [number, number, number, number, number, number]) => Date.UTC(...date);
const local = (...date: [number, number, number, number, number, number]) =>
  new Date(...date).getTime();

const bext = (date: string, time: string) =>
  toFile("RIFF\x10\0\0\0WAVE", "bext\x5a\x02\0\0", Buffer.alloc(320), date, time, Buffer.alloc(64));

const matroska = (recorded: number) => {
  const time = Buffer.alloc(8);
  time.writeBigInt64BE(BigInt(recorded - Date.UTC(2001, 0)) * 1_000_000n);
  return toFile("\x1a\x45\xdf\xa3\x9f\0\0", "\x15\x49\xa9\x66\x90\x44\x61\x88", time, "\x4d\x80");
};

it.each<[name: string, file: Blob, recorded: number]>([
  ["a WAV of a field recorder", bext("2026-03-04", "09:08:07"), local(2026, 2, 4, 9, 8, 7)],
  ["a WAV of another recorder", bext("2026_03_04", "09-08-07"), local(2026, 2, 4, 9, 8, 7)],
  ["a WebM of a screen recorder", matroska(utc(2026, 2, 4, 9, 8, 7)), utc(2026, 2, 4, 9, 8, 7)],
  [
    "an Ogg file of a phone",
    toFile("OggS\0\0OpusTags\x1d\0\0\0DATE=2026-03-04T09:08:07Z\x01"),
    utc(2026, 2, 4, 9, 8, 7),
  ],
  [
    "a FLAC file with its zone",
    toFile("fLaC\0\0\x24\0\0\0creation_time=2026-03-04 09:08:07+0100"),
    utc(2026, 2, 4, 8, 8, 7),
  ],
  [
    "an MP3 of a dictating machine",
    toFile("ID3\x04\0\0\0\0\x10\0TDRC\0\0\0\x14\0\0\x032026-03-04T09:08:07\0"),
    local(2026, 2, 4, 9, 8, 7),
  ],
  [
    "an MP3 whose tags are UTF-16",
    toFile(
      "ID3\x04\0\0\0\0\x10\0TDRC\0\0\0\x24\0\0\x01\xff\xfe",
      Buffer.from("2026-03-04T09:08", "utf16le"),
    ),
    local(2026, 2, 4, 9, 8, 0),
  ],
])("reads when %s was recorded", async (_, file, recorded) => {
  expect(await readTagTime(file)).toBe(recorded);
});

it.each<[name: string, file: Blob]>([
  ["a day alone", toFile("OggS\0\0OpusTags\x0f\0\0\0DATE=2026-03-04\x01")],
  ["a year alone", toFile("ID3\x04\0\0\0\0\x10\0TDRC\0\0\0\x05\0\0\x032026\0")],
  ["another field", toFile("OggS\0\0OpusTags\x0f\0\0\0UPDATE=2026-03-04T09:08:07\x01")],
  ["a clock that was never set", bext("0000-00-00", "00:00:00")],
  ["a month that there is not", bext("2026-13-04", "09:08:07")],
  ["no tags", toFile("RIFF\x10\0\0\0WAVEfmt ", Buffer.alloc(40))],
  ["the words in another file", toFile("A text with DATE=2026-03-04T09:08:07Z in it")],
  ["nothing", new Blob([])],
])("finds no time in a file with %s", async (_, file) => {
  expect(await readTagTime(file)).toBeNull();
});
