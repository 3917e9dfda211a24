/**
 * A chunk of Opus on the wire: one byte with the number of lead-in packets (0 to 2), then those and 13 more
 * packets, each as 2 bytes big-endian length and its bytes. All packets are mono and 20 ms long.
 *
 * Source of the packet format: RFC 6716, section 3.
 */

/** Hz of the clock that Opus counts in, whatever rate was captured. */
export const opusClockRate = 48_000;
export const opusPacketMs = 20;
export const opusPacketsPerChunk = 13;
export const opusChunkMs = opusPacketsPerChunk * opusPacketMs;
/** Most packets of the audio before a chunk that come with it, so that its decoder has settled. */
export const opusLeadInMax = 2;
/** Delay of the encoder (libopus: 6.5 ms), in samples of `opusClockRate`. */
export const opusEncoderDelay = 312;
/** Bytes of a packet: 128 kbit/s. At 24 kbit/s it has about 60. */
export const opusPacketMaxBytes = 320;
/** Bytes of a chunk's packets without lead-in: 64 kbit/s. */
export const opusChunkMaxBytes = 2_080;

/** A packet of 20 ms of silence. */
export const silentOpusPacket: Readonly<Uint8Array> = Uint8Array.of(0xf8, 0xff, 0xfe);

export interface OpusChunk {
  /** The last packets before the chunk, at most `opusLeadInMax`. */
  leadIn: readonly Uint8Array[];
  /** `opusPacketsPerChunk` packets. */
  packets: readonly Uint8Array[];
}

const lengthBytes = 2;
const stereoBit = 0b100;
const frameCountBits = 0b11;

/** @throws RangeError when the chunk breaks a limit of this file. */
export function encodeOpusChunk({ leadIn, packets }: OpusChunk): Uint8Array<ArrayBuffer> {
  if (!isValid({ leadIn, packets })) throw new RangeError("These packets are no chunk of Opus.");
  const all = [...leadIn, ...packets];
  const bytes = all.reduce((sum, packet) => sum + lengthBytes + packet.byteLength, 1);
  const payload = new Uint8Array(bytes);
  payload[0] = leadIn.length;
  let at = 1;
  for (const packet of all) {
    payload[at] = packet.byteLength >> 8;
    payload[at + 1] = packet.byteLength & 0xff;
    payload.set(packet, at + lengthBytes);
    at += lengthBytes + packet.byteLength;
  }
  return payload;
}

/**
 * Reads a chunk; its packets share the memory of `payload`, where its own begin at `packetsAt`. Null if
 * anything is wrong, missing or too much.
 */
export function decodeOpusChunk(payload: Uint8Array): (OpusChunk & { packetsAt: number }) | null {
  const leadInCount = payload[0] ?? 0;
  const packets: Uint8Array[] = [];
  let at = 1;
  let packetsAt = at;
  while (at + lengthBytes <= payload.byteLength && packets.length < maxPackets) {
    const length = ((payload[at] ?? 0) << 8) | (payload[at + 1] ?? 0);
    packets.push(payload.subarray(at + lengthBytes, at + lengthBytes + length));
    at += lengthBytes + length;
    if (packets.length === leadInCount) packetsAt = at;
  }
  const isWhole = at === payload.byteLength;
  const chunk = { leadIn: packets.slice(0, leadInCount), packets: packets.slice(leadInCount) };
  return isWhole && isValid(chunk) ? { ...chunk, packetsAt } : null;
}

const maxPackets = opusLeadInMax + opusPacketsPerChunk;

function isValid({ leadIn, packets }: OpusChunk): boolean {
  const bytes = packets.reduce((sum, packet) => sum + packet.byteLength, 0);
  return (
    leadIn.length <= opusLeadInMax &&
    packets.length === opusPacketsPerChunk &&
    bytes <= opusChunkMaxBytes &&
    leadIn.every(isPacket) &&
    packets.every(isPacket)
  );
}

/** True for a packet of one mono frame of 20 ms. */
function isPacket(packet: Uint8Array): boolean {
  const [head] = packet;
  if (head === undefined || packet.byteLength > opusPacketMaxBytes) return false;
  return (head & (stereoBit | frameCountBits)) === 0 && getFrameMs(head >> 3) === opusPacketMs;
}

/** Length of a frame by the packet's configuration (0 to 31), ms. */
function getFrameMs(configuration: number): number {
  if (configuration < 12) return [10, 20, 40, 60][configuration % 4] ?? 0;
  if (configuration < 16) return [10, 20][configuration % 2] ?? 0;
  return [2.5, 5, 10, 20][configuration % 4] ?? 0;
}
