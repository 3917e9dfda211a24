import type { RelayToken, RelayTranslation } from "#shared/relay.ts";
import { type RoomState, type StepContext, send } from "./state.ts";
import { getEndMs } from "./take-placement.ts";
import { quietMs } from "./unanswered-sound.ts";

/** What the client is told of how far its sound is recognised. */

/** Interval of progress messages while nothing comes that the client could be told. */
const repeatAfterMs = quietMs;

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
