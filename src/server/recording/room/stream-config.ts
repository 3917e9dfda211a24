import { canRecognize } from "#shared/engine-languages.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { isAllowanceExhausted, sendTimer } from "./allowance.ts";
import { closeWithError } from "./client.ts";
import { takeToken } from "./client-budget.ts";
import { drainForAllowance } from "./finalize.ts";
import { charge } from "./metering.ts";
import { closeSession, skipDelivered } from "./provider-session.ts";
import { isBudgetSpent } from "./provider-session-budget.ts";
import { tellTerms } from "./speech-terms.ts";
import { persist, type RoomState, type StepContext, type StreamSettings, send } from "./state.ts";
import { toStreamTranslation } from "./stream-translation.ts";
import {
  getEndMs,
  getOffsetMs,
  getStartMs,
  type Placement,
  placeTake,
  type TakeConfig,
  toSeq,
} from "./take-placement.ts";

/** The client's `config`: the stream's settings, and where its audio continues. */

/**
 * Starts or restarts the stream at the first chunk that the client still holds. Languages that the speech service does
 * not hear, or does not tell apart, are refused.
 */
export function configureStream(ctx: StepContext, config: TakeConfig): void {
  const { room, now } = ctx;
  if (!room.client) return;
  const configs = takeToken(room.client.budget.configs, now);
  if (!configs) {
    closeForRate(ctx);
    return;
  }
  if (!canRecognize(room.recognizer, config.language, config.secondLanguage)) {
    const message = "The transcription service does not recognise this language.";
    closeWithError(ctx, "language_not_recognized", message);
    return;
  }
  const { topic = "", terms = [] } = config;
  const hints = { topic, terms };
  const client = { ...room.client, hints, budget: { ...room.client.budget, configs } };
  const settings = toSettings(room, config);
  const result = placeTake(room, config);
  const { placement, next } = result;
  // Both have the same key order, because only `toSettings` creates them.
  const isSame = JSON.stringify(client.settings) === JSON.stringify(settings);
  if (isSame && placement === room.placement && next > room.ackedSeq && next <= room.expectedSeq) {
    room.client = client;
    acknowledgeConfig(ctx, settings, placement, next);
    tellTerms(ctx);
    return;
  }
  const keepsSession = isSame && isContinuous(room, placement, next);
  if (!keepsSession && client.settings !== null && isBudgetSpent(room.sessionTimes, now)) {
    closeForRate(ctx);
    return;
  }
  room.client = { ...client, settings };
  moveStream(ctx, result);
  room.deliveredMs = Math.max(0, getOffsetMs(placement) + (config.heldMs ?? 0));
  const { deliveredMs } = room;
  const processedMs = Math.max(deliveredMs, getEndMs(placement, room.ackedSeq));
  room.progress = { finalMs: deliveredMs, processedMs };
  if (keepsSession) skipDelivered(ctx, deliveredMs);
  else closeSession(ctx);
  acknowledgeConfig(ctx, settings, placement, next);
  tellTerms(ctx);
  if (isAllowanceExhausted(room)) {
    drainForAllowance(ctx);
    return;
  }
  sendTimer(ctx);
  persist(ctx);
}

function closeForRate(ctx: StepContext): void {
  closeWithError(ctx, "rate_limited", "config comes too often.", { retryable: true });
}

function toSettings({ recognizer }: RoomState, config: TakeConfig): StreamSettings {
  const { codec = "pcm_s16le", sampleRate, diarization = true, audio, context = "" } = config;
  const languages = toLanguages(config);
  const translation = toStreamTranslation(recognizer, config);
  const binary = audio === "binary";
  return { codec, sampleRate, diarization, binary, languages, context, translation };
}

function toLanguages({ language, secondLanguage }: TakeConfig): SpokenLanguage[] {
  if (language === "detect") return [];
  return secondLanguage === undefined || secondLanguage === language
    ? [language]
    : [language, secondLanguage];
}

/** Continues the room's audio at `next`, and charges what the restored state has forgotten. */
function moveStream(
  ctx: StepContext,
  { placement, next, forgottenMs }: ReturnType<typeof placeTake>,
): void {
  const { room } = ctx;
  room.placement = placement;
  room.finalize = null;
  room.backlog = [];
  room.leadIn = [];
  room.ackedSeq = next - 1;
  room.expectedSeq = next;
  room.transcribedSeq = -1;
  const wasOpen = room.usage.segments.at(-1)?.closed === false;
  if (wasOpen && forgottenMs > 0) charge(ctx, forgottenMs);
  room.highSeq = Math.max(room.highSeq, next - 1);
}

function acknowledgeConfig(
  ctx: StepContext,
  { binary, translation }: StreamSettings,
  placement: Placement,
  next: number,
): void {
  send(ctx, {
    type: "config_acknowledged",
    audio: binary ? "binary" : "base64",
    take: placement.take,
    offsetMs: getOffsetMs(placement),
    nextSeq: toSeq(placement, next),
    acceptsTerms: true,
    ...(translation && !ctx.room.client?.isTranslationRefused && { translates: true }),
  });
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
