import { relayRoomWindow } from "#shared/limits.ts";
import { getChunkMs, relayClose } from "#shared/relay.ts";
import { isAllowanceExhausted, sendTimerIfLow } from "./allowance.ts";
import { admitChunk } from "./audio-intake.ts";
import { closeWithError, rejectFrame, requestReconnect } from "./client.ts";
import { type ClientBudget, maxResentChunks } from "./client-budget.ts";
import { drainForAllowance } from "./finalize.ts";
import { charge, flushIfLarge, isAheadOfLedger } from "./metering.ts";
import { openSession, sendBacklog } from "./provider-session.ts";
import { extendActiveUntil } from "./provider-session-budget.ts";
import { chunkRules, readChunk } from "./received-chunk.ts";
import { log, type StepContext, type StreamSettings } from "./state.ts";
import { toPosition, toSeq } from "./take-placement.ts";

const noAudio = new Uint8Array();
const unaskedRule = "Binary audio was not asked for in config.";

/**
 * Accepts one chunk: once, in order, and only as far ahead of the provider as memory allows. A client that waits for
 * acknowledgements never gets there (`relaySendWindow`), so it is held back to the pace of `provider-pace.ts`.
 */
export function acceptAudio(
  ctx: StepContext,
  sequence: number,
  payload: Uint8Array,
  binary: boolean,
): void {
  const { room } = ctx;
  const settings = room.client?.settings;
  if (!room.client) return;
  if (!settings) {
    if (room.client.restored) requestReconnect(ctx);
    else rejectFrame(ctx, "Send config before audio.");
    return;
  }
  if (room.usage.isEnding || !isNextChunk(ctx, sequence)) return;
  if (room.backlog.length >= relayRoomWindow) {
    const message = "Audio comes faster than it can be transcribed.";
    closeWithError(ctx, "rate_limited", message, { retryable: true });
    return;
  }
  const isUnasked = binary && !settings.binary;
  const chunk = readChunk(settings.codec, isUnasked ? noAudio : payload);
  const rule = isUnasked ? unaskedRule : chunkRules[settings.codec];
  if (chunk.isWrong) rejectFrame(ctx, rule, sequence);
  admitAndStore(ctx, settings, chunk);
}

/** False for a chunk that the room has. One that leaves a gap closes the socket. */
function isNextChunk(ctx: StepContext, sequence: number): boolean {
  const { placement, expectedSeq } = ctx.room;
  if (placement === null) return true;
  const seq = toPosition(placement, sequence);
  if (seq > expectedSeq) {
    const expected = toSeq(placement, expectedSeq);
    log(ctx, "chunk_missing", { expected, received: sequence }, "warn");
    const options = { retryable: true, close: relayClose.restart };
    closeWithError(ctx, "conflict", `Chunk ${expected} is missing.`, options);
  }
  return seq === expectedSeq;
}

/** Charges the next chunk if it is new, and sends it to the provider. Audio that comes faster than the ledger is
 * written closes the socket. */
function admitAndStore(
  ctx: StepContext,
  settings: StreamSettings,
  { packets, leadIn, bytes }: ReturnType<typeof readChunk>,
): void {
  const { room, now } = ctx;
  const { client, highSeq, salt, expectedSeq: seq } = room;
  if (!client) return;
  const lengthMs = getChunkMs(settings.codec, settings.sampleRate);
  const canRepeat = client.budget.resentChunks < maxResentChunks;
  const offer = { seq, bytes, highSeq, lengthMs, salt, canRepeat };
  const admission = admitChunk(room.intake, offer);
  const isNew = admission.verdict === "new";
  if (isNew && isAheadOfLedger(room, now)) {
    const message = "Audio comes faster than its time can be counted.";
    closeWithError(ctx, "rate_limited", message, { retryable: true });
    return;
  }
  room.intake = admission.intake;
  if (room.backlog.length === 0 && leadIn.length > 0) room.leadIn = leadIn;
  room.backlog = [...room.backlog, { seq, packets }];
  room.expectedSeq = seq + 1;
  room.client = { ...client, budget: countChunk(client.budget, isNew) };
  // Charged before `highSeq` changes: a snapshot taken between must not hold an accepted, uncharged chunk.
  if (isNew) {
    charge(ctx, lengthMs);
    // Until then the old segment stays open: its total in the ledger may be higher than the snapshot's.
    room.restored = false;
    room.activeUntil = extendActiveUntil(room.activeUntil, lengthMs, now);
  }
  room.highSeq = Math.max(highSeq, seq);
  if (isNew) sendTimerIfLow(ctx);
  if (room.provider.kind === "open") sendBacklog(ctx);
  else if (room.provider.kind === "none") openSession(ctx);
  if (isAllowanceExhausted(room)) drainForAllowance(ctx);
  else flushIfLarge(ctx);
}

/** New audio costs no frame token: the backlog limits it. */
function countChunk(budget: ClientBudget, isNew: boolean): ClientBudget {
  if (!isNew) return { ...budget, resentChunks: budget.resentChunks + 1 };
  const { frames } = budget;
  return {
    ...budget,
    frames: { ...frames, tokens: Math.min(frames.capacity, frames.tokens + 1) },
  };
}
