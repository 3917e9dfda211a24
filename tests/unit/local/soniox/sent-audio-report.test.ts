import { expect, test } from "vitest";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { reportSentAudio } from "./sent-audio-report.ts";

const { samples, words } = createLectureFixture({ to: 4, sampleRate: 16_000 });
const take = { take: "take", codec: "pcm_s16le" } as const;
const text = words.map((word) => word.text).join(" ");

function toChunks(sound: Float32Array) {
  const chunks = [];
  for (let at = 0; at < sound.length; at += 4_096)
    chunks.push({ seq: 7 + at / 4_096, data: encodePcm16(sound.subarray(at, at + 4_096)) });
  return chunks;
}

test("reports a word that was sent and did not come back as lost", async () => {
  const report = await reportSentAudio({
    ...take,
    chunks: toChunks(samples),
    finals: " one three four.",
  });
  expect(report).toContain(`from 7 say "${text}"`);
  expect(report).toContain("lost on the way: two");
  expect(report).not.toContain("damaged");
});

test("does not report a word that is missing in the audio as lost", async () => {
  const cut = samples.slice();
  const two = words[1];
  cut.fill(0, (two?.startMs ?? 0) * 16, (two?.endMs ?? 0) * 16);
  const report = await reportSentAudio({
    ...take,
    chunks: toChunks(cut),
    finals: " one three four.",
  });
  expect(report).toContain('say "one three four."');
  expect(report).toContain("no word was lost on the way");
});

test("reports chunks out of order and connections without audio", async () => {
  const chunks = toChunks(samples);
  chunks.splice(3, 1);
  expect(await reportSentAudio({ ...take, chunks, finals: "" })).toContain("(out of order at 11)");
  expect(await reportSentAudio({ ...take, chunks: [], finals: "" })).toBe("nothing was sent");
});
