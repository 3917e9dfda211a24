import { allowanceLowMs } from "#shared/limits.ts";
import { type RoomState, type StepContext, send } from "./state.ts";

/** Recorded in the current period, what the ledger does not hold yet included. */
function getUsedMs({ usage }: RoomState): number {
  return usage.segments.reduce(
    (sum, one) =>
      one.period === usage.period ? sum + one.recordedMs - (one.flushed?.recordedMs ?? 0) : sum,
    usage.usedMs,
  );
}

/** What may still be recorded, ms; negative where devices together went beyond the limit. */
export function getRemainingMs(room: RoomState): number {
  return room.usage.limitMs - getUsedMs(room);
}

export function isAllowanceExhausted(room: RoomState): boolean {
  return getRemainingMs(room) <= 0;
}

/** Says what is used, and once that little is left. */
export function sendTimer(ctx: StepContext): void {
  const { room } = ctx;
  const { limitMs } = room.usage;
  if (!room.client?.settings || !Number.isFinite(limitMs)) return;
  send(ctx, {
    type: "timer",
    usedSeconds: Math.floor(getUsedMs(room) / 1_000),
    limitSeconds: Math.floor(limitMs / 1_000),
  });
  const left = getRemainingMs(room);
  const isLow = left <= allowanceLowMs && left > 0;
  if (isLow && !room.usage.hasSentLowNotice)
    send(ctx, { type: "allowance_low", remainingSeconds: Math.ceil(left / 1_000) });
  room.usage = { ...room.usage, hasSentLowNotice: left <= allowanceLowMs };
}

/** Tells the user on time, and not only with the next flush. */
export function sendTimerIfLow(ctx: StepContext): void {
  const { room } = ctx;
  if (!room.usage.hasSentLowNotice && getRemainingMs(room) <= allowanceLowMs) sendTimer(ctx);
}
