import * as z from "zod/mini";
import { chunkSamples, relayRoomWindow } from "#shared/limits.ts";
import type { RelayConfig } from "#shared/relay.ts";

/**
 * Where the take that is being heard lies on the lecture. A room counts everything it accepts by
 * positions: chunk `from` of the take is at `position` and begins at `ms`, the others follow without a
 * gap. A take that goes on after another one was placed is placed anew, at the end.
 */
export const placementSchema = z.object({
  /** Null for a client that names none: its numbers are positions. */
  take: z.nullable(z.string()),
  from: z.int(),
  position: z.int(),
  /** On the lecture's clock. */
  ms: z.number(),
  sampleRate: z.int(),
});
export type Placement = z.infer<typeof placementSchema>;

/** More cannot have been accepted between two times that the room was kept. */
const maxForgottenMs = 120_000;

/** Length of a chunk at `sampleRate` (Hz), ms. */
export function chunkLengthMs(sampleRate: number): number {
  return (chunkSamples * 1_000) / sampleRate;
}

/** When the chunk at `position` begins on the lecture's clock, ms. */
export function getStartMs(placement: Placement | null, position: number): number {
  if (placement === null) return 0;
  const { ms, sampleRate } = placement;
  return Math.max(0, ms + (position - placement.position) * chunkLengthMs(sampleRate));
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

/** Where chunk 0 of the take would lie on the lecture's clock, ms; negative where it was heard elsewhere. */
export function getOffsetMs({ from, ms, sampleRate }: Placement): number {
  return ms - from * chunkLengthMs(sampleRate);
}

interface PlacementInput {
  placement: Placement | null;
  highSeq: number;
  restored: boolean;
  isGuest: boolean;
}

interface PlacementResult {
  placement: Placement;
  /** Position of the chunk that the client sends next. */
  next: number;
  /** Sound before it that was accepted and that the room has forgotten, ms. */
  forgottenMs: number;
}

/** Where the sound that `config` announces goes; the known placement itself where it goes on there. */
export function placeStream(known: PlacementInput, config: RelayConfig): PlacementResult {
  const { take, resumeFrom } = config;
  if (take !== undefined) return placeTake(known, take, config);
  if (resumeFrom !== undefined) return placeNumbers(known, resumeFrom, config);
  const placement = placeAtEnd(known, null, 0, config.finalMs ?? 0, config.sampleRate);
  const next = placement.position;
  return { placement: reusePlacement(known, placement, next), next, forgottenMs: 0 };
}

function placeTake(known: PlacementInput, take: string, config: RelayConfig): PlacementResult {
  const { from = 0, lectureEndMs = 0, sampleRate } = config;
  const { placement, highSeq, restored } = known;
  if (placement?.take === take && placement.sampleRate === sampleRate && from >= placement.from) {
    const next = toPosition(placement, from);
    // What the client no longer holds was accepted before the room lost its memory.
    const forgottenMs = Math.max(0, next - highSeq - 1) * chunkLengthMs(sampleRate);
    if (forgottenMs <= (restored ? maxForgottenMs : 0)) return { placement, next, forgottenMs };
  }
  const placed = placeAtEnd(known, take, from, lectureEndMs, sampleRate);
  return { placement: placed, next: placed.position, forgottenMs: 0 };
}

/** A client of version 1, whose chunks have the numbers of positions. */
function placeNumbers(
  known: PlacementInput,
  resumeFrom: number,
  { sampleRate }: RelayConfig,
): PlacementResult {
  const { highSeq, isGuest, restored } = known;
  // A guest's page keeps nothing over a reload: from the beginning again means a new stretch.
  const isAfresh = isGuest && resumeFrom <= highSeq - relayRoomWindow;
  const next = isAfresh ? highSeq + 1 : resumeFrom;
  const ms =
    known.placement === null ? next * chunkLengthMs(sampleRate) : getStartMs(known.placement, next);
  const placement = reusePlacement(
    known,
    { take: null, from: next, position: next, ms, sampleRate },
    next,
  );
  const lostMs = Math.max(0, next - highSeq - 1) * chunkLengthMs(sampleRate);
  return { placement, next, forgottenMs: restored ? Math.min(maxForgottenMs, lostMs) : 0 };
}

/** The known placement where `placed` only goes on in it. */
function reusePlacement(known: PlacementInput, placed: Placement, next: number): Placement {
  const { placement } = known;
  const goesOn =
    placement?.take === null &&
    placement.sampleRate === placed.sampleRate &&
    next >= placement.position;
  return goesOn ? placement : placed;
}

/** Behind everything that was accepted, and not before `endMs` on the lecture's clock. */
function placeAtEnd(
  { placement, highSeq }: PlacementInput,
  take: string | null,
  from: number,
  endMs: number,
  sampleRate: number,
): Placement {
  const behind = highSeq + 1;
  const behindMs = getStartMs(placement, behind);
  const lengthMs = chunkLengthMs(sampleRate);
  const ahead = Math.max(0, Math.ceil((endMs - behindMs) / lengthMs));
  const position = behind + ahead;
  return {
    take,
    from: take === null ? position : from,
    position,
    ms: behindMs + ahead * lengthMs,
    sampleRate,
  };
}
