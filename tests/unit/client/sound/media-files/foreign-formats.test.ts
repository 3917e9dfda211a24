import { expect, it } from "vitest";
import type { ForeignFormat } from "#client/sound/media-files/foreign-formats.ts";
import { isMediaFile } from "#client/sound/media-files/media-file.ts";
import { openMedia } from "#client/sound/media-files/open-media.ts";

const toFile = (name: string, beginning: string) =>
  new File(
    [Uint8Array.from(beginning.padEnd(2_000, "\0"), (letter) => letter.charCodeAt(0))],
    name,
  );

it.each<[name: string, beginning: string, format: ForeignFormat]>([
  ["call.amr", "#!AMR\n<", "amr"],
  ["call.awb", "#!AMR-WB\n", "amr"],
  ["talk.wma", "\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c", "windowsMedia"],
  ["film.AVI", "RIFF\x0c\x7b\x01\x00AVI LIST", "avi"],
  ["talk.rm", ".RMF\0\0\0\x12", "realMedia"],
  ["talk.flv", "FLV\x01\x05", "flashVideo"],
  ["disc.vob", "\0\0\x01\xba\x44", "mpegProgram"],
  ["memo.ds2", "\x03ds2", "dictation"],
  ["talk.aiff", "FORM\0\0\0\x0cAIFFCOMM", "aiff"],
  ["memo.caf", "caff\0\x01", "coreAudio"],
])("names a file that no browser or few browsers read: %s", async (name, beginning, format) => {
  const file = toFile(name, beginning);
  expect(isMediaFile(file)).toBe(true);
  await expect(openMedia(file)).rejects.toMatchObject({ problem: format });
});

it("takes a file for none of them whose name alone says so", async () => {
  await expect(openMedia(toFile("call.amr", "Hello."))).rejects.toMatchObject({
    problem: "notMedia",
  });
});

it.each(["lecture.ts", "lecture.m2ts", "memo.qta", "memo.QTA"])("reads %s by its name", (name) => {
  expect(isMediaFile({ name, type: "" })).toBe(true);
});
