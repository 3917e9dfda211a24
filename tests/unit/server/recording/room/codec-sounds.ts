import { OggReader } from "#local/soniox/ogg.ts";
import { chunkSamples } from "#shared/limits.ts";
import { encodeOpusChunk, opusLeadInMax, opusPacketsPerChunk } from "#shared/opus.ts";
import { type AudioCodec, audioCodecs, getChunkMs } from "#shared/relay.ts";

/** What a session received: the number of a chunk, and what is wrong with it. */
interface Heard {
  id: number;
  fault: string | null;
}

/** Audio of a codec in which each chunk holds a number, to see which ones a provider session receives. */
export interface CodecSounds {
  codec: AudioCodec;
  chunkMs: number;
  /** The chunk with the number `id`; with `hasLeadIn`, the packets before it come with it. */
  create(id: number, hasLeadIn?: boolean): Uint8Array;
  /** A chunk that no decoder can read. */
  createWrong(): Uint8Array;
  /** Reads one session's audio. `needsLeadIn`: true for a first chunk that does not begin a take. */
  listen(needsLeadIn?: (id: number) => boolean): (data: Uint8Array) => Heard;
}

/** The number at `at`; 0 where a silent packet ends before it. */
const readId = (bytes: Uint8Array, at: number) =>
  bytes.byteLength < at + 4
    ? 0
    : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at);

const pcm: CodecSounds = {
  codec: "pcm_s16le",
  chunkMs: getChunkMs("pcm_s16le", 16_000),
  create(id) {
    const bytes = new Uint8Array(2 * chunkSamples);
    new DataView(bytes.buffer).setUint32(0, id);
    return bytes;
  },
  createWrong: () => new Uint8Array(101),
  listen: () => (data) => ({ id: readId(data, 0), fault: null }),
};

/** SILK, wide band, one frame of 20 ms, mono. */
const packetHead = 0x48;

/** A packet of 20 ms: the chunk's number and its own in the chunk. */
function createPacket(id: number, index: number): Uint8Array {
  const packet = new Uint8Array(6);
  packet[0] = packetHead;
  packet[1] = index;
  new DataView(packet.buffer).setUint32(2, id);
  return packet;
}

const listPackets = (id: number) =>
  Array.from({ length: opusPacketsPerChunk }, (_, index) => createPacket(id, index));

const opus: CodecSounds = {
  codec: "opus",
  chunkMs: getChunkMs("opus", 16_000),
  create(id, hasLeadIn = false) {
    const leadIn = hasLeadIn ? listPackets(id - 1).slice(-opusLeadInMax) : [];
    return encodeOpusChunk({ leadIn, packets: listPackets(id) });
  },
  createWrong: () => opus.create(7).subarray(0, -1),
  listen(needsLeadIn = () => false) {
    const reader = new OggReader();
    let isFirst = true;
    return (data) => {
      const all = reader.read(data);
      const [head] = isFirst ? all.splice(0, 2) : [];
      const packets = all.splice(-opusPacketsPerChunk);
      const id = readId(packets[0] ?? new Uint8Array(0), 2);
      const before = listPackets(id - 1).slice(-opusLeadInMax);
      const leadIn = head && needsLeadIn(id) ? before : [];
      isFirst = false;
      const faults = [
        isSame(packets, listPackets(id)) ? null : "packets are missing or changed",
        isSame(all, leadIn) ? null : `${all.length} packets of lead-in for ${leadIn.length}`,
        head && readPreSkip(head) !== 960 * all.length + 312 ? "wrong pre-skip" : null,
      ];
      return { id, fault: faults.find((fault) => fault !== null) ?? null };
    };
  },
};

const isSame = (a: readonly Uint8Array[], b: readonly Uint8Array[]) =>
  Buffer.concat(a).equals(Buffer.concat(b));

const readPreSkip = (head: Uint8Array) =>
  new DataView(head.buffer, head.byteOffset).getUint16(10, true);

export const codecSounds: Record<AudioCodec, CodecSounds> = { pcm_s16le: pcm, opus };
export const allCodecSounds = audioCodecs.map((codec) => codecSounds[codec]);
