import type { HypothesisWord, SpeechModel } from "#client/recognition/device/speech-model.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { detectByLevel } from "./level-detector.ts";
import type { ManualClock } from "./manual-clock.ts";
import { getExpectedText } from "./simulated-room.ts";

const wordsMax = 10_000;
const computeMs = 150;

/** A speech model that hears the numbered words of `sound`, wherever its window begins. */
export function createNumberedModel(clock: ManualClock): SpeechModel {
  return {
    transcribe: (window) =>
      new Promise((resolve) => {
        const words = findWords(window);
        clock.after(computeMs, () => resolve(words));
      }),
    detectSpeech: detectByLevel,
    dispose() {},
  };
}

function findWords(window: Float32Array): HypothesisWord[] {
  const pcm = new DataView(new ArrayBuffer(window.length * 2));
  for (const [at, sample] of window.entries())
    pcm.setInt16(at * 2, Math.round(sample * 32_768), true);
  const words: HypothesisWord[] = [];
  for (let at = 0; at + 1 < window.length; at += 1) {
    const word = pcm.getUint32(at * 2);
    if (word === 0 || word > wordsMax) continue;
    const startMs = (at * 1_000) / captureSampleRate;
    const text = getExpectedText(word).split(" ").at(-1) ?? "";
    words.push({ text, startMs, endMs: startMs + 200 });
  }
  return words;
}
