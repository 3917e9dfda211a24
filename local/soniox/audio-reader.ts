import { OpusDecoder } from "opus-decoder";
import { AudioError, OggReader } from "./ogg.ts";
import { PcmReader } from "./pcm.ts";

/** Reads the audio of a session, in the slices in which it comes. */
export interface AudioReader {
  /** The audio that `bytes` completes. @throws AudioError */
  read(bytes: Uint8Array): Sound;
}

export interface Sound {
  durationMs: number;
  /** Mono, between -1 and 1. Each sound is decoded once, in order. */
  decode(): Float32Array;
}

export function createPcmReader(sampleRate: number, channels: number): AudioReader {
  const reader = new PcmReader(channels);
  return {
    read(bytes) {
      const durationMs = (bytes.length / (2 * channels * sampleRate)) * 1_000;
      return { durationMs, decode: () => reader.read(bytes) };
    },
  };
}

/** Hz of the samples that a container's audio is decoded to. */
export const decodedSampleRate = 16_000;
/** Opus counts at this rate. */
const clockRate = 48_000;
/** Length of the packets that the project sends. */
const packetMs = 20;

/** Reads Ogg Opus, the only container that the stand-in knows. Source: RFC 7845. */
export async function createContainerReader(): Promise<AudioReader> {
  const ogg = new OggReader();
  const decoder = new OpusDecoder({ channels: 1, sampleRate: decodedSampleRate });
  await decoder.ready;
  let headers = 0;
  let skippedSamples = 0;
  const readHeader = (packet: Uint8Array) => {
    const expected = headers === 0 ? "OpusHead" : "OpusTags";
    if (Buffer.from(packet).toString("latin1", 0, 8) !== expected)
      throw new AudioError(`no ${expected}`);
    if (headers === 0) skippedSamples = readPreSkip(packet);
    headers += 1;
  };
  const decode = (packets: Uint8Array[]) => {
    const { channelData, errors } = decoder.decodeFrames(packets);
    const [samples] = channelData;
    if (errors.length > 0 || !samples) throw new AudioError("a packet is no Opus");
    const skipped = Math.min(skippedSamples, samples.length);
    skippedSamples -= skipped;
    return samples.subarray(skipped);
  };
  return {
    read(bytes) {
      const packets = ogg.read(bytes);
      for (const header of packets.splice(0, 2 - headers)) readHeader(header);
      return { durationMs: packets.length * packetMs, decode: () => decode(packets) };
    },
  };
}

/** Samples of the output rate that a decoder drops at the beginning. */
function readPreSkip(head: Uint8Array): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 19 || view.getUint8(9) !== 1) throw new AudioError("no mono stream");
  return Math.round((view.getUint16(10, true) * decodedSampleRate) / clockRate);
}
