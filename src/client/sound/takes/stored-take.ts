import * as z from "zod/mini";
import { speechEngines } from "#client/recognition/speech-engine.ts";
import { defaultSourceLanguage, sourceLanguages, spokenLanguages } from "#shared/languages.ts";
import { type AudioCodec, audioCodecs } from "#shared/relay.ts";
import { placement, speechStretch, takeGap } from "./take-gaps.ts";

/** What is stored of takes: a record for each take, each chunk and each block of levels. */

/** The sound or video file whose sound a take is. */
const takeFile = z.object({
  name: z.string(),
  /** Equal for the same file, whatever its name is. */
  fingerprint: z.string(),
  /** Length of its sound, ms. */
  lengthMs: z.number(),
  /** Nothing more of it is to be read. Before that, nothing recognises the take. */
  isRead: z.boolean(),
  /** The person keeps sound. Otherwise a take that `isKept` stays until it is recognised, or until they leave its gaps. */
  keepsSound: z._default(z.boolean(), true),
  /** The number of the file's track that is read; null: there was no choice. */
  track: z._default(z.nullable(z.int()), null),
});
type TakeFile = z.infer<typeof takeFile>;

const number = z.int().check(z.nonnegative());
export const takeRecord = z.object({
  id: z.string(),
  lectureId: z.string(),
  /** Whose audio it is. */
  userId: z.string(),
  codec: z.enum(audioCodecs),
  /** What recognises the rest; earlier versions stored only the sound for the site's service. */
  engine: z._default(z.enum(speechEngines), "service"),
  /** What is spoken; earlier versions knew English only. */
  language: z._default(z.enum(sourceLanguages), defaultSourceLanguage),
  secondLanguage: z._default(z.nullable(z.enum(spokenLanguages)), null),
  /** Words at the beginning of the rest that another engine has given, up to `untilMs` on the take's own clock. */
  repeated: z._default(z.nullable(z.object({ text: z.string(), untilMs: z.number() })), null),
  /** Where the words end that no engine has given, on the take's own clock, ms; null: with the take. */
  wordsUntilMs: z._default(z.nullable(z.number()), null),
  /** First chunk that is still stored; the words of those before it are saved. */
  firstSeq: number,
  /** Number of the next chunk. */
  nextSeq: number,
  /** Where the room has placed the take on the lecture's clock, in order. Empty before the first connection. */
  placements: z.readonly(z.array(placement)),
  /** The id of the rest on the relay, once words of another source came between; null: the take's own. */
  relayId: z._default(z.nullable(z.string()), null),
  /** End of the final words on the page, ms on the take's own clock. */
  heldMs: z.number().check(z.nonnegative()),
  /** End of the saved words, ms on the take's own clock. */
  savedMs: z.number().check(z.nonnegative()),
  /**
   * The chunks stay when their words are saved, so that they can be heard again. Then `firstSeq` is the first
   * chunk that is still needed to be sent, and `nextSeq` when none is.
   */
  isKept: z._default(z.boolean(), false),
  /** Size of all chunks that were written. */
  bytes: z._default(number, 0),
  /** When it began, ms since the epoch; null: stored by a version that did not say. */
  startedAt: z._default(z.nullable(z.number()), null),
  /** Lost sound. */
  gaps: z._default(z.readonly(z.array(takeGap)), []),
  /** Speech without words, ascending. */
  wordless: z._default(z.readonly(z.array(speechStretch)), []),
  /** The sound or video file whose sound it is; null: a microphone's. */
  file: z._default(z.nullable(takeFile), null),
  /** Time of the first and of the last write, ms since the epoch. */
  createdAt: z.number(),
  writtenAt: z.number(),
});
export type TakeRecord = z.infer<typeof takeRecord>;

/** A take as it is stored, without its chunks (`firstSeq` to `nextSeq` exclusive). */
export type StoredTake = Omit<TakeRecord, "userId" | "bytes" | "createdAt" | "writtenAt">;

/** The take of a sound or video file. */
export type FileTake = StoredTake & { file: TakeFile };

/** All of the take is sent and saved, and its chunks are kept. */
export const isOnlyKept = ({ isKept, firstSeq, nextSeq, file }: StoredTake): boolean =>
  isKept && firstSeq >= nextSeq && file?.isRead !== false;

/** The record of a new, empty take in English for the service. `startedAt`: ms since the epoch. */
export function newTake(
  id: string,
  lectureId: string,
  codec: AudioCodec,
  startedAt: number | null = null,
): StoredTake {
  return {
    id,
    lectureId,
    codec,
    startedAt,
    firstSeq: 0,
    nextSeq: 0,
    ...({ engine: "service", repeated: null, wordsUntilMs: null } as const),
    language: defaultSourceLanguage,
    secondLanguage: null,
    placements: [],
    relayId: null,
    gaps: [],
    wordless: [],
    heldMs: 0,
    savedMs: 0,
    isKept: false,
    file: null,
  };
}

export const chunkRecord = z.object({
  takeId: z.string(),
  seq: number,
  data: z.instanceof(Uint8Array<ArrayBuffer>),
});
export type ChunkRecord = z.infer<typeof chunkRecord>;

/** Levels are stored in blocks, because a waveform needs those of a whole take and none of its audio. */
export const levelsPerBlock = 256;
export const levelRecord = z.object({
  takeId: z.string(),
  block: number,
  levels: z.instanceof(Uint8Array<ArrayBuffer>),
});
export type LevelRecord = z.infer<typeof levelRecord>;
