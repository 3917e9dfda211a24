import { opusClockRate, opusEncoderDelay, opusPacketMs } from "./opus.ts";

/**
 * Writes a stream of Ogg Opus, a page for each chunk. It ends without a last page: a reader must accept that.
 *
 * Sources: RFC 3533 (pages), RFC 7845 (Opus in Ogg).
 */

const toBytes = (text: string) => new TextEncoder().encode(text);
const pageMark = toBytes("OggS");

type Packets = readonly Uint8Array[];

const samplesPerPacket = (opusPacketMs * opusClockRate) / 1_000;
const pageHeaderBytes = 27;
const firstPageFlag = 2;
/** A packet is a row of segments of 255 bytes and one that is shorter. */
const segmentBytes = 255;
/** Of a page with all of its segments. */
export const oggPageMaxBytes = pageHeaderBytes + 255 * (1 + segmentBytes);
/** OpusHead and OpusTags. */
const headerPages = 2;
const capturedRate = 16_000;

export interface OggChunk {
  /** Number of the stream. */
  serial: number;
  /** Number of the chunk in the stream, from 0. */
  index: number;
  packets: Packets;
  /** Packets before the stream's first chunk: they settle the decoder, which then drops their sound. */
  leadIn: Packets;
}

/** The bytes of one chunk in its stream. Those of the first begin with the stream's headers. */
export function writeOggChunk({
  serial,
  index,
  packets,
  leadIn,
}: OggChunk): Uint8Array<ArrayBuffer> {
  const all = index === 0 ? [...leadIn, ...packets] : packets;
  const count = leadIn.length + (index + 1) * packets.length;
  const page = writePage({
    serial,
    flags: 0,
    number: headerPages + index,
    position: count * samplesPerPacket,
    packets: all,
  });
  if (index > 0) return page;
  const preSkip = leadIn.length * samplesPerPacket + opusEncoderDelay;
  const head = {
    serial,
    position: 0,
    flags: firstPageFlag,
    number: 0,
    packets: [createHead(preSkip)],
  };
  const tags = { serial, position: 0, flags: 0, number: 1, packets: [createTags()] };
  return concat([writePage(head), writePage(tags), page]);
}

function createHead(preSkip: number): Uint8Array {
  const head = new Uint8Array(19);
  const view = new DataView(head.buffer);
  head.set(toBytes("OpusHead"));
  // Version 1, one channel.
  head.set([1, 1], 8);
  view.setUint16(10, preSkip, true);
  view.setUint32(12, capturedRate, true);
  return head;
}

/** The program's name, and no comments. */
function createTags(): Uint8Array {
  const vendor = toBytes("Dualect");
  const tags = new Uint8Array(16 + vendor.byteLength);
  tags.set(toBytes("OpusTags"));
  new DataView(tags.buffer).setUint32(8, vendor.byteLength, true);
  tags.set(vendor, 12);
  return tags;
}

interface Page {
  serial: number;
  flags: number;
  number: number;
  /** Samples up to the end of the page, with everything that the decoder drops. */
  position: number;
  packets: Packets;
}

function writePage({ serial, flags, number, position, packets }: Page): Uint8Array<ArrayBuffer> {
  let segments = 0;
  let bytes = 0;
  for (const { byteLength } of packets) {
    segments += Math.floor(byteLength / segmentBytes) + 1;
    bytes += byteLength;
  }
  const page = new Uint8Array(pageHeaderBytes + segments + bytes);
  const view = new DataView(page.buffer);
  page.set(pageMark);
  page[5] = flags;
  view.setBigUint64(6, BigInt(position), true);
  view.setUint32(14, serial, true);
  view.setUint32(18, number, true);
  page[26] = segments;
  let lengthAt = pageHeaderBytes;
  let at = pageHeaderBytes + segments;
  for (const packet of packets) {
    const full = Math.floor(packet.byteLength / segmentBytes);
    page.fill(segmentBytes, lengthAt, lengthAt + full);
    page[lengthAt + full] = packet.byteLength % segmentBytes;
    lengthAt += full + 1;
    page.set(packet, at);
    at += packet.byteLength;
  }
  view.setUint32(22, getChecksum(page), true);
  return page;
}

/**
 * The packets of the page at `at`, each of them whole, and where the next page begins.
 *
 * @throws RangeError when there is no whole page
 */
export function readOggPage(bytes: Uint8Array, at: number): { packets: Uint8Array[]; end: number } {
  const segments = bytes[at + 26] ?? 0;
  const lengths = bytes.subarray(at + pageHeaderBytes, at + pageHeaderBytes + segments);
  const packets: Uint8Array[] = [];
  let from = at + pageHeaderBytes + segments;
  let end = from;
  for (const length of lengths) {
    end += length;
    if (length === segmentBytes) continue;
    packets.push(bytes.subarray(from, end));
    from = end;
  }
  const isMarked = pageMark.every((byte, index) => bytes[at + index] === byte);
  if (!isMarked || end > bytes.byteLength || lengths.byteLength < segments)
    throw new RangeError("There is no page of Ogg.");
  return { packets, end };
}

/** CRC-32 with the polynomial 0x04c11db7, highest bit first, from 0. */
const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum;
});

function getChecksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = (sum << 8) ^ (checksums[(sum >>> 24) ^ byte] ?? 0);
  return sum >>> 0;
}

function concat(parts: Packets): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
