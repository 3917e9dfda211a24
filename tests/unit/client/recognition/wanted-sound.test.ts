import { expect, it } from "vitest";
import { getWantedSound } from "#client/recognition/wanted-sound.ts";

it.each([
  ["service", false, { rate: 16_000, channels: 1, codec: "smallest", isProcessed: true }],
  ["demo", true, { rate: 16_000, channels: 1, codec: "smallest", isProcessed: true }],
  ["device", false, { rate: 16_000, channels: 1, codec: "pcm_s16le", isProcessed: true }],
  ["device", true, { rate: 16_000, channels: 1, codec: "smallest", isProcessed: true }],
  ["browser", false, { rate: null, channels: 1, codec: "smallest", isProcessed: true }],
] as const)("%s gets its sound, kept: %s", (engine, keepsSound, wanted) => {
  expect(getWantedSound(engine, keepsSound)).toEqual(wanted);
});
