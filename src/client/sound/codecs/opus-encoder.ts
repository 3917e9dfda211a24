import { browserClock } from "#client/lib/clock.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import type { PacketEncoder, PacketHandlers } from "#client/sound/capture/chunk-encoder.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { opusPacketMs } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";

const supportTimeoutMs = 1_000;
const microseconds = 1_000;

/**
 * Speech at 24 kbit/s. `variable`, because with `constant` libopus pads packets with several frames, which
 * the room refuses; `usedtx` is off, because browsers then leave packets out and the clock would stop.
 */
const encoderConfig: AudioEncoderConfig = {
  codec: "opus",
  sampleRate: captureSampleRate,
  numberOfChannels: 1,
  bitrate: 24_000,
  bitrateMode: "variable",
  opus: {
    frameDuration: opusPacketMs * microseconds,
    // Part of the WebCodecs registration of Opus, and missing in TypeScript's DOM library.
    ...({ application: "voip", signal: "voice" } as object),
  },
};

let codec: Promise<AudioCodec> | null = null;

/** Codec of new takes: Opus where this browser encodes it and has not failed to. */
export function findCodec(): Promise<AudioCodec> {
  codec ??= withTimeout(browserClock, supportTimeoutMs, isOpusSupported).then(
    (isSupported) => (isSupported ? "opus" : "pcm_s16le"),
    () => "pcm_s16le",
  );
  return codec;
}

export function onOpusFailed(): void {
  codec = Promise.resolve("pcm_s16le");
}

async function isOpusSupported(): Promise<boolean> {
  if (typeof AudioEncoder === "undefined") return false;
  const { supported } = await AudioEncoder.isConfigSupported(encoderConfig);
  return supported === true;
}

/** @throws DOMException */
export function openOpus({ packet, failed }: PacketHandlers): PacketEncoder {
  const encoder = new AudioEncoder({
    output(encoded) {
      const bytes = new Uint8Array(encoded.byteLength);
      encoded.copyTo(bytes);
      packet(bytes);
    },
    error: failed,
  });
  encoder.configure(encoderConfig);
  let frames = 0;
  return {
    encode(pcm) {
      const audio = new AudioData({
        format: "s16",
        sampleRate: captureSampleRate,
        numberOfChannels: 1,
        numberOfFrames: pcm.byteLength / 2,
        timestamp: Math.round((frames * 1_000_000) / captureSampleRate),
        data: pcm,
      });
      frames += audio.numberOfFrames;
      encoder.encode(audio);
      audio.close();
    },
    flush: () => encoder.flush(),
    close: () => encoder.close(),
  };
}
