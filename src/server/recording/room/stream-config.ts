import type { RelayConfig } from "#shared/relay.ts";
import { isAllowanceExhausted, sendTimer } from "./allowance.ts";
import { closeWithError, drainForAllowance, rejectFrame } from "./client.ts";
import { configLimit } from "./client-budget.ts";
import { charge } from "./metering.ts";
import { closeSession, openSession, skipDelivered } from "./provider-session.ts";
import { isBudgetSpent } from "./provider-session-budget.ts";
import { takeToken } from "./rate-bucket.ts";
import { persist, type RoomState, type StepContext, type StreamSettings, send } from "./state.ts";
import {
  getEndMs,
  getOffsetMs,
  getStartMs,
  isSameFormat,
  type Placement,
  placeStream,
  toSeq,
} from "./take-placement.ts";

/** The client's `config`: the stream's settings, and where its audio continues. */

/** Starts or restarts the stream at the first chunk that the client still holds. */
export function configureStream(ctx: StepContext, config: RelayConfig): void {
  const { room, now } = ctx;
  if (!room.client) return;
  const configs = takeToken(room.client.budget.configs, configLimit, now);
  if (!configs) {
    closeForRate(ctx);
    return;
  }
  const client = { ...room.client, budget: { ...room.client.budget, configs } };
  const settings = toSettings(config);
  if (settings.codec === "opus" && (config.take === undefined || !settings.binary)) {
    room.client = client;
    rejectFrame(ctx, "Opus needs a take and binary audio.");
    return;
  }
  const result = placeStream({ ...room, isGuest: room.owner === null }, config);
  const { placement, next } = result;
  // Both have the same key order, because only `toSettings` creates them.
  const isSame = JSON.stringify(client.settings) === JSON.stringify(settings);
  if (isSame && placement === room.placement && next > room.ackedSeq && next <= room.expectedSeq) {
    room.client = client;
    acknowledgeConfig(ctx, settings, placement, next);
    return;
  }
  const keepsSession = isSame && isContinuous(room, placement, next);
  if (!keepsSession && client.settings !== null && isBudgetSpent(room.sessionTimes, now)) {
    closeForRate(ctx);
    return;
  }
  room.client = { ...client, settings, restored: false };
  moveStream(ctx, settings, result);
  room.deliveredMs = getHeldUntilMs(placement, config) ?? room.deliveredMs;
  room.finalMs = room.deliveredMs;
  room.totalMs = Math.max(room.finalMs, getEndMs(placement, room.ackedSeq));
  if (keepsSession) skipDelivered(ctx, room.deliveredMs);
  else closeSession(ctx);
  acknowledgeConfig(ctx, settings, placement, next);
  if (isAllowanceExhausted(room)) {
    drainForAllowance(ctx);
    return;
  }
  sendTimer(ctx);
  persist(ctx);
  // A backlog is left only by a client that resends nothing; it needs a session before new audio comes.
  if (room.backlog.length > 0) openSession(ctx);
}

function closeForRate(ctx: StepContext): void {
  closeWithError(ctx, "rate_limited", "config comes too often.", { retryable: true });
}

function toSettings(config: RelayConfig): StreamSettings {
  const { codec = "pcm_s16le", sampleRate, diarization = true, audio, context = "" } = config;
  return {
    codec,
    sampleRate,
    diarization,
    binary: audio === "binary",
    context,
    resumes: config.resumeFrom !== undefined || config.version !== undefined,
  };
}

/** Continues the room's audio at `next`, and charges what the restored state has forgotten. */
function moveStream(
  ctx: StepContext,
  { resumes }: StreamSettings,
  { placement, next, forgottenMs }: ReturnType<typeof placeStream>,
): void {
  const { room } = ctx;
  const isSameAudio = room.placement !== null && isSameFormat(room.placement, placement);
  const keepsBacklog = !resumes && isSameAudio && room.backlog.length > 0;
  room.placement = placement;
  room.finalize = null;
  if (!keepsBacklog) {
    room.backlog = [];
    room.leadIn = [];
    room.ackedSeq = next - 1;
    room.deliveredMs = 0;
  }
  room.expectedSeq = next;
  room.transcribedSeq = -1;
  const wasOpen = room.usage.segments.at(-1)?.closed === false;
  if (wasOpen && forgottenMs > 0) charge(ctx, forgottenMs);
  room.highSeq = Math.max(room.highSeq, next - 1);
}

function acknowledgeConfig(
  ctx: StepContext,
  { binary }: StreamSettings,
  placement: Placement,
  next: number,
): void {
  const { take } = placement;
  const answer = { type: "config_acknowledged", audio: binary ? "binary" : "base64" } as const;
  if (take === null) send(ctx, { ...answer, nextSeq: next });
  else {
    const nextSeq = toSeq(placement, next);
    send(ctx, { ...answer, take, offsetMs: getOffsetMs(placement), nextSeq });
  }
}

/** End of the words that the client already has, ms on the lecture's clock; null if it does not say. */
function getHeldUntilMs(
  placement: Placement,
  { take, heldMs = 0, finalMs }: RelayConfig,
): number | null {
  if (take === undefined) return finalMs ?? null;
  return Math.max(0, getOffsetMs(placement) + heldMs);
}

/** True when all earlier audio was acknowledged and `next` follows it directly. */
function isContinuous(room: RoomState, placement: Placement, next: number): boolean {
  return (
    room.backlog.length === 0 &&
    room.finalize === null &&
    next === room.expectedSeq &&
    getStartMs(placement, next) === getStartMs(room.placement, next)
  );
}
