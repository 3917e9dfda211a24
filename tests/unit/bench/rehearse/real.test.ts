import { expect, it } from "vitest";
import { addPause, toPageSound } from "#bench/rehearse/real/sounds.ts";
import { findServer } from "#bench/rehearse/real/speech-server.ts";
import { countMissing } from "#bench/rehearse/real/speech-trials.ts";

const rate = 16_000;

it("puts a pause where nobody speaks, and changes nothing else", () => {
  const quietFrom = 9 * rate;
  const samples = Float32Array.from({ length: 20 * rate }, (_, at) =>
    at >= quietFrom && at < quietFrom + rate ? 0.001 : Math.sin(at / 5),
  );
  const paused = addPause(samples, 3);
  expect(paused.length).toBe(23 * rate);
  let silent = 0;
  for (let run = 0, at = 0; at < paused.length && run < 3 * rate; at += 1) {
    run = paused[at] === 0 ? run + 1 : 0;
    silent = at + 1 - run;
  }
  expect(silent).toBeGreaterThanOrEqual(quietFrom);
  expect(silent).toBeLessThan(quietFrom + rate);
  const rest = [...paused.subarray(0, silent), ...paused.subarray(silent + 3 * rate)];
  expect(rest.every((value, at) => value === samples[at])).toBe(true);
});

it("sends sound as a page does", () => {
  const samples = new Float32Array(rate);
  expect(toPageSound(samples, "pcm_s16le")).toMatchObject({ chunkMs: 256 });
  expect(toPageSound(samples, "opus").chunks).toHaveLength(4);
});

it("counts the words of one text that another one does not have in their order", () => {
  expect(countMissing("One two three.", "one, Two three")).toBe(0);
  expect(countMissing("one two three four", "one three two")).toBe(2);
});

it("finds no server that is not installed", async () => {
  expect(await findServer("no-such-speech-server")).toBeNull();
});
