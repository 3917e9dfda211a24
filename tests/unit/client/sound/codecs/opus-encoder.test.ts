import * as fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { createChunkEncoder } from "#client/sound/capture/chunk-encoder.ts";
import { openOpus } from "#client/sound/codecs/opus-encoder.ts";
import { decodeOpusChunk } from "#shared/opus.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/** The sound is cut into pieces of 20 ms, numbered from 1, and each sample of a piece is its number. */
const pieceSamples = 320;
const piecesPerChunk = 13;
const pieceMs = 20;
const chunkMs = pieceMs * piecesPerChunk;

/** What the encoder of a browser does with packets. */
interface Behaviour {
  /** Time of packet `index`, which comes back when input `input` was the last one, ms. */
  stamp(index: number, input: number): number;
  /** Time that it takes. */
  delayMs: number;
  /** Packets come back in groups of this size. */
  batchSize: number;
  /** Packets that stay in it until there is more sound. */
  heldBackCount: number;
  /** Packets that never come back, by the number of their piece. */
  lost: ReadonlySet<number>;
}

const healthy: Behaviour = {
  stamp: (index) => index * pieceMs,
  delayMs: 5,
  batchSize: 1,
  heldBackCount: 0,
  lost: new Set(),
};

const stamps: Record<string, Behaviour["stamp"]> = {
  Chromium: healthy.stamp,
  /** The first packet is shorter by the encoder's delay of 6.5 ms. */
  Firefox: (index) => Math.max(0, index * pieceMs - 6.5),
  WebKit: (_, input) => input * chunkMs,
  "a browser without times": () => 0,
};

afterEach(() => vi.unstubAllGlobals());

/** A packet that looks like Opus: mono, wide band, one frame of 20 ms. */
const createPacket = (piece: number) => Uint8Array.of(72, piece >> 8, piece & 0xff);

/** Installs WebCodecs with an encoder that behaves so. */
function installEncoder(clock: ManualClock, behaviour: Behaviour): void {
  class AudioData {
    readonly numberOfFrames: number;
    readonly data: Uint8Array<ArrayBuffer>;
    constructor(init: { numberOfFrames: number; data: Uint8Array<ArrayBuffer> }) {
      this.numberOfFrames = init.numberOfFrames;
      this.data = init.data.slice();
    }
    close() {}
  }
  class AudioEncoder {
    readonly #output: (encoded: EncodedAudioChunk) => void;
    #held: number[] = [];
    #inputs = 0;
    #index = 0;
    #encoding = Promise.resolve();
    #isOpen = true;
    constructor({ output }: { output: (encoded: EncodedAudioChunk) => void }) {
      this.#output = output;
    }
    configure() {}
    encode({ data }: AudioData) {
      const samples = new Int16Array(data.buffer);
      this.#inputs += 1;
      const pieces: number[] = [];
      for (let at = 0; at < samples.length; at += pieceSamples) pieces.push(samples[at] ?? 0);
      this.#encoding = new Promise((resolve) => {
        clock.after(behaviour.delayMs, () => {
          this.#held.push(...pieces.filter((piece) => !behaviour.lost.has(piece)));
          const free = Math.max(0, this.#held.length - behaviour.heldBackCount);
          this.#return(free - (free % behaviour.batchSize));
          resolve();
        });
      });
    }
    async flush() {
      await this.#encoding;
      this.#return(this.#held.length);
      // The sound of its own delay.
      this.#emit(0);
    }
    close() {
      this.#isOpen = false;
    }
    #return(count: number) {
      for (const piece of this.#held.splice(0, count)) this.#emit(piece);
    }
    #emit(piece: number) {
      if (!this.#isOpen) return;
      const packet = createPacket(piece);
      this.#output({
        byteLength: packet.byteLength,
        timestamp: behaviour.stamp(this.#index, this.#inputs - 1) * 1_000,
        copyTo: (target: Uint8Array) => target.set(packet),
      } as unknown as EncodedAudioChunk);
      this.#index += 1;
    }
  }
  vi.stubGlobal("AudioData", AudioData);
  vi.stubGlobal("AudioEncoder", AudioEncoder);
}

/** Encodes `chunks` chunks in real time. Returns the numbers of the pieces that come out, without the silence at the end. */
async function record(behaviour: Behaviour, chunks: number) {
  const clock = new ManualClock();
  installEncoder(clock, behaviour);
  const pieces: number[] = [];
  let pcmChunks = 0;
  let pcm: number[] = [];
  let isOpus = true;
  const deps = { clock, log: { warn() {} }, openOpus, onOpusFailed() {} };
  const encoder = createChunkEncoder("opus", deps, {
    chunk(data) {
      const packets = isOpus ? (decodeOpusChunk(data)?.packets ?? []) : [];
      pieces.push(...packets.map((packet) => ((packet[1] ?? 0) << 8) | (packet[2] ?? 0)));
      if (isOpus) return;
      pcmChunks += 1;
      pcm = [...pcm, ...new Int16Array(data.buffer)];
    },
    changeCodec: async () => {
      isOpus = false;
    },
  });
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const samples = Int16Array.from(
      { length: encoder.chunkSamples },
      (_, at) => chunk * piecesPerChunk + Math.floor(at / pieceSamples) + 1,
    );
    encoder.encode(new Uint8Array(samples.buffer));
    await clock.advance(chunkMs);
  }
  let hasEnded = false;
  void encoder.end().then(() => {
    hasEnded = true;
  });
  await clock.until(() => hasEnded);
  for (let at = 0; at < pcm.length; at += pieceSamples) pieces.push(pcm[at] ?? 0);
  // What an encoder that was given up still has to encode.
  await clock.advance(2_000);
  expect(clock.timers).toBe(0);
  return { pieces: pieces.filter((piece) => piece > 0), hasPcm: pcmChunks > 0 };
}

const listPieces = (chunks: number) =>
  Array.from({ length: chunks * piecesPerChunk }, (_, index) => index + 1);

it.each(Object.entries(stamps))(
  "stays with Opus whatever times %s gives packets",
  async (_, stamp) => {
    expect(await record({ ...healthy, stamp }, 40)).toEqual({
      pieces: listPieces(40),
      hasPcm: false,
    });
  },
);

it.each(Object.entries(stamps))(
  "finds a packet that is left out with the times of %s",
  async (_, stamp) => {
    const lost = new Set([100]);
    expect(await record({ ...healthy, stamp, lost }, 40)).toEqual({
      pieces: listPieces(40),
      hasPcm: true,
    });
  },
);

it("delivers a chunk as soon as its packets are there, or 3 s later where the encoder holds one back", async () => {
  const clock = new ManualClock();
  const delivered: number[] = [];
  const encode = async (behaviour: Behaviour) => {
    installEncoder(clock, behaviour);
    const deps = { clock, log: { warn() {} }, openOpus, onOpusFailed() {} };
    const encoder = createChunkEncoder("opus", deps, {
      chunk: () => delivered.push(clock.now()),
      changeCodec: async () => {},
    });
    const startedAt = clock.now();
    encoder.encode(new Uint8Array(encoder.chunkSamples * 2));
    await clock.advance(5_000);
    await encoder.end();
    return (delivered.pop() ?? Infinity) - startedAt;
  };
  expect(await encode(healthy)).toBe(healthy.delayMs);
  expect(await encode({ ...healthy, heldBackCount: 1 })).toBe(3_000);
});

it("delivers all sound once and in order, whatever an encoder does with packets", async () => {
  const behaviour = fc.record({
    stamp: fc.constantFrom(...Object.values(stamps)),
    delayMs: fc.constantFrom(0, 5, 100, 400, 1_500),
    batchSize: fc.constantFrom(1, 2, 5, 13, 20),
    heldBackCount: fc.constantFrom(0, 0, 1, 2),
    lost: fc.oneof(
      fc.constant(new Set<number>()),
      fc
        .uniqueArray(fc.integer({ min: 1, max: 390 }), { maxLength: 30 })
        .map((all) => new Set(all)),
      // Silence, in which an encoder leaves out all packets but a few.
      fc
        .record({ from: fc.integer({ min: 1, max: 300 }), count: fc.integer({ min: 1, max: 250 }) })
        .map(
          ({ from, count }) => new Set(Array.from({ length: count }, (_, index) => from + index)),
        ),
    ),
  });
  const property = fc.asyncProperty(
    behaviour,
    fc.integer({ min: 1, max: 30 }),
    async (each, chunks) => {
      const { pieces, hasPcm } = await record(each, chunks);
      expect(pieces).toEqual(listPieces(chunks));
      expect(hasPcm).toBe(listPieces(chunks).some((piece) => each.lost.has(piece)));
    },
  );
  await fc.assert(property, { numRuns: countRuns(300) });
});
