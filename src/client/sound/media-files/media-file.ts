import type { StoredTake } from "#client/sound/takes/stored-take.ts";
import type { ForeignFormat } from "./foreign-formats.ts";

/** What the page and its worker say of sound and video files. */

/** Longest sound of a file, ms; its largest size is `mediaMaxBytes` in src/shared/limits.ts. */
export const mediaMaxMs = 5 * 3_600_000;
/** Largest size of a file that only `decodeAudioData` decodes, because that decodes it as a whole: an hour of MP3. */
export const wholeDecodeMaxBytes = 50 * 1024 ** 2;
/** Shorter sound has no words. */
export const mediaMinMs = 500;

/** Endings of the names of files that are read, without the dot. */
export const mediaExtensions = [
  "mp4",
  "m4v",
  "mov",
  "webm",
  "mkv",
  "mka",
  "3gp",
  "3g2",
  "ts",
  "mts",
  "m2ts",
  "mp3",
  "m4a",
  "m4b",
  "qta",
  "aac",
  "wav",
  "flac",
  "ogg",
  "oga",
  "opus",
] as const;

/** The same of files that few browsers or none read: the person is told what they are (see `foreign-formats.ts`). */
const foreignEnding =
  /\.(?:amr|awb|wma|wmv|asf|avi|rm|ra|rmvb|flv|mpg|mpeg|vob|dss|ds2|aiff?|aifc|caf|ape|wv|ac3|au|midi?)$/i;

/** Whether `file` says of itself that it is sound or video; what is in it is found out by reading it. */
export const isMediaFile = ({ name, type }: Pick<File, "name" | "type">): boolean =>
  /^(?:audio|video)\//.test(type) ||
  foreignEnding.test(name) ||
  mediaExtensions.some((ending) => name.toLowerCase().endsWith(`.${ending}`));

/**
 * Why a file, or its rest, is not read. `notMedia`: it is no sound or video. `noSound`: a video without sound.
 * `unknownCodec`: this browser cannot decode it. `largeUnknownCodec`: the same, and it is too large for the way that
 * might. A foreign format: it is that, and this browser does not read it. `nothingDecoded`: this browser decodes nothing of it, although it says that it knows its kind. `broken`: nothing
 * more of it can be decoded. `unreadable`: the disk does not give it. `failed`: the reader has failed.
 */
export type FileProblem =
  | ForeignFormat
  | ("empty" | "tooLarge" | "tooLong" | "notMedia" | "noSound" | "encrypted" | "unknownCodec")
  | (
      | "largeUnknownCodec"
      | "nothingDecoded"
      | "silent"
      | "broken"
      | "unreadable"
      | "diskFull"
      | "failed"
    );

export class MediaFileError extends Error {
  override readonly name = "MediaFileError";

  constructor(readonly problem: FileProblem) {
    super(`The file is not read: ${problem}`);
  }
}

/** A track of a file that has several with sound. */
export interface SoundTrack {
  /** From 1, in the order of the file. */
  number: number;
  /** As the file names it; null: it does not. */
  name: string | null;
  /** BCP 47; null: the file does not say. */
  language: string | null;
  lengthMs: number;
  /** There is something to be heard in it. */
  hasSound: boolean;
}

export interface FileFacts<Decoder = "worker" | "page"> {
  /** Length by the file's own account, ms. */
  lengthMs: number;
  /** Equal for the same file, whatever its name is. */
  fingerprint: string;
  /** `page`: only the page's `decodeAudioData` may decode it. */
  decoder: Decoder;
  /** From which one may be chosen; empty: there is no choice. */
  tracks: readonly SoundTrack[];
  /** The number of the one that is read unless another one is chosen; null: there is no choice. */
  track: number | null;
  /** When the file says that it was recorded, ms since the epoch; null: it does not. */
  recordedAt: number | null;
}

/** As the worker finds them. `either`: the page may decode it, or the worker, whose decoder has refused its start. */
export type ReaderFacts = FileFacts<"worker" | "page" | "either">;

/** Sound that the page has decoded. */
export interface DecodedSound {
  channels: readonly Float32Array<ArrayBuffer>[];
  /** Hz. */
  sampleRate: number;
}

/** What became of the reading. */
export interface ReadResult {
  /** Number of the take's chunks. */
  nextSeq: number;
  /** Why it ended before the file's end; null: it did not. */
  problem: FileProblem | null;
  /** Somebody has stopped it. */
  isStopped: boolean;
  /** Sound that could not be decoded and is silence now, ms. */
  undecodedMs: number;
}

/** From the page to its worker. `take`: the one that is continued, or a new one. */
export type MediaRequest =
  | { type: "probe"; file: File }
  | { type: "read"; source: File | DecodedSound; take: StoredTake; userId: string }
  | { type: "stop" };

/** From the worker to the page; other messages are not its. */
export interface MediaReport {
  media:
    | { type: "facts"; facts: ReaderFacts }
    | { type: "progress"; nextSeq: number }
    /** The file does not give its bytes: the system is fetching it. */
    | { type: "waiting" }
    | { type: "read"; result: ReadResult }
    | { type: "problem"; problem: FileProblem };
}
