import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeOpusChunk,
  encodeOpusChunk,
  type OpusChunk,
  opusChunkMaxBytes,
  opusPacketMaxBytes,
  opusPacketsPerChunk,
  silentOpusPacket,
} from "#shared/opus.ts";
import { getChunkMs } from "#shared/relay.ts";

/** First bytes of packets with one mono frame of 20 ms: every configuration that RFC 6716 has for it. */
const heads = [1, 5, 9, 13, 15, 19, 23, 27, 31].map((configuration) => configuration << 3);

const packet = fc
  .tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 120 }))
  .map(([head, rest]) => Uint8Array.of(head, ...rest));
const chunk: fc.Arbitrary<OpusChunk> = fc.record({
  leadIn: fc.array(packet, { maxLength: 2 }),
  packets: fc.array(packet, { minLength: opusPacketsPerChunk, maxLength: opusPacketsPerChunk }),
});

const silence = (): Uint8Array[] =>
  Array.from({ length: opusPacketsPerChunk }, () => Uint8Array.from(silentOpusPacket));

/** A chunk of silence whose packet at `index` is `replacement`, without any check. */
function encodeWith(index: number, replacement: Uint8Array): Uint8Array {
  const packets = silence().with(index, replacement);
  const parts = packets.map((one) => [one.byteLength >> 8, one.byteLength & 0xff, ...one]);
  return Uint8Array.from([0, ...parts.flat()]);
}

describe("a chunk of Opus", () => {
  test("is the same after encoding and decoding", () => {
    fc.assert(
      fc.property(chunk, (whole) => {
        expect(decodeOpusChunk(encodeOpusChunk(whole))).toMatchObject(whole);
      }),
    );
  });

  test("is refused when it is cut or continued anywhere", () => {
    fc.assert(
      fc.property(
        chunk,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 400 }),
        (whole, at, more) => {
          const payload = encodeOpusChunk(whole);
          expect(decodeOpusChunk(payload.subarray(0, at % payload.byteLength))).toBeNull();
          expect(decodeOpusChunk(Uint8Array.of(...payload, ...more))).toBeNull();
        },
      ),
    );
  });

  test("is refused, never an exception, when it is noise", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4_000 }), (noise) => {
        const decoded = decodeOpusChunk(noise);
        if (decoded) expect(encodeOpusChunk(decoded)).toEqual(noise);
      }),
    );
  });

  test("has mono packets of one frame of 20 ms only", () => {
    for (let head = 0; head < 256; head += 1) {
      const payload = encodeWith(4, Uint8Array.of(head, 1, 2));
      expect(decodeOpusChunk(payload) !== null, `first byte ${head}`).toBe(heads.includes(head));
    }
  });

  test.each([
    ["an empty packet", new Uint8Array(0), false],
    ["a packet without sound", Uint8Array.of(0x08), true],
    ["the largest packet", new Uint8Array(opusPacketMaxBytes).fill(0x08), true],
    ["a packet that is too large", new Uint8Array(opusPacketMaxBytes + 1).fill(0x08), false],
  ])("%s", (_, replacement, isValid) => {
    expect(decodeOpusChunk(encodeWith(7, replacement)) !== null).toBe(isValid);
  });

  test("has a limit of bytes in all", () => {
    const full = new Uint8Array(opusChunkMaxBytes / opusPacketsPerChunk).fill(0x08);
    const packets = silence().fill(full);
    expect(() => encodeOpusChunk({ leadIn: [full, full], packets })).not.toThrow();
    const larger = packets.with(3, Uint8Array.of(...full, 0));
    expect(() => encodeOpusChunk({ leadIn: [], packets: larger })).toThrow(RangeError);
  });

  test.each([
    [3, 13],
    [0, 12],
    [0, 14],
    [2, 12],
  ])("is refused with %i packets of lead-in and %i of its own", (before, own) => {
    const packets = Array.from({ length: before + own }, () => [0, 1, 0x08]);
    expect(decodeOpusChunk(Uint8Array.from([before, ...packets.flat()]))).toBeNull();
  });

  test("is 260 ms long at every rate", () => {
    expect(getChunkMs("opus", 16_000)).toBe(260);
    expect(getChunkMs("opus", 48_000)).toBe(260);
    expect(getChunkMs("pcm_s16le", 16_000)).toBe(256);
  });
});
