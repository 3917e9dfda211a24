import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AudioError, OggReader } from "#local/soniox/ogg.ts";
import { writeOggChunk } from "#shared/ogg-opus.ts";

const packet = fc.uint8Array({ minLength: 1, maxLength: 320 });
const stream = fc.record({
  serial: fc.integer({ min: 1, max: 0xffff_ffff }),
  leadIn: fc.array(packet, { maxLength: 2 }),
  chunks: fc.array(fc.array(packet, { minLength: 13, maxLength: 13 }), {
    minLength: 1,
    maxLength: 8,
  }),
});
type Stream = typeof stream extends fc.Arbitrary<infer T> ? T : never;

const write = ({ serial, leadIn, chunks }: Stream): Uint8Array[] =>
  chunks.map((packets, index) => writeOggChunk({ serial, index, packets, leadIn }));

/** A reader gives views of its own kind; their bytes are compared. */
const toBytes = (packets: readonly Uint8Array[]) => packets.map((one) => Uint8Array.from(one));

describe("a stream of Ogg Opus", () => {
  test("has its headers, the lead-in and the packets of each chunk as soon as it is written", () => {
    fc.assert(
      fc.property(stream, (whole) => {
        const reader = new OggReader();
        for (const [index, data] of write(whole).entries()) {
          const packets = toBytes(reader.read(data));
          const headers = index === 0 ? packets.splice(0, 2) : [];
          const names = headers.map((header) => Buffer.from(header).toString("latin1", 0, 8));
          expect(names).toEqual(index === 0 ? ["OpusHead", "OpusTags"] : []);
          expect(packets).toEqual([
            ...(index === 0 ? whole.leadIn : []),
            ...(whole.chunks[index] ?? []),
          ]);
        }
      }),
    );
  });

  test("is refused by a reader when a byte of it is changed or a page is missing", () => {
    fc.assert(
      fc.property(stream, fc.nat(), fc.integer({ min: 1, max: 255 }), (whole, at, change) => {
        const data = Buffer.concat(write(whole));
        const place = at % data.byteLength;
        const byte = data[place] ?? 0;
        data[place] = byte ^ change;
        let packets = 0;
        const read = () => {
          packets = new OggReader().read(data).length;
        };
        // A longer table of lengths makes the last page incomplete instead.
        try {
          read();
          expect(packets).toBeLessThan(2 + whole.leadIn.length + 13 * whole.chunks.length);
        } catch (error) {
          expect(error).toBeInstanceOf(AudioError);
        }
      }),
    );
    const packets = Array<Uint8Array>(13).fill(Uint8Array.of(8));
    const first = writeOggChunk({ serial: 1, index: 0, packets, leadIn: [] });
    const third = writeOggChunk({ serial: 1, index: 2, packets, leadIn: [] });
    const reader = new OggReader();
    reader.read(first);
    expect(() => reader.read(third)).toThrow("a page is missing");
  });

  test("says how much sound a decoder drops, and where each page ends", () => {
    const packets = Array<Uint8Array>(13).fill(Uint8Array.of(8));
    const leadIn = packets.slice(0, 2);
    const first = Buffer.from(writeOggChunk({ serial: 7, index: 0, packets, leadIn }));
    // The first page is OpusHead (28 bytes of page header), the second OpusTags.
    expect(first.readUInt16LE(28 + 10)).toBe(2 * 960 + 312);
    expect(first[5]).toBe(2);
    const third = first.subarray(first.lastIndexOf("OggS"));
    expect(third.readBigUInt64LE(6)).toBe(15n * 960n);
    const next = Buffer.from(writeOggChunk({ serial: 7, index: 1, packets, leadIn }));
    expect(next.readBigUInt64LE(6)).toBe(28n * 960n);
    expect(next.readUInt32LE(18)).toBe(3);
  });
});
