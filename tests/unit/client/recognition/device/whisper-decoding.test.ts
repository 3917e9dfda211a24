import { describe, expect, it } from "vitest";
import { Confidence, createLoopStop } from "#client/recognition/device/whisper-decoding.ts";
import { importTransformers } from "#tests/fixtures/speech-model/node-runtime.ts";

const { Tensor } = await importTransformers();

const special = { eos_token_id: 90, no_timestamps_token_id: 95 };
const noSpeech = 94;
const size = 200;
const toTensor = (scores: number[][]) =>
  new Tensor("float32", Float32Array.from(scores.flat()), [scores.length, size]);
const even = () => Array<number>(size).fill(0);

describe("a text that repeats itself", () => {
  const prefix = [93, 96];
  /** Whether the next token can only be the end. */
  const isStopped = (text: readonly number[]): boolean => {
    const stop = createLoopStop(special, prefix.length);
    const logits = stop([[...prefix, ...text].map(BigInt)], toTensor([even()]));
    const possible = [...(logits.data as Float32Array).keys()].filter(
      (token) => (logits.data as Float32Array)[token] !== Number.NEGATIVE_INFINITY,
    );
    return possible.length === 1 && possible[0] === special.eos_token_id;
  };
  const repeat = (piece: readonly number[], times: number) =>
    Array.from({ length: times }, () => piece).flat();

  it.each([
    ["one token", repeat([5], 16)],
    ["a phrase", [1, 2, 3, ...repeat([7, 8, 9, 10], 5)]],
    [
      "a sentence with other times",
      Array.from({ length: 5 }, (_, n) => [100 + n, 3, 4, 5, 6, 101 + n]).flat(),
    ],
  ])("ends: %s", (_name, text) => {
    expect(isStopped(text)).toBe(true);
    // Not one token earlier than it must.
    expect(isStopped(text.filter((token) => token < 95).slice(0, -1))).toBe(false);
  });

  it.each([
    ["nothing", []],
    ["what somebody says three times", repeat([1, 2, 3, 4, 5], 3)],
    ["very, very, very, very", repeat([5, 6], 4)],
    ["a loop that has ended", [...repeat([5], 16), 6]],
    ["times", Array.from({ length: 40 }, () => 100)],
  ])("goes on: %s", (_name, text) => {
    expect(isStopped(text)).toBe(false);
  });
});

describe("how sure a model is", () => {
  /** A text of which each token has `score` above all others, behind a prefix of two tokens with the start at 1. */
  const isNoSpeech = (noSpeechScore: number, score: number): boolean => {
    const confidence = new Confidence(special, 1);
    const start = even();
    start[noSpeech] = noSpeechScore;
    confidence.addStep(toTensor([even(), start]));
    const tokens = [91, 93];
    for (const token of [5, 6, 7, 8]) {
      const scores = even();
      scores[token] = score;
      confidence.process([tokens.map(BigInt)], toTensor([scores]));
      tokens.push(token);
    }
    confidence.process([tokens.map(BigInt)], toTensor([even()]));
    return confidence.isNoSpeech;
  };

  it("takes an unsure text for none where nobody seems to speak", () => {
    expect(isNoSpeech(8, 4)).toBe(true);
  });

  it.each([
    ["the model is sure of it", 8, 12],
    ["somebody seems to speak", 0, 4],
  ])("keeps a text: %s", (_name, noSpeechScore, score) => {
    expect(isNoSpeech(noSpeechScore, score)).toBe(false);
  });
});
