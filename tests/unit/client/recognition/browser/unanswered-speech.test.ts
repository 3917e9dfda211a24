import { expect, it } from "vitest";
import { UnansweredSpeech } from "#client/recognition/browser/unanswered-speech.ts";

/** Speech in chunks of 250 ms. */
function speak(speech: UnansweredSpeech, fromMs: number, toMs: number): void {
  for (let ms = fromMs; ms < toMs; ms += 250) speech.add(ms, ms + 250);
}

it("has stalled after 6 s of speech without a result", () => {
  const speech = new UnansweredSpeech();
  speak(speech, 10_000, 15_750);
  expect(speech.isStalled(15_999)).toBe(false);
  speak(speech, 15_750, 16_000);
  expect(speech.isStalled(16_000)).toBe(true);
  expect(speech.startMs).toBe(10_000);
  speech.onResult(16_100, 15_800);
  expect(speech.isStalled(16_100)).toBe(false);
  expect(speech.startMs).toBe(15_800);
});

it("has not stalled in silence, nor after a cough", () => {
  const speech = new UnansweredSpeech();
  expect(speech.isStalled(60_000)).toBe(false);
  speak(speech, 60_000, 61_000);
  expect(speech.isStalled(90_000)).toBe(false);
});

it("counts from a result, as long as somebody speaks on", () => {
  const speech = new UnansweredSpeech();
  speak(speech, 0, 4_000);
  speech.onResult(4_000, null);
  expect(speech.startMs).toBeNull();
  speak(speech, 4_000, 9_750);
  expect(speech.isStalled(9_999)).toBe(false);
  expect(speech.isStalled(10_000)).toBe(true);
  expect(speech.startMs).toBe(4_000);
});
