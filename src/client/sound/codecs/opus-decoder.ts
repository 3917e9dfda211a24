import { captureSampleRate } from "#shared/limits.ts";
import { opusClockRate, opusPacketMs } from "#shared/opus.ts";

const microseconds = 1_000;
const packetSamples = (captureSampleRate * opusPacketMs) / 1_000;
const decoderConfig = { codec: "opus", sampleRate: opusClockRate, numberOfChannels: 1 };

/** Decodes packets of 20 ms that follow one another. Samples are mono at `captureSampleRate`, 320 for each packet. */
export type DecodeOpus = (packets: readonly Uint8Array[]) => Promise<Float32Array>;

/**
 * The browser's Opus decoder (WebCodecs). Each call begins with a new decoder, so its first packets only settle it.
 *
 * @throws DOMException when a packet cannot be decoded; ReferenceError where the browser has no decoder
 */
export const decodeOpus: DecodeOpus = async (packets) => {
  const parts: Float32Array[] = [];
  const decoder = new AudioDecoder({
    output(audio) {
      const plane = new Float32Array(audio.numberOfFrames);
      audio.copyTo(plane, { planeIndex: 0, format: "f32-planar" });
      parts.push(resample(plane, audio.sampleRate));
      audio.close();
    },
    // `flush` rejects with it.
    error() {},
  });
  try {
    decoder.configure(decoderConfig);
    for (const [index, packet] of packets.entries()) {
      const timestamp = index * opusPacketMs * microseconds;
      const duration = opusPacketMs * microseconds;
      const data = Uint8Array.from(packet);
      decoder.decode(new EncodedAudioChunk({ type: "key", timestamp, duration, data }));
    }
    await decoder.flush();
  } finally {
    if (decoder.state !== "closed") decoder.close();
  }
  return joinParts(parts, packets.length * packetSamples);
};

/** The last `length` samples. A decoder may leave out the encoder's delay, which is at the beginning. */
function joinParts(parts: readonly Float32Array[], length: number): Float32Array {
  const samples = new Float32Array(length);
  let at = length;
  for (const part of parts.toReversed()) {
    at -= part.length;
    samples.set(part.subarray(Math.max(0, -at)), Math.max(0, at));
    if (at <= 0) break;
  }
  return samples;
}

/**
 * Samples at the capture's rate. Leaving samples out needs no filter here: the sound was captured at this rate, so there
 * is nothing above half of it.
 */
function resample(samples: Float32Array, sampleRate: number): Float32Array {
  const step = sampleRate / captureSampleRate;
  if (step === 1) return samples;
  const length = Math.round(samples.length / step);
  return Float32Array.from({ length }, (_, index) => samples[Math.floor(index * step)] ?? 0);
}
