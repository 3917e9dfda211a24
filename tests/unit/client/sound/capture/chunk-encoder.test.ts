import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createChunkEncoder,
  type EncoderDeps,
  type PacketHandlers,
} from "#client/sound/capture/chunk-encoder.ts";
import { decodeOpusChunk } from "#shared/opus.ts";
import { type AudioCodec, audioCodecs } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { FakeEncoder } from "#tests/unit/client/recorder/kit/fake-encoder.ts";
import { readFakePacket } from "#tests/unit/client/recorder/kit/fake-packets.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { findWord, sound } from "#tests/unit/client/recorder/kit/simulated-room.ts";

const chunkTimeMs = 260;
/** Longer than an encoder may stall. */
const stallMs = 5_000;

/** An encoder on a clock, and what it delivers. */
class Bench {
  readonly clock = new ManualClock();
  readonly fake = new FakeEncoder(this.clock);
  readonly chunks: { codec: AudioCodec; data: Uint8Array }[] = [];
  failures = 0;
  /** Resolves when the new take exists. */
  changed: Promise<void> = Promise.resolve();
  codec: AudioCodec;
  readonly encoder;

  constructor(codec: AudioCodec, openOpus?: EncoderDeps["openOpus"]) {
    this.codec = codec;
    const deps: EncoderDeps = {
      clock: this.clock,
      log: { warn() {} },
      openOpus: openOpus ?? this.fake.open,
      onOpusFailed: () => {
        this.failures += 1;
      },
    };
    this.encoder = createChunkEncoder(codec, deps, {
      chunk: (data) => this.chunks.push({ codec: this.codec, data }),
      changeCodec: async (next) => {
        await this.changed;
        this.codec = next;
      },
    });
  }

  async say(from: number, to: number): Promise<void> {
    for (let word = from; word <= to; word += 1) {
      this.encoder.encode(sound(word, this.encoder.chunkSamples));
      await this.clock.advance(chunkTimeMs);
    }
  }

  async end(): Promise<void> {
    let hasEnded = false;
    void this.encoder.end().then(() => {
      hasEnded = true;
    });
    await this.clock.until(() => hasEnded);
  }

  get codecs(): AudioCodec[] {
    return this.chunks.map(({ codec }) => codec);
  }

  get words(): number[] {
    return this.chunks.map(({ codec, data }) =>
      codec === "opus" ? (readPackets(data)[0]?.word ?? 0) : findWord(data),
    );
  }
}

const readPackets = (data: Uint8Array) =>
  (decodeOpusChunk(data)?.packets ?? []).map((packet) => readFakePacket(packet));

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe.each(audioCodecs)("an encoder of %s", (codec) => {
  it("delivers each chunk once and in order, and leaves no timer", async () => {
    const bench = new Bench(codec);
    await bench.say(1, 20);
    await bench.end();
    expect(bench.words).toEqual(numbers(1, 20));
    expect(new Set(bench.codecs)).toEqual(new Set([codec]));
    expect([bench.clock.timers, bench.fake.openCount, bench.failures]).toEqual([0, 0, 0]);
  });
});

describe("an encoder of Opus", () => {
  it("stores with each chunk the last two packets of the one before", async () => {
    const bench = new Bench("opus");
    await bench.say(1, 3);
    const leadIns = bench.chunks.map(({ data }) =>
      decodeOpusChunk(data)?.leadIn.map((packet) => readFakePacket(packet)?.word),
    );
    expect(leadIns).toEqual([[], [1, 1], [2, 2]]);
  });

  it("waits at the end for what is still being encoded", async () => {
    const bench = new Bench("opus");
    bench.encoder.encode(sound(1, bench.encoder.chunkSamples));
    expect(bench.words).toEqual([]);
    await bench.end();
    expect([bench.words, bench.codecs]).toEqual([[1], ["opus"]]);
  });

  it("does not take a page that was blocked for a stalled encoder", async () => {
    const bench = new Bench("opus");
    for (const word of numbers(1, 60))
      bench.encoder.encode(sound(word, bench.encoder.chunkSamples));
    await bench.clock.advance(stallMs);
    expect([bench.words, bench.failures]).toEqual([numbers(1, 60), 0]);
  });

  it("sends PCM from the beginning if the browser refuses the encoder", async () => {
    const bench = new Bench("opus", () => {
      throw new DOMException("refused", "NotSupportedError");
    });
    await bench.say(1, 12);
    await bench.end();
    expect(bench.words.filter((word) => word > 0)).toEqual(numbers(1, 12));
    expect([new Set(bench.codecs), bench.failures]).toEqual([new Set(["pcm_s16le"]), 1]);
    expect(bench.chunks.every(({ data }) => data.byteLength === 8_192)).toBe(true);
  });

  it.each([
    ["stereo", Uint8Array.of(76, 1, 2)],
    ["of 10 ms", Uint8Array.of(64, 1, 2)],
    ["too large", new Uint8Array(1_000).fill(72)],
    ["empty", new Uint8Array()],
  ])("sends PCM if the encoder delivers packets that are %s", async (_, packet) => {
    const open = ({ packet: deliver }: PacketHandlers) => ({
      encode() {
        for (let index = 0; index < 13; index += 1) deliver(packet);
      },
      flush: async () => {},
      close() {},
    });
    const bench = new Bench("opus", open);
    await bench.say(1, 5);
    await bench.end();
    expect(bench.words.filter((word) => word > 0)).toEqual(numbers(1, 5));
    expect(bench.failures).toBe(1);
  });

  it("ignores packets that come after it was given up", async () => {
    const bench = new Bench("opus");
    await bench.say(1, 2);
    bench.encoder.encode(sound(3, bench.encoder.chunkSamples));
    bench.fake.fail();
    await bench.clock.advance(chunkTimeMs);
    await bench.say(4, 6);
    await bench.end();
    expect(bench.words.filter((word) => word > 0)).toEqual(numbers(1, 6));
    expect(bench.codecs.indexOf("pcm_s16le")).toBe(2);
  });

  it("sends PCM if the encoder leaves packets out, for example in silence", async () => {
    const bench = new Bench("opus");
    await bench.say(1, 2);
    bench.fake.isStalled = true;
    await bench.say(3, 3);
    bench.fake.isStalled = false;
    await bench.say(4, 6);
    await bench.end();
    expect(bench.words.filter((word) => word > 0)).toEqual(numbers(1, 6));
    expect([bench.failures, bench.codecs.indexOf("pcm_s16le")]).toEqual([1, 2]);
  });

  it("keeps what is said while the new take is being created", async () => {
    const bench = new Bench("opus");
    let create = () => {};
    bench.changed = new Promise((resolve) => {
      create = resolve;
    });
    await bench.say(1, 2);
    bench.fake.fail();
    await bench.say(3, 8);
    expect(bench.words).toEqual([1, 2]);
    create();
    await bench.end();
    expect(bench.words.filter((word) => word > 0)).toEqual(numbers(1, 8));
  });

  it("delivers everything once and in order, whatever the encoder does", async () => {
    const event = fc.oneof(
      { weight: 6, arbitrary: fc.constant("say" as const) },
      { weight: 1, arbitrary: fc.constant("stall" as const) },
      { weight: 1, arbitrary: fc.constant("recover" as const) },
      { weight: 1, arbitrary: fc.constant("fail" as const) },
      { weight: 1, arbitrary: fc.constant("wait" as const) },
    );
    const property = fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
      const bench = new Bench("opus");
      let words = 0;
      for (const each of events) {
        if (each === "say") {
          words += 1;
          bench.encoder.encode(sound(words, bench.encoder.chunkSamples));
        } else if (each === "fail") bench.fake.fail();
        else if (each === "wait") await bench.clock.advance(1_000);
        else bench.fake.isStalled = each === "stall";
      }
      await bench.end();
      expect(bench.words.filter((word) => word > 0)).toEqual(numbers(1, words));
      // One change of codec at most.
      expect(bench.codecs).toEqual(bench.codecs.toSorted());
      // What the fake encoder still has to encode.
      await bench.clock.advance(10);
      expect([bench.clock.timers, bench.fake.openCount]).toEqual([0, 0]);
    });
    await fc.assert(property, { numRuns: countRuns(200) });
  });
});
