import * as z from "zod/mini";
import { catchUpMaxMs, catchUpMs, relaySendWindow } from "#shared/limits.ts";

/** Sound heard again costs nothing up to this much at first, and then twice what was charged. */
const initialResendMs = 33_000;
const maxResendMs = 600_000;
const resendMsPerChargedMs = 2;

/** What a room remembers of the sound that it took, to tell new from old and fast from late. */
export const intakeSchema = z.object({
  /** Sound that may still come ahead of the clock, as it was at `at`, ms. */
  aheadMs: z.number(),
  /** Ms since the epoch. */
  at: z.number(),
  /** Sound that may still be heard again without being charged, ms. */
  resendMs: z.number(),
  /** Fingerprint of the latest chunk at each number modulo the window; -1 where there is none. */
  marks: z.array(z.int()),
});
export type Intake = z.infer<typeof intakeSchema>;

export function createIntake(now: number): Intake {
  const marks = Array<number>(relaySendWindow).fill(-1);
  return { aheadMs: catchUpMs, at: now, resendMs: initialResendMs, marks };
}

interface OfferedChunk {
  seq: number;
  /** Highest number that was accepted before. */
  highSeq: number;
  pcm: Uint8Array;
  lengthMs: number;
  /** Of this room, and known to nobody outside. */
  salt: number;
  /** False when the connection has sent as much again as one may. */
  canRepeat: boolean;
}

/**
 * `new`: to be charged. `again`: the same sound under the same number, within the window that an
 * honest browser can have in flight. `early`: more than the time since allows.
 *
 * A number that comes again with other sound is new sound, whatever its number says.
 */
export function admitChunk(
  before: Intake,
  { seq, highSeq, pcm, lengthMs, salt, canRepeat: mayRepeat }: OfferedChunk,
  now: number,
): { verdict: "new" | "again" | "early"; intake: Intake } {
  const mark = hashChunk(pcm, salt);
  const slot = seq % relaySendWindow;
  const isRecent = seq > highSeq - relaySendWindow;
  const isAgain = isRecent && seq <= highSeq && before.marks[slot] === mark;
  if (isAgain && mayRepeat && before.resendMs >= lengthMs)
    return { verdict: "again", intake: { ...before, resendMs: before.resendMs - lengthMs } };
  const passed = Math.max(0, now - before.at);
  const aheadMs = Math.min(catchUpMaxMs, before.aheadMs + passed) - lengthMs;
  if (aheadMs < 0) return { verdict: "early", intake: before };
  const resendMs = Math.min(maxResendMs, before.resendMs + resendMsPerChargedMs * lengthMs);
  const marks = isRecent ? before.marks.with(slot, mark) : before.marks;
  return { verdict: "new", intake: { aheadMs, at: Math.max(now, before.at), resendMs, marks } };
}

/** 16 bits of a salted hash. What a collision could win is bounded by `resendMs`. */
function hashChunk(pcm: Uint8Array, salt: number): number {
  const aligned = pcm.byteOffset % 4 === 0 ? pcm : pcm.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
  let hash = salt | 0;
  for (const word of words) {
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 16;
}
