import { AudioSampleSink, EncodedPacketSink, type InputAudioTrack } from "mediabunny";
import { measureLevel } from "#client/sound/capture/level.ts";
import { ChannelMeter, type ChannelMix, mixToMono } from "./channel-mix.ts";
import type { SoundBlock } from "./mono-timeline.ts";

/** Moments of a track that are listened to before it is read: their number, and the length of each, s. */
const moments = 12;
const momentSeconds = 1;

/** Loudest chunk of sound in which there is nothing to be heard: -57 dB of full scale. */
export const silentLevel = 12;

/** A packet of the file's Opus. */
interface FilePacket {
  data: Uint8Array;
  /** ms on the file's clock. */
  atMs: number;
}

/** The sound of a file, which is read as a stream. Times are on the file's clock, which begins with its first picture or sound. */
export interface OpenMedia {
  lengthMs: number;
  /** Mono Opus, whose packets may be taken as they are. */
  isMonoOpus: boolean;
  canDecode: boolean;
  /** Decoded sound from `fromMs` on, or a little before. Throws what the decoder throws. */
  readBlocks(fromMs: number): AsyncIterable<SoundBlock>;
  readPackets(fromMs: number): AsyncIterable<FilePacket>;
  close(): void;
}

/** Sound of all channels. */
interface DecodedBlock {
  planes: readonly Float32Array[];
  /** Hz. */
  sampleRate: number;
  /** Of the track, s. */
  timestamp: number;
}

/** What a few moments of a track have. */
export interface TrackSample {
  mix: ChannelMix;
  /** Of the loudest moment; see `measureLevel`. Null: none could be decoded. */
  level: number | null;
}

/** Listens to moments all over `track`, whose sound begins at `startMs` and is `lengthMs` long. Never rejects. */
export async function sampleTrack(
  track: InputAudioTrack,
  startMs: number,
  lengthMs: number,
): Promise<TrackSample> {
  const meter = new ChannelMeter();
  const heard: (readonly Float32Array[])[][] = [];
  for (let moment = 0; moment < moments; moment += 1) {
    const from = (startMs + (lengthMs * moment) / moments) / 1_000;
    const blocks: (readonly Float32Array[])[] = [];
    try {
      for await (const { planes } of decode(track, from, from + momentSeconds)) {
        meter.add(planes);
        blocks.push(planes);
      }
    } catch {
      // The other moments may be whole.
    }
    if (blocks.length > 0) heard.push(blocks);
  }
  const mix = meter.findMix();
  const levels = heard.map((blocks) =>
    measureLevel(join(blocks.map((one) => mixToMono(one, mix)))),
  );
  return { mix, level: levels.length === 0 ? null : Math.max(...levels) };
}

function join(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Decodes the first sound of `track` behind `startMs`. Throws what the decoder throws. */
export async function decodeStart(track: InputAudioTrack, startMs: number): Promise<void> {
  for await (const _ of decode(track, startMs / 1_000)) return;
}

/** Mono sound from `fromMs` on, or a little before. Throws what the decoder throws. */
export async function* readBlocks(
  track: InputAudioTrack,
  mix: ChannelMix,
  startMs: number,
  fromMs: number,
): AsyncIterable<SoundBlock> {
  for await (const { planes, sampleRate, timestamp } of decode(track, (startMs + fromMs) / 1_000)) {
    const samples = mixToMono(planes, mix);
    yield { samples, sampleRate, atMs: timestamp * 1_000 - startMs };
  }
}

export async function* readPackets(
  track: InputAudioTrack,
  startMs: number,
  fromMs: number,
): AsyncIterable<FilePacket> {
  const sink = new EncodedPacketSink(track);
  const first = await sink.getPacket((startMs + fromMs) / 1_000);
  for await (const packet of sink.packets(first ?? undefined))
    yield { data: packet.data, atMs: packet.timestamp * 1_000 - startMs };
}

async function* decode(
  track: InputAudioTrack,
  from: number,
  until = Infinity,
): AsyncIterable<DecodedBlock> {
  const sink = new AudioSampleSink(track);
  for await (const sample of sink.samples(from, until)) {
    const { numberOfChannels, numberOfFrames, sampleRate, timestamp } = sample;
    const planes = Array.from({ length: numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: "f32-planar" });
      return plane;
    });
    sample.close();
    yield { planes, sampleRate, timestamp };
  }
}
