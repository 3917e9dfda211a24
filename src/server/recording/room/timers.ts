import { configTimeoutMs } from "./client-budget.ts";
import { finalizeTimeoutMs } from "./finalize.ts";
import { flushTimeoutMs } from "./metering.ts";
import {
  answerTimeoutMs,
  getIdleAt,
  openTimeoutMs,
  providerKeepaliveMs,
  replaceLatestMs,
} from "./provider-session.ts";
import type { RoomState } from "./state.ts";

/** A room that lost its memory waits longer: only its browser knows what had been accepted. */
const restoredSegmentWaitMs = 280_000;
/** A browser whose room waits for a session hears from it as often as this. */
const waitingProgressIntervalMs = 5_000;
/** A browser sends a keepalive every 15 s: after three of them it is taken for gone. */
const clientSilenceMs = 45_000;

export const deadlineNames = [
  "clientSilence",
  "configMissing",
  "grantExpiry",
  "segmentEnd",
  "flush",
  "flushTimeout",
  "finalize",
  "providerOpen",
  "providerAnswer",
  "providerChange",
  "providerIdle",
  "providerKeepalive",
  "providerRetry",
  "waitingProgress",
] as const;
export type DeadlineName = (typeof deadlineNames)[number];

/** When `name` is due, ms since the epoch; null when nothing waits for it. One alarm serves them all. */
export function getDeadline(room: RoomState, name: DeadlineName): number | null {
  const { client, provider, usage } = room;
  switch (name) {
    case "clientSilence":
      return client && client.lastSeenAt + clientSilenceMs;
    case "grantExpiry":
      return client?.expiresAt ?? null;
    case "configMissing":
      if (!client || client.settings) return null;
      return client.connectedAt + configTimeoutMs;
    // A recording that holds no stream is soon none that is going on.
    case "segmentEnd":
      if (provider.kind !== "none" || usage.segments.at(-1)?.closed !== false) return null;
      return room.paidUntil + (room.restored ? restoredSegmentWaitMs : 0);
    case "flush":
      return usage.inFlight ? null : usage.dueAt;
    case "flushTimeout":
      return usage.inFlight && usage.inFlight.since + flushTimeoutMs;
    case "finalize":
      if (!room.finalize) return null;
      if (provider.kind !== "waiting") return room.finalize.dueAt;
      return Math.max(room.finalize.dueAt, provider.until + finalizeTimeoutMs);
    case "providerOpen":
      return provider.kind === "opening" ? provider.since + openTimeoutMs : null;
    case "providerAnswer":
      if (provider.kind !== "open" || provider.unansweredSince === null) return null;
      return provider.unansweredSince + answerTimeoutMs;
    case "providerChange":
      return provider.kind === "open" ? provider.openedAt + replaceLatestMs : null;
    case "providerIdle":
      return room.finalize ? null : getIdleAt(room);
    case "providerKeepalive":
      return provider.kind === "open" ? provider.lastSentAt + providerKeepaliveMs : null;
    case "providerRetry":
      return provider.kind === "waiting" ? provider.until : null;
    case "waitingProgress":
      if (provider.kind !== "waiting" || room.backlog.length === 0) return null;
      return provider.notifiedAt + waitingProgressIntervalMs;
    default:
      return name satisfies never;
  }
}

/** The earliest deadline, or null when the room waits for nothing. */
export function getNextDeadline(room: RoomState): number | null {
  let earliest: number | null = null;
  for (const name of deadlineNames) {
    const at = getDeadline(room, name);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
}
