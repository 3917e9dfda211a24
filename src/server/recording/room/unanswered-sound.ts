import { relaySendWindow } from "#shared/limits.ts";
import type { Finalize, OpenSession, RoomState } from "./state.ts";
import { getEndMs, type Placement } from "./take-placement.ts";

/**
 * How long sound may be without an answer. A service that answers silence too has then been lost. Another server may have
 * nothing to say, or be busy: its stream is ended in order once much sound waits, because only its end proves what was heard.
 */

const answerTimeoutMs = 8_000;
/** Sent chunks without words, 25 s, with which such a stream is ended: the browser sends no more than `relaySendWindow`. */
export const fullChunks = relaySendWindow * 0.75;
/** A server that is quiet so long has probably read what it has got. */
export const quietMs = 5_000;
/** One that is busy answers more often. */
const endAfterMs = 10_000;

/** When sound has been unanswered for too long, ms since the epoch; null: it is not, or its end is awaited. */
export function getAnswerDueAt({
  provider,
  answersSilence,
  finalize,
  ackedSeq,
}: RoomState): number | null {
  if (provider.kind !== "open" || provider.unansweredSince === null) return null;
  if (answersSilence) return provider.unansweredSince + answerTimeoutMs;
  const isFull = provider.sentSeq - ackedSeq >= fullChunks;
  return isFull && finalize === null ? provider.unansweredSince + endAfterMs : null;
}

/** Time for the provider to answer a finalize, from its last message on. After one retry the room gives up. */
const finalizeTimeoutMs = 5_000;
/**
 * A server of one's own may be busy with all that it has got, without a message in between. To give the same sound to
 * another stream of it would begin that work anew.
 */
const busyTimeoutMs = 60_000;

export const getFinalizeLimitMs = ({ provider, answersSilence }: RoomState): number =>
  provider.kind === "open" && !answersSilence ? busyTimeoutMs : finalizeTimeoutMs;

/** False: nothing has come for as long as an answer may take. */
export const isStillAnswering = (room: RoomState, now: number): boolean =>
  room.provider.kind === "open" && now - room.provider.answered.at < getFinalizeLimitMs(room);

/** A provider that still answers is not waited for any longer once no word has become final for so long. */
const lastWordsMs = 300_000;

/** The provider shows that it is there: it has its whole time again. */
export function extendLimit(finalize: Finalize, room: RoomState, now: number): Finalize {
  const dueAt = Math.min(now + getFinalizeLimitMs(room), finalize.since + lastWordsMs);
  return { ...finalize, dueAt: Math.max(finalize.dueAt, dueAt) };
}

/** A decoder may drop so much sound at the beginning and the end of a stream. */
export const decoderMs = 500;

/**
 * The last chunk of a session that has ended after counting `heardMs` of sound. Sound that it has got and not counted needs
 * another session.
 */
export function findHeardSeq(
  { placement }: RoomState,
  { startMs, firstSeq }: OpenSession,
  { endSeq, heardMs }: { endSeq: number; heardMs: number },
): number {
  const untilMs = startMs + heardMs;
  if (getEndMs(placement, endSeq) <= untilMs + decoderMs) return endSeq;
  return findSeqUntil(placement, firstSeq, untilMs);
}

/** The last chunk from `firstSeq` on that ends until `ms` on the lecture's clock; the one before if there is none. */
export function findSeqUntil(placement: Placement | null, firstSeq: number, ms: number): number {
  let seq = firstSeq - 1;
  while (getEndMs(placement, seq + 1) <= ms) seq += 1;
  return seq;
}

/** Results of one step come together. */
const stepMs = 500;

/** A session that has got sound up to `sentMs` answers at `now`: it has read what it had got at its answer before. */
export function noteAnswer(
  { answered }: OpenSession,
  sentMs: number,
  now: number,
): OpenSession["answered"] {
  if (now - answered.at < stepMs) return answered;
  return { at: now, sentMs, readMs: answered.sentMs };
}
