import { allowanceLowMs } from "#shared/limits.ts";
import { type RoomState, send, type Work } from "./state.ts";

/** Recorded in the current period, what the ledger does not hold yet included. */
function usedMs({ usage }: RoomState): number {
  return usage.segments.reduce(
    (sum, one) =>
      one.period === usage.period ? sum + one.recordedMs - (one.flushed?.recordedMs ?? 0) : sum,
    usage.usedMs,
  );
}

/** What may still be recorded, ms; negative where devices together went beyond the limit. */
export function leftMs(room: RoomState): number {
  return room.usage.limitMs - usedMs(room);
}

export function isExhausted(room: RoomState): boolean {
  return leftMs(room) <= 0;
}

/** Says what is used, and once that little is left. */
export function tellTimer(work: Work): void {
  const { room } = work;
  const { limitMs } = room.usage;
  if (!room.browser?.settings || !Number.isFinite(limitMs)) return;
  send(work, {
    type: "timer",
    usedSeconds: Math.floor(usedMs(room) / 1_000),
    limitSeconds: Math.floor(limitMs / 1_000),
  });
  const left = leftMs(room);
  const isLow = left <= allowanceLowMs && left > 0;
  if (isLow && !room.usage.lowTold)
    send(work, { type: "allowance_low", remainingSeconds: Math.ceil(left / 1_000) });
  room.usage = { ...room.usage, lowTold: left <= allowanceLowMs };
}

/** Tells the user on time, and not only with the next flush. */
export function tellWhenLow(work: Work): void {
  const { room } = work;
  if (!room.usage.lowTold && leftMs(room) <= allowanceLowMs) tellTimer(work);
}
