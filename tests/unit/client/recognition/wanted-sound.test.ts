import { expect, it } from "vitest";
import { getWantedSound } from "#client/recognition/wanted-sound.ts";

it.each([
  ["service", false, { rate: 16_000, channels: 1, codec: "smallest" }],
  ["demo", true, { rate: 16_000, channels: 1, codec: "smallest" }],
  ["device", false, { rate: 16_000, channels: 1, codec: "pcm_s16le" }],
  ["device", true, { rate: 16_000, channels: 1, codec: "smallest" }],
  ["browser", false, { rate: null, channels: 1, codec: "smallest" }],
] as const)("%s gets its sound, kept: %s", (engine, keepsSound, wanted) => {
  expect(getWantedSound(engine, keepsSound)).toEqual(wanted);
});
