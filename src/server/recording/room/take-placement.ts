import * as z from "zod/mini";
import { relayRoomWindow } from "#shared/limits.ts";
import { audioCodecs, getChunkMs, type RelayConfig } from "#shared/relay.ts";

/**
 * Maps a take to the lecture's clock. A room numbers all accepted chunks by position: chunk `from` of the
 * take has `position` and begins at `ms`, and the others follow without a gap. A take that resumes after
 * another one was placed gets a new placement at the end.
 */
export const placementSchema = z.object({
  /** Null for a client without takes, whose numbers are positions. */
  take: z.nullable(z.string()),
  from: z.int(),
  position: z.int(),
  /** On the lecture's clock. */
  ms: z.number(),
  sampleRate: z.int(),
  /** Placements of an earlier version have none. */
  codec: z._default(z.enum(audioCodecs), "pcm_s16le"),
});
export type Placement = z.infer<typeof placementSchema>;

/** Most audio that can be accepted between two snapshots. */
const maxForgottenMs = 120_000;

/** When the chunk at `position` begins on the lecture's clock, ms. */
export function getStartMs(placement: Placement | null, position: number): number {
  if (placement === null) return 0;
  const { ms, codec, sampleRate } = placement;
  return Math.max(0, ms + (position - placement.position) * getChunkMs(codec, sampleRate));
}

/** When the chunk at `position` ends on the lecture's clock, ms. */
export function getEndMs(placement: Placement | null, position: number): number {
  return getStartMs(placement, position + 1);
}

export function toPosition({ from, position }: Placement, seq: number): number {
  return position + seq - from;
}

export function toSeq({ from, position }: Placement, at: number): number {
  return from + at - position;
}

/** Where chunk 0 of the take would be on the lecture's clock, ms; negative if it was placed elsewhere. */
export function getOffsetMs({ from, ms, codec, sampleRate }: Placement): number {
  return ms - from * getChunkMs(codec, sampleRate);
}

/** What a chunk's length depends on. */
type AudioFormat = Pick<Placement, "codec" | "sampleRate">;

const getFormat = ({ codec = "pcm_s16le", sampleRate }: RelayConfig): AudioFormat => ({
  codec,
  sampleRate,
});

export const isSameFormat = (a: AudioFormat, b: AudioFormat): boolean =>
  a.codec === b.codec && a.sampleRate === b.sampleRate;

interface PlacementInput {
  placement: Placement | null;
  highSeq: number;
  restored: boolean;
  isGuest: boolean;
}

interface PlacementResult {
  placement: Placement;
  /** Position of the client's next chunk. */
  next: number;
  /** Audio before it that was accepted but is missing in the restored state, ms. */
  forgottenMs: number;
}

/** Places the audio that `config` announces; returns the current placement if it continues there. */
export function placeStream(input: PlacementInput, config: RelayConfig): PlacementResult {
  const { take, resumeFrom } = config;
  if (take !== undefined) return placeTake(input, take, config);
  if (resumeFrom !== undefined) return placeNumbers(input, resumeFrom, config);
  const placement = placeAtEnd(input, null, 0, config.finalMs ?? 0, getFormat(config));
  const next = placement.position;
  return { placement: reusePlacement(input, placement, next), next, forgottenMs: 0 };
}

function placeTake(input: PlacementInput, take: string, config: RelayConfig): PlacementResult {
  const { from = 0, lectureEndMs = 0 } = config;
  const format = getFormat(config);
  const { placement, highSeq, restored } = input;
  if (placement?.take === take && isSameFormat(placement, format) && from >= placement.from) {
    const next = toPosition(placement, from);
    // The client deletes only acknowledged chunks, so a gap was accepted before the restart.
    const forgottenMs =
      Math.max(0, next - highSeq - 1) * getChunkMs(format.codec, format.sampleRate);
    if (forgottenMs <= (restored ? maxForgottenMs : 0)) return { placement, next, forgottenMs };
  }
  const atEnd = placeAtEnd(input, take, from, lectureEndMs, format);
  return { placement: atEnd, next: atEnd.position, forgottenMs: 0 };
}

/** For clients of version 1, whose chunk numbers are positions. */
function placeNumbers(
  input: PlacementInput,
  resumeFrom: number,
  config: RelayConfig,
): PlacementResult {
  const format = getFormat(config);
  const chunkMs = getChunkMs(format.codec, format.sampleRate);
  const { highSeq, isGuest, restored } = input;
  // A guest's tab keeps nothing over a reload, so numbers from the start mean new audio.
  const isRestart = isGuest && resumeFrom <= highSeq - relayRoomWindow;
  const next = isRestart ? highSeq + 1 : resumeFrom;
  const ms = input.placement === null ? next * chunkMs : getStartMs(input.placement, next);
  const placement = reusePlacement(
    input,
    { take: null, from: next, position: next, ms, ...format },
    next,
  );
  const lostMs = Math.max(0, next - highSeq - 1) * chunkMs;
  return { placement, next, forgottenMs: restored ? Math.min(maxForgottenMs, lostMs) : 0 };
}

/** Returns the current placement if `placed` only continues it. */
function reusePlacement(input: PlacementInput, placed: Placement, next: number): Placement {
  const { placement } = input;
  const isContinuation =
    placement?.take === null && isSameFormat(placement, placed) && next >= placement.position;
  return isContinuation ? placement : placed;
}

/** Places audio after everything that was accepted, and not before `endMs` on the lecture's clock. */
function placeAtEnd(
  { placement, highSeq }: PlacementInput,
  take: string | null,
  from: number,
  endMs: number,
  format: AudioFormat,
): Placement {
  const behind = highSeq + 1;
  const behindMs = getStartMs(placement, behind);
  const lengthMs = getChunkMs(format.codec, format.sampleRate);
  const ahead = Math.max(0, Math.ceil((endMs - behindMs) / lengthMs));
  const position = behind + ahead;
  return {
    take,
    from: take === null ? position : from,
    position,
    ms: behindMs + ahead * lengthMs,
    ...format,
  };
}
