import type { SpooledPart, SpooledRecording } from "../ports.ts";
import { chunkMs, seqFrom } from "./recording-clock.ts";

/** Chunks that lie under `key`: the recording has them from `from` to before `to`. */
export interface LeftPiece {
  key: string;
  from: number;
  to: number;
  /** What a stored number has to be raised by. */
  offset: number;
}

/** The sound that earlier pages have left of one recording, in one row of numbers. */
export interface LeftSound extends SpooledRecording {
  pieces: readonly LeftPiece[];
  /** Another page has gone on behind it: to the room these numbers are that page's. */
  overtaken: boolean;
}

/**
 * Puts what earlier pages have stored into one row. The page that came furthest has the room's
 * numbers; what another one left just before keeps its place, and what lies elsewhere was never heard
 * by the room: of that, what is not saved comes behind. `rows` are those that the server has. Null
 * when nothing is stored at all.
 */
export function leftSound(
  stored: readonly SpooledPart[],
  rows: readonly { endMs: number }[],
): LeftSound | null {
  const parts = stored.map((part) => ({ ...part, savedMs: savedOf(part, stored, rows) }));
  const furthest = furthestOf(parts);
  if (furthest === undefined) return null;
  const held = parts.filter((part) => part.firstSeq < part.nextSeq);
  const line = furthestOf(held);
  if (line === undefined) {
    const { nextSeq, savedMs } = furthest;
    return { firstSeq: nextSeq, nextSeq, savedMs, pieces: [], overtaken: false };
  }
  const pieces = [pieceOf(line)];
  let first = line;
  let rest = held.filter((part) => part !== line);
  for (;;) {
    const before = rest.find((part) => part.nextSeq === first.firstSeq);
    if (before === undefined) break;
    pieces.unshift(pieceOf(before));
    rest = rest.filter((part) => part !== before);
    first = before;
  }
  let { nextSeq } = line;
  for (const part of rest) {
    const unsaved = Math.max(part.firstSeq, seqFrom(part.savedMs));
    if (unsaved >= part.nextSeq) continue;
    const to = nextSeq + part.nextSeq - unsaved;
    pieces.push({ key: part.key, from: nextSeq, to, offset: nextSeq - unsaved });
    nextSeq = to;
  }
  const { firstSeq, savedMs } = first;
  return { firstSeq, nextSeq, savedMs, pieces, overtaken: line.nextSeq < furthest.nextSeq };
}

/**
 * Up to when the words of `part` are saved. Where another page has gone on from some moment, the rows
 * before that are of what was said until then; later ones are that page's.
 */
function savedOf(
  part: SpooledPart,
  parts: readonly SpooledPart[],
  rows: readonly { endMs: number }[],
): number {
  const others = parts.filter(({ key, nextSeq }) => key !== part.key && nextSeq > part.nextSeq);
  if (others.length === 0) return part.savedMs;
  const overMs = Math.min(...others.map(({ beganSeq }) => beganSeq)) * chunkMs;
  return rows.reduce(
    (savedMs, { endMs }) => (endMs <= overMs ? Math.max(savedMs, endMs) : savedMs),
    part.savedMs,
  );
}

/** Of those that came equally far, the page that was opened last. */
const furthestOf = (parts: readonly SpooledPart[]): SpooledPart | undefined =>
  parts.reduce<SpooledPart | undefined>(
    (best, part) => (best !== undefined && best.nextSeq > part.nextSeq ? best : part),
    undefined,
  );

/** What of `left` is not saved: of sound that others have gone on behind, no lead-in is heard again. */
export function unsavedOf(left: LeftSound): LeftSound {
  const firstSeq = Math.min(Math.max(left.firstSeq, seqFrom(left.savedMs)), left.nextSeq);
  const pieces = left.pieces
    .filter((piece) => piece.to > firstSeq)
    .map((piece) => ({ ...piece, from: Math.max(piece.from, firstSeq) }));
  return { ...left, firstSeq, pieces };
}

const pieceOf = ({ key, firstSeq, nextSeq }: SpooledPart): LeftPiece => ({
  key,
  from: firstSeq,
  to: nextSeq,
  offset: 0,
});
