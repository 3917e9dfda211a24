import { configTimeoutMs } from "./client-budget.ts";
import { finalizeTimeoutMs } from "./finalize.ts";
import { flushTimeoutMs } from "./metering.ts";
import { needsWrite } from "./metering-state.ts";
import {
  answerTimeoutMs,
  getIdleAt,
  openTimeoutMs,
  providerKeepaliveMs,
  replaceLatestMs,
} from "./provider-session.ts";
import type { RoomState } from "./state.ts";

/** A restarted room waits longer for its client, which alone knows what was accepted. */
const restoredSegmentWaitMs = 280_000;
/** Interval of progress messages while the room waits for a session. */
const waitingProgressIntervalMs = 5_000;
/** A client sends a keepalive every 15 s; it is treated as disconnected after three missing ones. */
const clientSilenceMs = 45_000;

/** A room deletes what it has stored this long after its last use, so within a day after its lecture has gone. */
const storageLifetimeMs = 20 * 3_600_000;

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
  "storageExpiry",
] as const;
export type DeadlineName = (typeof deadlineNames)[number];

/** When `name` is due, ms since the epoch; null if it is not set. One alarm serves all deadlines. */
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
    // A recording without a stream soon counts as inactive.
    case "segmentEnd":
      if (provider.kind !== "none" || usage.segments.at(-1)?.closed !== false) return null;
      return room.activeUntil + (room.restored ? restoredSegmentWaitMs : 0);
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
    case "storageExpiry":
      if (client || provider.kind !== "none" || room.storedAt === null) return null;
      if (usage.inFlight || usage.segments.some(needsWrite)) return null;
      return room.storedAt + storageLifetimeMs;
    default:
      return name satisfies never;
  }
}

/** The earliest deadline, or null if none is set. */
export function getNextDeadline(room: RoomState): number | null {
  let next: number | null = null;
  for (const name of deadlineNames) {
    const at = getDeadline(room, name);
    if (at !== null && (next === null || at < next)) next = at;
  }
  return next;
}
