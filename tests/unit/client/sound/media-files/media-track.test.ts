import { expect, it } from "vitest";
import { measureLevel } from "#client/sound/capture/level.ts";
import { openMedia, readFacts } from "#client/sound/media-files/open-media.ts";
import { createMediaFile } from "#tests/fixtures/media.ts";
import { createVoice } from "#tests/fixtures/voice.ts";

const rate = 16_000;
const voice = createVoice(3_000, rate, 1).map((sample) => sample * 0.3);
const other = createVoice(2_000, rate, 2).map((sample) => sample * 0.3);
const silence = new Float32Array(voice.length);

/** Mono sound of the track that is read. */
async function read(file: Blob, track: number | null = null): Promise<Float32Array> {
  const media = await openMedia(file, track);
  const samples: number[] = [];
  for await (const block of media.readBlocks(0)) samples.push(...block.samples);
  media.close();
  return Float32Array.from(samples);
}

/** Steps of a quarter of a dB between two sounds. */
const compare = (first: Float32Array, second: Float32Array) =>
  Math.abs(measureLevel(first) - measureLevel(second));

const quiet = voice.map((sample) => sample * 0.15);

it.each<[name: string, planes: readonly Float32Array[], speech: Float32Array]>([
  ["right is left in opposite phase", [voice, voice.map((sample) => -sample)], voice],
  ["left alone", [voice, silence], voice],
  [
    "5.1 with quiet speech in the centre",
    [silence, silence, quiet, silence, silence, silence],
    quiet,
  ],
])("hears the speech of a WAV file: %s", async (_, planes, speech) => {
  const file = await createMediaFile("wav", rate, [{ planes }]);
  expect(compare(await read(file), speech)).toBeLessThanOrEqual(2);
  expect(await readFacts(file)).toMatchObject({ tracks: [], track: null });
});

it.each(["mkv", "mov"] as const)(
  "reads the track with speech, and names them all: %s",
  async (format) => {
    const file = await createMediaFile(format, rate, [
      { planes: [silence], name: "Microphone" },
      { planes: [voice], name: "Desktop", language: "deu" },
    ]);
    expect(await readFacts(file)).toMatchObject({
      track: 2,
      tracks: [
        { number: 1, hasSound: false, language: null },
        { number: 2, hasSound: true, language: "de" },
      ],
    });
    expect(compare(await read(file), voice)).toBeLessThanOrEqual(2);
  },
);

it("reads the track that was chosen", async () => {
  const tracks = [
    { planes: [voice], language: "eng" },
    { planes: [other], name: "Interpreter" },
  ];
  const file = await createMediaFile("mkv", rate, tracks);
  expect(await readFacts(file)).toMatchObject({
    track: 1,
    tracks: [
      { number: 1, name: null, language: "en" },
      { number: 2, name: "Interpreter", language: null },
    ],
  });
  expect(await read(file, 2)).toHaveLength(other.length);
});

it("reads the first track where none can be heard", async () => {
  const file = await createMediaFile("mkv", rate, [{ planes: [silence] }, { planes: [silence] }]);
  expect(await readFacts(file)).toMatchObject({ track: 1 });
});
