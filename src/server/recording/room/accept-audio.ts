import { chunkSamples, relayRoomWindow } from "#shared/limits.ts";
import { decodeOpusChunk, opusPacketsPerChunk, silentOpusPacket } from "#shared/opus.ts";
import { type AudioCodec, getChunkMs, relayClose } from "#shared/relay.ts";
import { isAllowanceExhausted, sendTimerIfLow } from "./allowance.ts";
import { admitChunk } from "./audio-intake.ts";
import { closeWithError, rejectFrame, requestReconnect } from "./client.ts";
import { type ClientBudget, maxResentChunks } from "./client-budget.ts";
import { drainForAllowance } from "./finalize.ts";
import { charge, flushIfLarge, isAheadOfLedger } from "./metering.ts";
import { openSession, sendBacklog } from "./provider-session.ts";
import { extendActiveUntil } from "./provider-session-budget.ts";
import { log, type Packets, type StepContext, type StreamSettings } from "./state.ts";
import { toPosition, toSeq } from "./take-placement.ts";

const bytesPerSample = 2;
const chunkBytes = chunkSamples * bytesPerSample;
const noAudio = new Uint8Array();
const unaskedRule = "Binary audio was not asked for in config.";
/** What the client reads when its chunk is wrong. */
const chunkRules: Record<AudioCodec, string> = {
  pcm_s16le: `A chunk holds 1 to ${chunkSamples} samples of 16 bits.`,
  opus: `A chunk holds ${opusPacketsPerChunk} packets of 20 ms, mono.`,
};

interface ReceivedChunk {
  packets: Packets;
  /** Opus: the last packets of the audio before the chunk, if the client sent them. */
  leadIn: Packets;
  /** What is charged, without lead-in; identifies a chunk that is resent. */
  bytes: Uint8Array;
}

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
  const { codec } = settings;
  const isUnasked = binary && !settings.binary;
  const bytes = isUnasked ? noAudio : payload;
  const chunk = codec === "opus" ? readOpus(bytes) : readPcm(bytes);
  if (!chunk) rejectFrame(ctx, isUnasked ? unaskedRule : chunkRules[codec], sequence);
  // Silence takes the place of one that is wrong, so that only its own audio is lost.
  admitAndStore(ctx, settings, chunk ?? { packets: createSilence(codec), leadIn: [], bytes });
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
  { packets, leadIn, bytes }: ReceivedChunk,
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

function readPcm(payload: Uint8Array): ReceivedChunk | null {
  const { byteLength } = payload;
  if (byteLength === 0 || byteLength > chunkBytes || byteLength % bytesPerSample !== 0) return null;
  const pcm = padWithSilence(payload);
  return { packets: [pcm], leadIn: [], bytes: pcm };
}

function readOpus(payload: Uint8Array): ReceivedChunk | null {
  const chunk = decodeOpusChunk(payload);
  return chunk && { ...chunk, bytes: payload.subarray(chunk.packetsAt) };
}

function createSilence(codec: AudioCodec): Packets {
  return codec === "opus"
    ? Array<Uint8Array>(opusPacketsPerChunk).fill(silentOpusPacket)
    : [new Uint8Array(chunkBytes)];
}

/** Fills a short last chunk with silence, so that every chunk has the same length on the clock. */
function padWithSilence(pcm: Uint8Array): Uint8Array {
  if (pcm.byteLength === chunkBytes) return pcm;
  const whole = new Uint8Array(chunkBytes);
  whole.set(pcm);
  return whole;
}
