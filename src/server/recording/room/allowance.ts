import { noLimitMs } from "#server/subscriptions/queries.ts";
import { allowanceLowMs } from "#shared/limits.ts";
import { type RoomState, type StepContext, send } from "./state.ts";

/** Recorded time of the current period, including what is not in the ledger yet. */
function getUsedMs({ usage }: RoomState): number {
  return usage.segments.reduce(
    (sum, one) =>
      one.period === usage.period ? sum + one.recordedMs - (one.flushed?.recordedMs ?? 0) : sum,
    usage.usedMs,
  );
}

/** Time that may still be recorded, ms; negative if several devices together exceeded the limit. */
export function getRemainingMs(room: RoomState): number {
  return room.usage.limitMs - getUsedMs(room);
}

export function isAllowanceExhausted(room: RoomState): boolean {
  return getRemainingMs(room) <= 0;
}

/** Sends the used time, and a warning once when little time is left. */
export function sendTimer(ctx: StepContext): void {
  const { room } = ctx;
  const { limitMs } = room.usage;
  // At first the limit is not known.
  if (!room.client?.settings || limitMs >= noLimitMs) return;
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

/** Sends the warning without waiting for the next flush. */
export function sendTimerIfLow(ctx: StepContext): void {
  const { room } = ctx;
  if (!room.usage.hasSentLowNotice && getRemainingMs(room) <= allowanceLowMs) sendTimer(ctx);
}
