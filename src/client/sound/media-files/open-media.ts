import {
  ADTS,
  BlobSource,
  FLAC,
  Input,
  type InputAudioTrack,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from "mediabunny";
import { mediaMaxBytes } from "#shared/limits.ts";
import { applyEdits } from "./edit-list.ts";
import { createFingerprint } from "./fingerprint.ts";
import { findForeignCodec, findForeignFormat } from "./foreign-formats.ts";
import { joinMedia } from "./join-media.ts";
import { MediaFileError, mediaMaxMs, type ReaderFacts, type SoundTrack } from "./media-file.ts";
import {
  decodeStart,
  type OpenMedia,
  readBlocks,
  readPackets,
  sampleTrack,
  silentLevel,
  type TrackSample,
} from "./media-track.ts";
import { type Edit, readEditLists, readRecordingTime } from "./movie-tables.ts";
import { splitOggLinks } from "./ogg-links.ts";
import { repairWav } from "./repair-wav.ts";
import { readTagTime } from "./tag-time.ts";

const formats = [MP4, QTFF, WEBM, MATROSKA, MP3, ADTS, WAVE, FLAC, OGG, MPEG_TS];
/** The names of encrypted sound in ISO base media files (ISO/IEC 14496-12, 8.12; Apple's older protection). */
const encryptedSampleEntries: readonly unknown[] = ["enca", "drms"];

/** A file whose tracks are known. */
interface MediaWithTracks extends OpenMedia, Pick<ReaderFacts, "tracks" | "track"> {
  /** Decodes the beginning. Throws what the decoder throws. */
  decodeStart(): Promise<void>;
}

/**
 * `track`: the one that was chosen; null: the first one with something to be heard.
 *
 * @throws MediaFileError when it has no sound that can be read
 */
export async function openMedia(file: Blob, track: number | null = null): Promise<MediaWithTracks> {
  if (file.size === 0) throw new MediaFileError("empty");
  if (file.size > mediaMaxBytes) throw new MediaFileError("tooLarge");
  await checkReadable(file);
  const foreign = await findForeignFormat(file);
  if (foreign !== null) throw new MediaFileError(foreign);
  const links = await splitOggLinks(await repairWav(file));
  const [only = file, ...others] = links;
  if (others.length === 0) return openLink(only, track);
  const opened: MediaWithTracks[] = [];
  try {
    for (const link of links) {
      const media = await openLink(link, null).catch(ignoreEmpty);
      if (media !== null) opened.push(media);
    }
    const media = joinMedia(opened);
    const [first] = opened;
    if (first === undefined) throw new MediaFileError("broken");
    if (media.lengthMs > mediaMaxMs) throw new MediaFileError("tooLong");
    return { ...media, tracks: [], track: null, decodeStart: () => first.decodeStart() };
  } catch (error) {
    for (const media of opened) media.close();
    throw error;
  }
}

/** A link of a chain may have headers only. */
function ignoreEmpty(error: unknown): null {
  if (error instanceof MediaFileError && error.problem === "broken") return null;
  throw error;
}

async function openLink(file: Blob, track: number | null): Promise<MediaWithTracks> {
  const input = new Input({
    // A failed read rejects what has asked for it; one that was only ahead is read again.
    source: new BlobSource(file, { handleUnhandledError: () => {} }),
    formats,
  });
  try {
    return await openInput(input, track, await readEditLists(file));
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
    const { lengthMs, tracks, track } = media;
    const recordedAt = (await readRecordingTime(file)) ?? (await readTagTime(file));
    return { lengthMs, fingerprint, decoder, tracks, track, recordedAt };
  } finally {
    media.close();
  }
}

/** Some browsers (WebKitGTK) say that they decode a kind of sound, and then refuse all of it. */
async function findDecoder(media: MediaWithTracks): Promise<ReaderFacts["decoder"]> {
  if (!media.canDecode) return "page";
  // Its packets are taken as they are.
  if (media.isMonoOpus) return "worker";
  try {
    await media.decodeStart();
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

/** A track, and what is known of it. */
interface FoundTrack {
  /** From 1, in the order of the file. */
  number: number;
  track: InputAudioTrack;
  canDecode: boolean;
  lengthMs: number;
  /** Listens to it, once. */
  sample(): Promise<TrackSample>;
}

async function openInput(
  input: Input,
  chosen: number | null,
  edits: ReadonlyMap<number, readonly Edit[]>,
): Promise<MediaWithTracks> {
  if (!(await input.canRead())) throw new MediaFileError("notMedia");
  const startMs = Math.max(0, (await input.getFirstTimestamp()) * 1_000);
  const found = await findTracks(input, startMs);
  const decodable = found.filter(({ canDecode }) => canDecode);
  const tracks = decodable.length > 1 ? await Promise.all(decodable.map(describeTrack)) : [];
  const number = chosen ?? tracks.find(({ hasSound }) => hasSound)?.number;
  const primary = await input.getPrimaryAudioTrack();
  const read =
    found.find((one) => one.number === number) ??
    decodable[0] ??
    found.find(({ track }) => track === primary) ??
    found[0];
  if (read === undefined) throw new MediaFileError("encrypted");
  const { track, canDecode, lengthMs } = read;
  const foreign = findForeignCodec(await track.getInternalCodecId());
  if (foreign !== null) throw new MediaFileError(foreign);
  const codec = await track.getCodec();
  const channels = await track.getNumberOfChannels();
  if (!(lengthMs > 0)) throw new MediaFileError(codec === null ? "unknownCodec" : "broken");
  const media: OpenMedia = {
    lengthMs,
    isMonoOpus: codec === "opus" && channels === 1,
    canDecode,
    async *readBlocks(fromMs) {
      const { mix } = channels > 1 ? await read.sample() : { mix: [] };
      yield* readBlocks(track, mix, startMs, fromMs);
    },
    readPackets: (fromMs) => readPackets(track, startMs, fromMs),
    close: () => input.dispose(),
  };
  const edited = applyEdits(media, edits.get(track.id) ?? [], startMs);
  if (edited.lengthMs > mediaMaxMs) throw new MediaFileError("tooLong");
  const { number: readNumber } = read;
  const described = tracks.map((one) =>
    one.number === readNumber ? { ...one, lengthMs: edited.lengthMs } : one,
  );
  return {
    ...edited,
    tracks: described,
    track: tracks.length > 0 ? readNumber : null,
    decodeStart: () => decodeStart(track, startMs),
  };
}

/** The tracks with sound that are not encrypted. @throws MediaFileError without any sound */
async function findTracks(input: Input, startMs: number): Promise<FoundTrack[]> {
  const audioTracks = await input.getAudioTracks();
  if (audioTracks.length === 0) {
    // The library leaves out what it does not know.
    if ((await input.getFormat()) === MPEG_TS) throw new MediaFileError("unknownCodec");
    const all = await input.getTracks();
    throw new MediaFileError(all.length > 0 ? "noSound" : "broken");
  }
  const found: FoundTrack[] = [];
  for (const [index, track] of audioTracks.entries()) {
    if (encryptedSampleEntries.includes(await track.getInternalCodecId())) continue;
    const lengthMs = (await track.computeDuration()) * 1_000 - startMs;
    let sample: Promise<TrackSample> | null = null;
    found.push({
      number: index + 1,
      track,
      canDecode: await track.canDecode(),
      lengthMs,
      sample: () => {
        sample ??= sampleTrack(track, startMs, lengthMs);
        return sample;
      },
    });
  }
  return found;
}

async function describeTrack(found: FoundTrack): Promise<SoundTrack> {
  const { number, track, lengthMs } = found;
  const { level } = await found.sample();
  return {
    number,
    name: (await track.getName())?.trim() || null,
    language: parseLanguage(await track.getLanguageCode()),
    lengthMs,
    hasSound: level !== null && level >= silentLevel,
  };
}

/** A file may have anything in place of a language. */
function parseLanguage(code: string): string | null {
  try {
    const [tag = "und"] = Intl.getCanonicalLocales(code);
    return tag === "und" ? null : tag;
  } catch {
    return null;
  }
}
