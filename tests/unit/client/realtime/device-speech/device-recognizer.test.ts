import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  DeviceRecognizer,
  type RecognizerEnd,
} from "#client/realtime/device-speech/device-recognizer.ts";
import type { SpeechModel } from "#client/realtime/device-speech/speech-model.ts";
import type { DecodeOpus } from "#client/realtime/platform/opus-decoder.ts";
import type { ChunkData } from "#client/realtime/takes/chunk-codec.ts";
import { Take } from "#client/realtime/takes/take.ts";
import { newTake } from "#client/realtime/takes/take-storage.ts";
import { encodeOpusChunk, opusPacketsPerChunk } from "#shared/opus.ts";
import type { AudioCodec, RelayTokens } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createFakePacket, readFakePacket } from "#tests/unit/client/realtime/kit/fake-packets.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";
import { MemoryTakes } from "#tests/unit/client/realtime/kit/memory-takes.ts";
import {
  createPcm,
  createScript,
  type Faults,
  noFaults,
  readNumber,
  readWords,
  ScriptedModel,
  type ScriptWord,
  spell,
  whisperFaults,
} from "#tests/unit/client/realtime/kit/scripted-speech.ts";

const user = "user-1";
const sampleRate = 16_000;

interface PageWord {
  text: string;
  startMs: number;
  endMs: number;
  takeId: string;
}

/** A lecture's page: its words, its takes and the recogniser of this tab. */
class Lecture {
  readonly words: PageWord[] = [];
  interim = "";
  endpoints = 0;
  readonly ends: RecognizerEnd[] = [];
  completions = 0;
  refusedMs = 0;
  takes: Take[] = [];
  recognizer: DeviceRecognizer;
  maxBufferedMs = 0;
  maxChunksInMemory = 0;
  maxWindowMs = 0;
  modelsMade = 0;
  /** Computing time for each ms of sound. */
  slowness = 0.1;
  /** Throws where the next calls fail. */
  failCall = () => {};
  failModel = () => {};
  decodeOpus: DecodeOpus = () => Promise.reject(new Error("no Opus here"));
  readonly #model: ScriptedModel;

  constructor(
    readonly clock: ManualClock,
    readonly stored: MemoryTakes,
    script: readonly ScriptWord[],
    faults: Faults = noFaults,
  ) {
    this.#model = new ScriptedModel(script, faults);
    this.recognizer = this.#createRecognizer();
  }

  get endMs(): number {
    return this.words.at(-1)?.endMs ?? 0;
  }
  get numbers(): number[] {
    return this.words.map(({ text }) => readNumber(text));
  }
  /** End of the clock of the placed takes. */
  get clockEndMs(): number {
    const ends = this.takes.map(({ offsetMs, lengthMs }) =>
      offsetMs === null ? 0 : offsetMs + lengthMs,
    );
    return Math.max(0, ...ends);
  }

  addTake(id: string, codec: AudioCodec = "pcm_s16le"): Take {
    const take = new Take(this.#takeDeps, newTake(id, "lecture", codec));
    this.#add(take);
    return take;
  }

  /** The tab is closed and opened again; the words on the page were saved. */
  async reload(): Promise<void> {
    this.recognizer.close();
    for (const take of this.takes) {
      take.end();
      await take.whenWritten();
    }
    this.takes = [];
    this.interim = "";
    this.recognizer = this.#createRecognizer();
    for (const record of await this.stored.openStorage(user).list("lecture")) {
      const heldMs = Math.max(
        record.savedMs,
        ...this.words
          .filter(({ takeId }) => takeId === record.id)
          .map(({ endMs }) => endMs - (record.placements.at(-1)?.offsetMs ?? 0)),
      );
      this.#add(new Take(this.#takeDeps, record, { heldMs }));
    }
  }

  #add(take: Take): void {
    this.takes.push(take);
    this.recognizer.add(take);
  }

  get #takeDeps() {
    return {
      storage: this.stored.openStorage(user),
      clock: this.clock,
      log: { warn: () => {} },
      onLoaded: () => this.recognizer.sendChunks(),
      onStorageState: () => {},
      onKeptRemoved: () => {},
      onMissing: () => {},
    };
  }

  #createRecognizer(): DeviceRecognizer {
    return new DeviceRecognizer({
      clock: this.clock,
      log: { warn: () => {} },
      getModel: async () => {
        this.failModel();
        this.modelsMade += 1;
        return this.#createModel();
      },
      decodeOpus: (packets) => this.decodeOpus(packets),
      settings: () => ({ language: "en", lectureEndMs: this.endMs }),
      getClockEndMs: () => this.clockEndMs,
      getLastText: () => this.words.map(({ text }) => text).join(" "),
      onTokens: (batch, take) => this.#addTokens(batch, take),
      onRefusedChunk: (ms) => {
        this.refusedMs += ms;
      },
      onProgress: () => this.#onProgress(),
      onComplete: () => {
        this.completions += 1;
      },
      onEnd: (end) => this.ends.push(end),
    });
  }

  #createModel(): SpeechModel {
    return {
      transcribe: (window) => {
        const lengthMs = (window.length * 1_000) / sampleRate;
        this.maxWindowMs = Math.max(this.maxWindowMs, lengthMs);
        return new Promise((resolve, reject) => {
          this.clock.after(lengthMs * this.slowness, () => {
            try {
              this.failCall();
              resolve(this.#model.recognize(readWords(window), lengthMs));
            } catch (error) {
              reject(error);
            }
          });
        });
      },
      dispose: () => {},
    };
  }

  /** As `TranscriptWriter` and `LectureTakes` do. */
  #addTokens(batch: RelayTokens, take: Take): void {
    if (batch.endpoint) this.endpoints += 1;
    this.interim = "";
    for (const { text, is_final, start_ms = 0, end_ms = 0 } of batch.tokens) {
      if ((start_ms + end_ms) / 2 < take.resumedAtMs) continue;
      if (!is_final) this.interim += text;
      else
        this.words.push({ text: text.trim(), startMs: start_ms, endMs: end_ms, takeId: take.id });
    }
    take.updateHeldMs(this.endMs);
  }

  #onProgress(): void {
    this.maxBufferedMs = Math.max(this.maxBufferedMs, this.recognizer.bufferedMs);
    for (const take of this.takes) {
      this.maxChunksInMemory = Math.max(this.maxChunksInMemory, take.chunksInMemory);
      take.release(this.endMs);
    }
  }
}

let clock: ManualClock;
let stored: MemoryTakes;

beforeEach(() => {
  clock = new ManualClock();
  stored = new MemoryTakes();
});

/** Chunk `seq` of the sound of `script`. */
const createChunk = (script: readonly ScriptWord[], take: Take, seq: number): ChunkData => {
  if (take.codec === "pcm_s16le") return createPcm(script, seq * take.chunkMs, take.chunkMs);
  const packets = Array.from({ length: opusPacketsPerChunk }, (_, at) => createFakePacket(seq, at));
  return encodeOpusChunk({ leadIn: seq === 0 ? [] : packets.slice(-2), packets });
};

const countChunks = (take: Take, lengthMs: number) => Math.ceil(lengthMs / take.chunkMs);

/** Records in real time. */
async function record(
  lecture: Lecture,
  take: Take,
  script: readonly ScriptWord[],
  toMs: number,
): Promise<void> {
  while (take.lengthMs < toMs) {
    await clock.advance(take.chunkMs);
    take.append(createChunk(script, take, take.nextSeq), 100);
    lecture.recognizer.sendChunks();
  }
}

/** Records before anything is recognised. */
async function recordAhead(take: Take, script: readonly ScriptWord[], lengthMs: number) {
  const count = countChunks(take, lengthMs);
  await clock.advance(0);
  for (let seq = take.nextSeq; seq < count; seq += 1)
    take.append(createChunk(script, take, seq), 100);
  await take.whenWritten();
}

async function finish(lecture: Lecture, limitMs = 600_000): Promise<void> {
  for (const take of lecture.takes) take.end();
  lecture.recognizer.sendChunks();
  await clock.until(() => lecture.completions > 0 || lecture.ends.length > 0, limitMs);
}

const allNumbers = (script: readonly ScriptWord[]) => script.map(({ number }) => number);

function expectWords(lecture: Lecture, script: readonly ScriptWord[], offsetMs = 0): void {
  expect(lecture.numbers).toEqual(allNumbers(script));
  let clockMs = 0;
  for (const [index, { startMs, endMs }] of lecture.words.entries()) {
    const word = script[index];
    expect(startMs).toBeGreaterThanOrEqual(clockMs);
    clockMs = endMs;
    expect(Math.abs(startMs - offsetMs - (word?.startMs ?? 0))).toBeLessThanOrEqual(300);
    expect(Math.abs(endMs - offsetMs - (word?.endMs ?? 0))).toBeLessThanOrEqual(300);
  }
}

describe("recognition of a take on this device", () => {
  it("gives each word once, in order and at its time, while it is recorded", async () => {
    const script = createScript(60_000);
    const lecture = new Lecture(clock, stored, script, whisperFaults);
    const take = lecture.addTake("take");
    lecture.recognizer.start();
    expect(lecture.recognizer.state).toBe("connecting");
    await record(lecture, take, script, 20_000);
    expect(lecture.recognizer.state).toBe("live");
    expect(lecture.words.length).toBeGreaterThan(20);
    expect(lecture.recognizer.behindMs).toBeLessThan(3_000);
    await record(lecture, take, script, 60_000);
    take.end();
    expect(lecture.recognizer.state).toBe("draining");
    await finish(lecture);
    expect(lecture.recognizer.state).toBe("idle");
    expectWords(lecture, script);
    expect(lecture.interim).toBe("");
    expect(lecture.endpoints).toBeGreaterThan(3);
    expect([take.isComplete, lecture.recognizer.behindMs, lecture.completions]).toEqual([
      true,
      0,
      1,
    ]);
  });

  it("catches up with what was recorded before, with the same words", async () => {
    const script = createScript(300_000);
    const lecture = new Lecture(clock, stored, script, whisperFaults);
    const take = lecture.addTake("take");
    await recordAhead(take, script, 300_000);
    lecture.recognizer.start();
    expect(lecture.recognizer.behindMs).toBeGreaterThanOrEqual(300_000);
    await finish(lecture);
    expectWords(lecture, script);
  });

  it("loses nothing where the model is slower than speech", async () => {
    const script = createScript(120_000);
    const lecture = new Lecture(clock, stored, script, whisperFaults);
    lecture.slowness = 1 / 0.3;
    const take = lecture.addTake("take");
    lecture.recognizer.start();
    await record(lecture, take, script, 120_000);
    expect(lecture.recognizer.behindMs).toBeGreaterThan(60_000);
    expect(lecture.recognizer.speed.isTooSlow).toBe(true);
    await finish(lecture, 1_200_000);
    expectWords(lecture, script);
    expect(lecture.maxBufferedMs).toBeLessThan(45_000);
  });

  it("counts silence as done, without the model", async () => {
    const lecture = new Lecture(clock, stored, []);
    const take = lecture.addTake("take");
    lecture.recognizer.start();
    await record(lecture, take, [], 60_000);
    expect(take.unsentMs).toBeLessThan(4_000);
    expect([lecture.maxWindowMs, lecture.recognizer.behindMs < 1_000]).toEqual([0, true]);
    await finish(lecture);
    expect([take.isComplete, lecture.words]).toEqual([true, []]);
  });

  it("keeps the memory small for an hour, and windows short", async () => {
    const lengthMs = 3_600_000;
    const script = createScript(lengthMs, { wordsPerBreath: 25 });
    const lecture = new Lecture(clock, stored, script, whisperFaults);
    lecture.slowness = 0.01;
    const take = lecture.addTake("take");
    // In pieces, because what is not stored yet is in memory.
    for (let ms = 0; ms < lengthMs; ms += 300_000) await recordAhead(take, script, ms + 300_000);
    lecture.recognizer.start();
    await finish(lecture);
    expect(lecture.numbers).toEqual(allNumbers(script));
    expect(lecture.maxBufferedMs).toBeLessThan(45_000);
    expect(lecture.maxChunksInMemory).toBeLessThan(700);
    expect(lecture.maxWindowMs).toBeLessThanOrEqual(30_000);
  });

  it("continues after a reload with what the take says", async () => {
    const script = createScript(90_000);
    const lecture = new Lecture(clock, stored, script, whisperFaults);
    const take = lecture.addTake("take");
    lecture.recognizer.start();
    await record(lecture, take, script, 50_000);
    await recordAhead(take, script, 90_000);
    await lecture.reload();
    const [again] = lecture.takes;
    expect(again).not.toBe(take);
    expect(again?.nextSeq).toBe(take.nextSeq);
    lecture.recognizer.start();
    await finish(lecture);
    expectWords(lecture, script);
  });

  it("continues after it was closed, also in the middle of a window", async () => {
    const script = createScript(60_000);
    const lecture = new Lecture(clock, stored, script);
    lecture.slowness = 0.5;
    const take = lecture.addTake("take");
    lecture.recognizer.start();
    for (const toMs of [7_000, 19_000, 33_333]) {
      await record(lecture, take, script, toMs);
      lecture.recognizer.close();
      expect(lecture.recognizer.state).toBe("idle");
      lecture.recognizer.start();
    }
    await record(lecture, take, script, 60_000);
    await finish(lecture);
    expectWords(lecture, script);
  });

  it("recognises one take after the other, and places each at the end of the clock", async () => {
    const script = createScript(30_000);
    const lecture = new Lecture(clock, stored, script, whisperFaults);
    const [first, second] = [lecture.addTake("first"), lecture.addTake("second")];
    await recordAhead(first, script, 30_000);
    first.end();
    lecture.recognizer.start();
    await record(lecture, second, script, 30_000);
    await finish(lecture);
    expect(lecture.numbers).toEqual([...allNumbers(script), ...allNumbers(script)]);
    expect(second.offsetMs).toBeGreaterThanOrEqual(first.lengthMs);
    const firstWord = lecture.words[script.length];
    const expectedMs = (second.offsetMs ?? 0) + (script[0]?.startMs ?? 0);
    expect(Math.abs((firstWord?.startMs ?? 0) - expectedMs)).toBeLessThanOrEqual(300);
  });

  it("places the rest of a take behind words that came between", async () => {
    const script = createScript(20_000);
    const lecture = new Lecture(clock, stored, script);
    const take = lecture.addTake("take");
    take.place(0);
    await recordAhead(take, script, 20_000);
    lecture.words.push({ text: "other", startMs: 59_000, endMs: 60_000, takeId: "another" });
    lecture.recognizer.start();
    await finish(lecture);
    const own = lecture.words.slice(1);
    expect(own.map(({ text }) => readNumber(text))).toEqual(allNumbers(script));
    expect(own[0]?.startMs).toBeGreaterThanOrEqual(60_000 + (script[0]?.startMs ?? 0) - 300);
  });

  it("goes on with another model when one fails", async () => {
    const script = createScript(40_000);
    const lecture = new Lecture(clock, stored, script);
    const take = lecture.addTake("take");
    let calls = 0;
    lecture.failCall = () => {
      calls += 1;
      if (calls % 5 === 0) throw new Error("out of memory");
    };
    lecture.recognizer.start();
    await record(lecture, take, script, 40_000);
    await finish(lecture);
    expectWords(lecture, script);
    expect(lecture.modelsMade).toBeGreaterThan(3);
    expect(lecture.ends).toEqual([]);
  });

  it("ends when two models fail, and loses nothing", async () => {
    const script = createScript(40_000);
    const lecture = new Lecture(clock, stored, script);
    const take = lecture.addTake("take");
    lecture.recognizer.start();
    await record(lecture, take, script, 15_000);
    lecture.failCall = () => {
      throw new Error("out of memory");
    };
    await record(lecture, take, script, 40_000);
    expect(lecture.ends).toEqual([{ kind: "modelFailed" }]);
    expect(lecture.recognizer.state).toBe("idle");
    lecture.failCall = () => {};
    lecture.ends.length = 0;
    lecture.recognizer.start();
    await finish(lecture);
    expectWords(lecture, script);
  });

  it("ends when no model can be loaded", async () => {
    const lecture = new Lecture(clock, stored, []);
    lecture.failModel = () => {
      throw new Error("no file");
    };
    lecture.addTake("take");
    lecture.recognizer.start();
    await clock.advance(100);
    expect(lecture.ends).toEqual([{ kind: "modelFailed" }]);
  });

  it("takes a model that never answers for one that failed", async () => {
    const script = createScript(5_000);
    const lecture = new Lecture(clock, stored, script);
    lecture.slowness = Number.POSITIVE_INFINITY;
    await recordAhead(lecture.addTake("take"), script, 5_000);
    lecture.recognizer.start();
    await clock.advance(11 * 60_000);
    expect(lecture.ends).toEqual([{ kind: "modelFailed" }]);
  });

  it("drops a take that is deleted meanwhile", async () => {
    const script = createScript(20_000);
    const lecture = new Lecture(clock, stored, script);
    const take = lecture.addTake("take");
    await recordAhead(take, script, 20_000);
    lecture.recognizer.start();
    await clock.advance(10);
    take.remove();
    await finish(lecture);
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
    const lecture = new Lecture(clock, stored, script);
    lecture.decodeOpus = decode;
    const take = lecture.addTake("take", "opus");
    lecture.recognizer.start();
    await record(lecture, take, script, 15_000);
    await recordAhead(take, script, 30_000);
    await lecture.reload();
    lecture.recognizer.start();
    await finish(lecture);
    expectWords(lecture, script);
  });

  it("has silence in place of a chunk that cannot be decoded", async () => {
    const lecture = new Lecture(clock, stored, script);
    lecture.decodeOpus = (packets) =>
      packets.some((packet) => readFakePacket(packet)?.chunk === 40)
        ? Promise.reject(new DOMException("broken", "EncodingError"))
        : decode(packets);
    const take = lecture.addTake("take", "opus");
    await recordAhead(take, script, 30_000);
    lecture.recognizer.start();
    await finish(lecture);
    expect(lecture.refusedMs).toBe(260);
    const isBroken = ({ startMs, endMs }: ScriptWord) => startMs < 41 * 260 && endMs > 40 * 260;
    const whole = script.filter((word) => !isBroken(word)).map(({ number }) => number);
    expect(lecture.numbers).toEqual(expect.arrayContaining(whole));
    expect(take.report.gaps).toHaveLength(1);
  });

  it("is kept where the browser decodes none", async () => {
    const lecture = new Lecture(clock, stored, script);
    const take = lecture.addTake("take", "opus");
    await recordAhead(take, script, 30_000);
    lecture.recognizer.start();
    await clock.advance(1_000);
    expect(lecture.ends).toEqual([{ kind: "codecNotSupported" }]);
    expect([take.firstUnsent, lecture.refusedMs]).toEqual([0, 0]);
  });
});

describe("a take whose first words another engine has recognised", () => {
  const handover = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    wordsPerBreath: fc.constantFrom(3, 12, 100),
    /** Part of the words that are on the page. */
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    /** How much later the other engine says that its last word has ended. */
    lateMs: fc.integer({ min: -150, max: 900 }),
    /** Sound before that which the other engine has not acknowledged. */
    leadInMs: fc.integer({ min: 2_500, max: 12_000 }),
    offsetMs: fc.constantFrom(0, 7_000),
  });

  it("goes on with the next word, wherever that is", async () => {
    const property = fc.asyncProperty(
      handover,
      async ({ seed, wordsPerBreath, share, lateMs, leadInMs, offsetMs }) => {
        clock = new ManualClock();
        stored = new MemoryTakes();
        const script = createScript(40_000, { seed, wordsPerBreath });
        const count = Math.floor(script.length * share);
        const lecture = new Lecture(clock, stored, script);
        const take = lecture.addTake("take");
        await recordAhead(take, script, 40_000);
        take.place(offsetMs);
        const before = script.slice(0, count);
        for (const { number, startMs, endMs } of before)
          lecture.words.push({
            ...{ text: spell(number), takeId: take.id, startMs: startMs + offsetMs },
            endMs: endMs + offsetMs + (number === count ? lateMs : 0),
          });
        if (count > 0) take.updateHeldMs(lecture.endMs);
        take.acknowledge(Math.floor((take.heldMs - leadInMs) / take.chunkMs) - 1);
        lecture.recognizer.start();
        await finish(lecture);
        expect(lecture.numbers).toEqual(allNumbers(script));
        for (const { startMs } of lecture.words.slice(count))
          expect(startMs).toBeGreaterThanOrEqual(take.offsetMs ?? 0);
      },
    );
    await fc.assert(property, { numRuns: countRuns(120) });
  });
});
