import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RecognitionWindows } from "#client/recognition/device/recognition-windows.ts";
import { SpeechModelError } from "#client/recognition/device/speech-model-messages.ts";
import type { DecodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import { DeviceLecture } from "#tests/unit/client/recorder/kit/device-lecture.ts";
import { readFakePacket } from "#tests/unit/client/recorder/kit/fake-packets.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { MemoryTakes } from "#tests/unit/client/recorder/kit/memory-takes.ts";
import {
  createPcm,
  createScript,
  type Faults,
  readNumber,
  type ScriptWord,
  whisperFaults,
} from "#tests/unit/client/recorder/kit/scripted-speech.ts";

let clock: ManualClock;
let stored: MemoryTakes;

beforeEach(() => {
  clock = new ManualClock();
  stored = new MemoryTakes();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Finds no words between two times of the take, where `isHeard` does not change that. */
function missWords(fromMs: number, toMs: number, isHeard = () => false) {
  const { add } = RecognitionWindows.prototype;
  vi.spyOn(RecognitionWindows.prototype, "add").mockImplementation(function (
    this: RecognitionWindows,
    ...options
  ) {
    const result = add.apply(this, options);
    if (isHeard()) return result;
    const isMissed = ({ startMs }: { startMs: number }) => startMs >= fromMs && startMs < toMs;
    const [first, ...others] = result.finals.filter(isMissed);
    const last = others.at(-1) ?? first;
    return {
      ...result,
      finals: result.finals.filter((word) => !isMissed(word)),
      wordless: first && last ? [{ startMs: first.startMs, endMs: last.endMs }] : [],
    };
  });
}

const allNumbers = (script: readonly ScriptWord[]) => script.map(({ number }) => number);

/** Each word once, in order and at its time. */
function expectWords({ numbers, words, script }: DeviceLecture): void {
  expect(numbers).toEqual(allNumbers(script));
  let clockMs = 0;
  for (const [index, { startMs, endMs }] of words.entries()) {
    const word = script[index];
    expect(startMs).toBeGreaterThanOrEqual(clockMs);
    clockMs = endMs;
    expect(Math.abs(startMs - (word?.startMs ?? 0))).toBeLessThanOrEqual(300);
    expect(Math.abs(endMs - (word?.endMs ?? 0))).toBeLessThanOrEqual(300);
  }
}

/** A lecture of so much speech, with a take. */
function open(lengthMs: number, faults?: Faults) {
  const lecture = new DeviceLecture(clock, stored, createScript(lengthMs), faults);
  return { lecture, take: lecture.addTake("take") };
}

describe("recognition of a take on this device", () => {
  it("gives each word once, in order and at its time, while it is recorded", async () => {
    const { lecture, take } = open(60_000, whisperFaults);
    lecture.recognizer.start();
    expect(lecture.recognizer.state).toBe("connecting");
    await lecture.record(take, 20_000);
    expect(lecture.recognizer.state).toBe("live");
    expect(lecture.words.length).toBeGreaterThan(20);
    expect(take.unsentMs).toBeLessThan(6_000);
    await lecture.record(take, 60_000);
    take.end();
    expect(lecture.recognizer.state).toBe("draining");
    await lecture.finish();
    expect(lecture.recognizer.state).toBe("idle");
    expectWords(lecture);
    expect(lecture.interim).toBe("");
    expect(lecture.endpoints).toBeGreaterThan(3);
    expect([take.isComplete, take.unsentMs, lecture.completions]).toEqual([true, 0, 1]);
  });

  it("catches up with what was recorded before, with the same words", async () => {
    const { lecture, take } = open(300_000, whisperFaults);
    await lecture.recordAhead(take, 300_000);
    lecture.recognizer.start();
    await lecture.finish();
    expectWords(lecture);
  });

  it("loses nothing where the model is slower than speech", async () => {
    const { lecture, take } = open(120_000, whisperFaults);
    lecture.slowness = 1 / 0.3;
    lecture.recognizer.start();
    await lecture.record(take, 120_000);
    expect(take.unsentMs).toBeGreaterThan(60_000);
    await lecture.finish(1_200_000);
    expectWords(lecture);
    expect(lecture.maxBufferedMs).toBeLessThan(45_000);
  });

  it("counts silence as done, without the model", async () => {
    const lecture = new DeviceLecture(clock, stored, []);
    const take = lecture.addTake("take");
    lecture.recognizer.start();
    await lecture.record(take, 60_000);
    expect(take.unsentMs).toBeLessThan(4_000);
    expect(lecture.maxWindowMs).toBe(0);
    await lecture.finish();
    expect([take.isComplete, lecture.words]).toEqual([true, []]);
  });

  it("keeps the memory small for an hour, and windows short", async () => {
    const lengthMs = 3_600_000;
    const script = createScript(lengthMs, { wordsPerBreath: 25 });
    const lecture = new DeviceLecture(clock, stored, script, whisperFaults);
    lecture.slowness = 0.01;
    const take = lecture.addTake("take");
    // In pieces, because what is not stored yet is in memory.
    for (let ms = 0; ms < lengthMs; ms += 300_000) await lecture.recordAhead(take, ms + 300_000);
    lecture.recognizer.start();
    await lecture.finish();
    expect(lecture.numbers).toEqual(allNumbers(script));
    expect(lecture.maxBufferedMs).toBeLessThan(45_000);
    expect(lecture.maxChunksInMemory).toBeLessThan(700);
    expect(lecture.maxWindowMs).toBeLessThanOrEqual(30_000);
  });

  it("continues after a reload with what the take says", async () => {
    const { lecture, take } = open(90_000, whisperFaults);
    lecture.recognizer.start();
    await lecture.record(take, 50_000);
    await lecture.recordAhead(take, 90_000);
    await lecture.reload();
    const [again] = lecture.takes;
    expect(again).not.toBe(take);
    expect(again?.nextSeq).toBe(take.nextSeq);
    lecture.recognizer.start();
    await lecture.finish();
    expectWords(lecture);
  });

  it("continues after it was closed, also in the middle of a window", async () => {
    const { lecture, take } = open(60_000);
    lecture.slowness = 0.5;
    lecture.recognizer.start();
    for (const toMs of [7_000, 19_000, 33_333]) {
      await lecture.record(take, toMs);
      lecture.recognizer.close();
      expect(lecture.recognizer.state).toBe("idle");
      lecture.recognizer.start();
    }
    await lecture.record(take, 60_000);
    await lecture.finish();
    expectWords(lecture);
  });

  it("reports speech without words where it lies, and lets no sentence go on over it", async () => {
    const { lecture, take } = open(60_000);
    missWords(20_000, 24_000);
    await lecture.recordAhead(take, 60_000);
    lecture.words.push({ text: "before", startMs: 0, endMs: 5_000, takeId: "another" });
    lecture.recognizer.start();
    await lecture.finish();
    expect(take.offsetMs).toBe(5_000);
    const [gap, ...others] = take.report.gaps;
    expect(others).toEqual([]);
    expect(gap?.reason).toBe("noWords");
    expect(Math.abs((gap?.atMs ?? 0) - 25_000)).toBeLessThan(700);
    expect(Math.abs((gap?.atMs ?? 0) + (gap?.lengthMs ?? 0) - 29_000)).toBeLessThan(700);
    const own = lecture.words.slice(1);
    const before = own.filter(({ endMs }) => endMs <= (gap?.atMs ?? 0));
    expect(lecture.breaks).toContain(1 + before.length);
    expect(own.length).toBeLessThan(lecture.script.length);
    expect(own.every(({ startMs }) => startMs < 25_000 || startMs >= 28_700)).toBe(true);
  });

  it("makes one stretch of speech without words around a pause, and two around a word", async () => {
    const { lecture, take } = open(60_000);
    const { add } = RecognitionWindows.prototype;
    const stretches = [10_000, 12_500, 20_000].map((startMs) => ({
      startMs,
      endMs: startMs + 1_500,
    }));
    vi.spyOn(RecognitionWindows.prototype, "add").mockImplementation(function (
      this: RecognitionWindows,
      ...options
    ) {
      const result = add.apply(this, options);
      const wordless = stretches.filter(({ endMs }) => endMs <= this.doneMs);
      stretches.splice(0, wordless.length);
      // Where nothing was found there are no words either.
      const isFound = ({ startMs }: { startMs: number }) => startMs < 10_000 || startMs > 14_000;
      return { ...result, finals: result.finals.filter(isFound), wordless };
    });
    await lecture.recordAhead(take, 60_000);
    lecture.recognizer.start();
    await lecture.finish();
    expect(take.wordless).toEqual([
      { startMs: 10_000, endMs: 14_000 },
      { startMs: 20_000, endMs: 21_500 },
    ]);
  });

  it("takes a gap back where words are found after a reload", async () => {
    const { lecture, take } = open(40_000);
    let isLater = false;
    missWords(18_000, 60_000, () => isLater);
    lecture.recognizer.start();
    await lecture.record(take, 22_000);
    await lecture.recordAhead(take, 40_000);
    expect(take.wordless).toHaveLength(1);
    const [{ startMs, endMs } = { startMs: 0, endMs: 0 }] = take.wordless;
    isLater = true;
    await lecture.reload();
    lecture.recognizer.start();
    await lecture.finish();
    const [again] = lecture.takes;
    // What was acknowledged is not heard again, and stays a gap.
    for (const gap of again?.wordless ?? []) {
      expect(gap.startMs).toBe(startMs);
      expect(gap.endMs).toBeLessThanOrEqual(endMs);
      expect(
        lecture.words.some((word) => word.startMs > gap.startMs && word.endMs < gap.endMs),
      ).toBe(false);
    }
    expect(lecture.numbers.at(-1)).toBe(lecture.script.at(-1)?.number);
  });

  it("recognises one take after the other, and places each at the end of the clock", async () => {
    const script = createScript(30_000);
    const lecture = new DeviceLecture(clock, stored, script, whisperFaults);
    const [first, second] = [lecture.addTake("first"), lecture.addTake("second")];
    await lecture.recordAhead(first, 30_000);
    first.end();
    lecture.recognizer.start();
    await lecture.record(second, 30_000);
    await lecture.finish();
    expect(lecture.numbers).toEqual([...allNumbers(script), ...allNumbers(script)]);
    expect(second.offsetMs).toBeGreaterThanOrEqual(first.lengthMs);
    const firstWord = lecture.words[script.length];
    const expectedMs = (second.offsetMs ?? 0) + (script[0]?.startMs ?? 0);
    expect(Math.abs((firstWord?.startMs ?? 0) - expectedMs)).toBeLessThanOrEqual(300);
  });

  it("places the rest of a take behind words that came between", async () => {
    const { lecture, take } = open(20_000);
    take.place(0);
    await lecture.recordAhead(take, 20_000);
    lecture.words.push({ text: "other", startMs: 59_000, endMs: 60_000, takeId: "another" });
    lecture.recognizer.start();
    await lecture.finish();
    const { script } = lecture;
    const own = lecture.words.slice(1);
    expect(own.map(({ text }) => readNumber(text))).toEqual(allNumbers(script));
    expect(own[0]?.startMs).toBeGreaterThanOrEqual(60_000 + (script[0]?.startMs ?? 0) - 300);
  });

  it("goes on with another model when one fails", async () => {
    const { lecture, take } = open(40_000);
    let calls = 0;
    lecture.failCall = () => {
      calls += 1;
      if (calls % 5 === 0) throw new Error("out of memory");
    };
    lecture.recognizer.start();
    await lecture.record(take, 40_000);
    await lecture.finish();
    expectWords(lecture);
    expect(lecture.modelsMade).toBeGreaterThan(3);
    expect(lecture.ends).toEqual([]);
  });

  it("ends when two models fail, and loses nothing", async () => {
    const { lecture, take } = open(40_000);
    lecture.recognizer.start();
    await lecture.record(take, 15_000);
    lecture.failCall = () => {
      throw new Error("out of memory");
    };
    await lecture.record(take, 40_000);
    expect(lecture.ends).toEqual([{ kind: "modelFailed", code: "failed" }]);
    expect(lecture.recognizer.state).toBe("idle");
    lecture.failCall = () => {};
    lecture.ends.length = 0;
    lecture.recognizer.start();
    await lecture.finish();
    expectWords(lecture);
  });

  it("ends when the model is not on this device", async () => {
    const lecture = new DeviceLecture(clock, stored, []);
    lecture.failModel = () => {
      throw new SpeechModelError("missing", "no file");
    };
    lecture.addTake("take");
    lecture.recognizer.start();
    await clock.advance(100);
    expect(lecture.ends).toEqual([{ kind: "modelMissing" }]);
  });

  it("takes a model that never answers for one that failed", async () => {
    const script = createScript(5_000);
    const lecture = new DeviceLecture(clock, stored, script);
    lecture.slowness = Number.POSITIVE_INFINITY;
    await lecture.recordAhead(lecture.addTake("take"), 5_000);
    lecture.recognizer.start();
    await clock.advance(11 * 60_000);
    expect(lecture.ends).toEqual([{ kind: "modelFailed", code: "failed" }]);
  });

  it("drops a take that is deleted meanwhile", async () => {
    const { lecture, take } = open(20_000);
    await lecture.recordAhead(take, 20_000);
    lecture.recognizer.start();
    await clock.advance(10);
    take.remove();
    await lecture.finish();
    expect(lecture.words).toEqual([]);
  });
});

describe("a take of Opus", () => {
  const script = createScript(30_000);
  const decode: DecodeOpus = async (packets) => {
    const samples = new Float32Array(packets.length * 320);
    for (const [index, packet] of packets.entries()) {
      const place = readFakePacket(packet);
      if (place === null) continue;
      const pcm = createPcm(script, place.chunk * 260 + place.word * 20, 20);
      const view = new Int16Array(pcm.buffer);
      samples.set(
        Float32Array.from(view, (value) => value / 32_768),
        index * 320,
      );
    }
    return samples;
  };

  it("is decoded from any chunk on", async () => {
    const lecture = new DeviceLecture(clock, stored, script);
    lecture.decodeOpus = decode;
    const take = lecture.addTake("take", "opus");
    lecture.recognizer.start();
    await lecture.record(take, 15_000);
    await lecture.recordAhead(take, 30_000);
    await lecture.reload();
    lecture.recognizer.start();
    await lecture.finish();
    expectWords(lecture);
  });

  it("has silence in place of a chunk that cannot be decoded", async () => {
    const lecture = new DeviceLecture(clock, stored, script);
    lecture.decodeOpus = (packets) =>
      packets.some((packet) => readFakePacket(packet)?.chunk === 40)
        ? Promise.reject(new DOMException("broken", "EncodingError"))
        : decode(packets);
    const take = lecture.addTake("take", "opus");
    await lecture.recordAhead(take, 30_000);
    lecture.recognizer.start();
    await lecture.finish();
    expect(lecture.refusedMs).toBe(260);
    const isBroken = ({ startMs, endMs }: ScriptWord) => startMs < 41 * 260 && endMs > 40 * 260;
    const whole = script.filter((word) => !isBroken(word)).map(({ number }) => number);
    expect(lecture.numbers).toEqual(expect.arrayContaining(whole));
    expect(take.report.gaps).toHaveLength(1);
  });

  it("is kept where the browser decodes none", async () => {
    const lecture = new DeviceLecture(clock, stored, script);
    const take = lecture.addTake("take", "opus");
    await lecture.recordAhead(take, 30_000);
    lecture.recognizer.start();
    await clock.advance(1_000);
    expect(lecture.ends).toEqual([{ kind: "codecNotSupported" }]);
    expect([take.firstUnsent, lecture.refusedMs]).toEqual([0, 0]);
  });
});
