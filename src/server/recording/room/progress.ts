import { opusLeadInMax } from "#shared/opus.ts";
import type { RelayToken, RelayTranslation } from "#shared/relay.ts";
import { type OpenSession, type RoomState, type StepContext, send } from "./state.ts";
import { getCompleteMs } from "./stream-translation.ts";
import { getEndMs, toSeq } from "./take-placement.ts";
import { quietMs } from "./unanswered-sound.ts";

/**
 * What the client is told of how far its sound is recognised: in `tokens` with the words, and in `ack`, after which it may
 * delete the chunks whose words it has.
 */

/** Interval of progress messages while nothing comes that the client could be told. */
const repeatAfterMs = quietMs;
/** Audio that a resumed provider session receives again, so that it does not start inside a word. */
export const overlapMs = 2_000;
/** Audio without words for this long is treated as silence. */
const silenceIsFinalMs = 10_000;
/** Fewer chunks, about two seconds, are acknowledged together with later ones: each message costs as much as its chunk's words. */
const minAcknowledgedChunks = 8;

/** When the client is told again what it knows, ms since the epoch; null: the provider says what it is told. */
export function getNextRepeatAt({ provider, answersSilence, backlog }: RoomState): number | null {
  if (provider.kind === "waiting")
    return backlog.length === 0 ? null : provider.notifiedAt + repeatAfterMs;
  if (provider.kind !== "open" || answersSilence) return null;
  const isAwaited = provider.unansweredSince !== null || provider.finalizesDue > 0;
  return isAwaited ? provider.notifiedAt + repeatAfterMs : null;
}

/** Sends a progress message without news, so that the browser does not treat its connection as dead. */
export function repeatProgress(ctx: StepContext): void {
  const { provider } = ctx.room;
  if (provider.kind !== "waiting" && provider.kind !== "open") return;
  const { room, now } = ctx;
  room.provider = { ...provider, notifiedAt: now };
  if (provider.kind === "open" && now - (provider.unansweredSince ?? now) >= quietMs) {
    const readMs = getEndMs(room.placement, provider.sentSeq);
    room.progress = { ...room.progress, processedMs: Math.max(room.progress.processedMs, readMs) };
  }
  sendProgress(ctx, provider.kind === "open" ? provider.interim : [], false);
}

export function sendProgress(
  ctx: StepContext,
  tokens: readonly RelayToken[],
  endpoint: boolean,
  translations: readonly RelayTranslation[] = [],
): void {
  const { provider, progress } = ctx.room;
  const { finalMs, processedMs } = progress;
  const isBusy = provider.kind === "waiting" && provider.isBusy;
  send(ctx, {
    type: "tokens",
    tokens: [...tokens],
    audio_final_proc_ms: finalMs,
    audio_total_proc_ms: processedMs,
    ...(endpoint ? { endpoint: true } : {}),
    ...(translations.length > 0 ? { translations: [...translations] } : {}),
    ...(isBusy ? { waitMs: Math.max(0, Math.ceil(provider.until - ctx.now)) } : {}),
  });
}

/** Acknowledges the chunks that `session` has transcribed, except the overlap, once they are enough for a message. */
export function acknowledgeTranscribed(ctx: StepContext, session: OpenSession): void {
  const { ackedSeq, expectedSeq } = ctx.room;
  const lastSeq = Math.min(session.sentSeq, expectedSeq - 1);
  const seq = findSeqBefore(ctx.room, getTranscribedMs(session), lastSeq);
  if (seq - ackedSeq >= minAcknowledgedChunks) acknowledge(ctx, seq);
}

/** Acknowledges the chunks up to `lastSeq`, which a stream has heard to its end, except the overlap. */
export function acknowledgeHeard(ctx: StepContext, lastSeq: number): void {
  acknowledge(ctx, findSeqBefore(ctx.room, getEndMs(ctx.room.placement, lastSeq), lastSeq));
}

/** The last chunk up to `lastSeq` that ends before the overlap with what follows `ms`. */
function findSeqBefore({ placement, ackedSeq }: RoomState, ms: number, lastSeq: number): number {
  let seq = ackedSeq;
  while (seq < lastSeq && getEndMs(placement, seq + 1) + overlapMs <= ms) seq += 1;
  return seq;
}

/** Time up to which all speech was delivered as final words, and translated, ms on the lecture's clock. */
function getTranscribedMs(session: OpenSession): number {
  const { finalMs, processedMs, lastWordMs, hasInterim } = session;
  const isSilent = !hasInterim && processedMs - lastWordMs >= silenceIsFinalMs;
  return isSilent ? Math.max(finalMs, processedMs) : getCompleteMs(session);
}

/**
 * Drops the chunks up to `seq` and acknowledges them to the client. The last packets of Opus among them stay: they are
 * the lead-in of the next provider session.
 */
export function acknowledge(ctx: StepContext, seq: number): void {
  const { room } = ctx;
  if (seq <= room.ackedSeq) return;
  room.ackedSeq = seq;
  const dropped = room.backlog.filter((chunk) => chunk.seq <= seq);
  room.backlog = room.backlog.slice(dropped.length);
  const last = dropped.at(-1);
  if (room.placement?.codec !== "opus")
    ctx.effects.push({ type: "releaseAudio", data: dropped.flatMap(({ packets }) => packets) });
  else if (last) room.leadIn = last.packets.slice(-opusLeadInMax);
  const { placement, answersSilence } = room;
  if (placement === null) return;
  const ack = { type: "ack" as const, seq: toSeq(placement, seq), take: placement.take };
  send(ctx, answersSilence ? ack : { ...ack, mayLackWords: true });
}
