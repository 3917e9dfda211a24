import {
  ADTS,
  AudioSampleSink,
  BlobSource,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from "mediabunny";
import { createFingerprint } from "./fingerprint.ts";
import { MediaFileError, mediaMaxBytes, mediaMaxMs, type ReaderFacts } from "./media-file.ts";
import type { SoundBlock } from "./mono-timeline.ts";

const formats = [MP4, QTFF, WEBM, MATROSKA, MP3, ADTS, WAVE, FLAC, OGG];
/** The names of encrypted sound in ISO base media files (ISO/IEC 14496-12, 8.12; Apple's older protection). */
const encryptedSampleEntries: readonly unknown[] = ["enca", "drms"];

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

/** @throws MediaFileError when it has no sound that can be read */
export async function openMedia(file: Blob): Promise<OpenMedia> {
  if (file.size === 0) throw new MediaFileError("empty");
  if (file.size > mediaMaxBytes) throw new MediaFileError("tooLarge");
  await checkReadable(file);
  const input = new Input({
    // A failed read rejects what has asked for it; one that was only ahead is read again.
    source: new BlobSource(file, { handleUnhandledError: () => {} }),
    formats,
  });
  try {
    return await openInput(input);
  } catch (error) {
    input.dispose();
    if (error instanceof MediaFileError) throw error;
    throw new MediaFileError(isUnsupported(error) ? "unknownCodec" : "broken");
  }
}

/** The library has no other sign for a WAV file whose samples it does not know, such as ADPCM of a dictating machine. */
const isUnsupported = (error: unknown) =>
  error instanceof Error && error.message.startsWith("Unsupported WAVE codec");

/** @throws MediaFileError */
export async function readFacts(file: Blob): Promise<ReaderFacts> {
  const media = await openMedia(file);
  try {
    const decoder = await findDecoder(media);
    const fingerprint = await createFingerprint(file);
    return { lengthMs: media.lengthMs, fingerprint, decoder };
  } finally {
    media.close();
  }
}

/** Some browsers (WebKitGTK) say that they decode a kind of sound, and then refuse all of it. */
async function findDecoder(media: OpenMedia): Promise<ReaderFacts["decoder"]> {
  if (!media.canDecode) return "page";
  // Its packets are taken as they are.
  if (media.isMonoOpus) return "worker";
  try {
    for await (const _ of media.readBlocks(0)) break;
    return "worker";
  } catch {
    return "either";
  }
}

/** A file may be gone, or locked by another program, since it was chosen. */
async function checkReadable(file: Blob): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new MediaFileError("unreadable");
  }
}

async function openInput(input: Input): Promise<OpenMedia> {
  if (!(await input.canRead())) throw new MediaFileError("notMedia");
  const tracks = await input.getTracks();
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new MediaFileError(tracks.length > 0 ? "noSound" : "broken");
  if (encryptedSampleEntries.includes(await track.getInternalCodecId()))
    throw new MediaFileError("encrypted");
  const startMs = Math.max(0, (await input.getFirstTimestamp()) * 1_000);
  const lengthMs = (await track.computeDuration()) * 1_000 - startMs;
  const codec = await track.getCodec();
  if (!(lengthMs > 0)) throw new MediaFileError(codec === null ? "unknownCodec" : "broken");
  if (lengthMs > mediaMaxMs) throw new MediaFileError("tooLong");
  return {
    lengthMs,
    isMonoOpus: codec === "opus" && (await track.getNumberOfChannels()) === 1,
    canDecode: await track.canDecode(),
    readBlocks: (fromMs) => readBlocks(track, startMs, fromMs),
    readPackets: (fromMs) => readPackets(track, startMs, fromMs),
    close: () => input.dispose(),
  };
}

async function* readBlocks(
  track: InputAudioTrack,
  startMs: number,
  fromMs: number,
): AsyncIterable<SoundBlock> {
  const sink = new AudioSampleSink(track);
  for await (const sample of sink.samples((startMs + fromMs) / 1_000)) {
    const { numberOfChannels, numberOfFrames, sampleRate, timestamp } = sample;
    const planes = Array.from({ length: numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(numberOfFrames);
      sample.copyTo(plane, { planeIndex, format: "f32-planar" });
      return plane;
    });
    sample.close();
    yield { planes, sampleRate, atMs: timestamp * 1_000 - startMs };
  }
}

async function* readPackets(
  track: InputAudioTrack,
  startMs: number,
  fromMs: number,
): AsyncIterable<FilePacket> {
  const sink = new EncodedPacketSink(track);
  const first = await sink.getPacket((startMs + fromMs) / 1_000);
  for await (const packet of sink.packets(first ?? undefined))
    yield { data: packet.data, atMs: packet.timestamp * 1_000 - startMs };
}
