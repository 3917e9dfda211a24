import * as z from "zod/mini";

/**
 * Chunks of which the room knows the fingerprints: 100 s. After a crash the browser sends again what was heard and not
 * saved, which at the provider's pace is more sound than time.
 */
export const resendWindow = 384;

/** A client may resend this much audio free of charge at first, and then twice what it was charged for. */
const initialResendMs = 34_000;
const maxResendMs = 600_000;
const resendMsPerChargedMs = 2;

/** State that tells new audio from resent audio. How fast audio may come, the provider's pace decides. */
export const intakeSchema = z.object({
  /** Audio that may still be resent without a charge, ms. */
  resendMs: z.number(),
  /**
   * Fingerprint of the latest chunk at each number modulo the window; -1 where there is none. A room of an earlier version
   * has a shorter window.
   */
  marks: z.array(z.int()),
});
export type Intake = z.infer<typeof intakeSchema>;

export const createIntake = (): Intake => ({
  resendMs: initialResendMs,
  marks: Array<number>(resendWindow).fill(-1),
});

interface OfferedChunk {
  seq: number;
  /** Highest number accepted so far. */
  highSeq: number;
  bytes: Uint8Array;
  lengthMs: number;
  /** Secret of this room. */
  salt: number;
  /** False when the connection has used up its resends. */
  canRepeat: boolean;
}

/**
 * Classifies a chunk. `new`: it must be charged. `repeat`: the same audio under the same number, within
 * the window.
 *
 * Different audio under a known number counts as new.
 */
export function admitChunk(
  before: Intake,
  { seq, highSeq, bytes, lengthMs, salt, canRepeat }: OfferedChunk,
): { verdict: "new" | "repeat"; intake: Intake } {
  const mark = hashChunk(bytes, salt);
  const window = before.marks.length;
  const slot = seq % window;
  const isRecent = seq > highSeq - window;
  const isRepeat = isRecent && seq <= highSeq && before.marks[slot] === mark;
  if (isRepeat && canRepeat && before.resendMs >= lengthMs)
    return { verdict: "repeat", intake: { ...before, resendMs: before.resendMs - lengthMs } };
  const resendMs = Math.min(maxResendMs, before.resendMs + resendMsPerChargedMs * lengthMs);
  const marks = isRecent ? before.marks.with(slot, mark) : before.marks;
  return { verdict: "new", intake: { resendMs, marks } };
}

/** 16 bits of a salted hash. A collision can save no more than `resendMs`. */
function hashChunk(bytes: Uint8Array, salt: number): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
  let hash = salt | 0;
  // A for-of loop takes three times as long, as long as the rest of the reducer together.
  for (let index = 0; index < words.length; index += 1) {
    hash = Math.imul(hash ^ (words[index] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 16;
}
