import * as z from "zod/mini";
import { audioCodecs, getChunkMs, type RelayConfig } from "#shared/relay.ts";

/**
 * Maps a take to the lecture's clock. A room numbers all accepted chunks by position: chunk `from` of the
 * take has `position` and begins at `ms`, and the others follow without a gap. A take that resumes after
 * another one was placed gets a new placement at the end.
 */
export const placementSchema = z.object({
  /** A version that had audio without takes stored null, which is no take's id. */
  take: z.catch(z.string(), ""),
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

const isSameFormat = (a: AudioFormat, b: AudioFormat): boolean =>
  a.codec === b.codec && a.sampleRate === b.sampleRate;

interface PlacementResult {
  placement: Placement;
  /** Position of the client's next chunk. */
  next: number;
  /** Audio before it that was accepted but is missing in the restored state, ms. */
  forgottenMs: number;
}

/** Where the room's audio stands; the parts of its state that a placement depends on. */
export interface StreamPosition {
  placement: Placement | null;
  highSeq: number;
  expectedSeq: number;
  deliveredMs: number;
  restored: boolean;
}

/** A `config` that names its take. */
export type TakeConfig = RelayConfig & { take: string };

/** Places the take that `config` announces; returns the current placement if it continues there. */
export function placeTake(
  { placement, highSeq, restored }: StreamPosition,
  config: TakeConfig,
): PlacementResult {
  const { take, from = 0, lectureEndMs = 0 } = config;
  const format = getFormat(config);
  const lengthMs = getChunkMs(format.codec, format.sampleRate);
  if (placement?.take === take && isSameFormat(placement, format) && from >= placement.from) {
    const next = toPosition(placement, from);
    // The client deletes only acknowledged chunks, so a gap was accepted before the restart.
    const forgottenMs = Math.max(0, next - highSeq - 1) * lengthMs;
    if (forgottenMs <= (restored ? maxForgottenMs : 0)) return { placement, next, forgottenMs };
  }
  // After everything that was accepted, and not before the lecture's end.
  const behindMs = getStartMs(placement, highSeq + 1);
  const ahead = Math.max(0, Math.ceil((lectureEndMs - behindMs) / lengthMs));
  const position = highSeq + 1 + ahead;
  const atEnd = { take, from, position, ms: behindMs + ahead * lengthMs, ...format };
  return { placement: atEnd, next: position, forgottenMs: 0 };
}
