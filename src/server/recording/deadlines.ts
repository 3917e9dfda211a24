import {
  answerTimeoutMs,
  changeLatestMs,
  idleAfterMs,
  openTimeoutMs,
  providerKeepaliveMs,
} from "./provider-session.ts";
import type { RoomState } from "./state.ts";
import { flushTimeoutMs } from "./usage.ts";

/** A browser sends a keepalive every 15 s: after three of them it is taken for gone. */
const browserSilenceMs = 45_000;

export const deadlineNames = [
  "browserSilence",
  "grantExpiry",
  "abandon",
  "flush",
  "flushTimeout",
  "finalize",
  "providerOpen",
  "providerAnswer",
  "providerChange",
  "providerIdle",
  "providerKeepalive",
  "providerRetry",
] as const;
export type DeadlineName = (typeof deadlineNames)[number];

/** When `name` is due, ms since the epoch; null when nothing waits for it. One alarm serves them all. */
export function deadlineOf(room: RoomState, name: DeadlineName): number | null {
  const { browser, provider, usage } = room;
  switch (name) {
    case "browserSilence":
      return browser && browser.lastSeenAt + browserSilenceMs;
    case "grantExpiry":
      return browser?.expiresAt ?? null;
    case "abandon":
      return browser ? null : room.abandonAt;
    case "flush":
      return usage.inFlight ? null : usage.dueAt;
    case "flushTimeout":
      return usage.inFlight && usage.inFlight.since + flushTimeoutMs;
    case "finalize":
      return room.finalize?.dueAt ?? null;
    case "providerOpen":
      return provider.kind === "opening" ? provider.since + openTimeoutMs : null;
    case "providerAnswer":
      if (provider.kind !== "open" || provider.unansweredSince === null) return null;
      return provider.unansweredSince + answerTimeoutMs;
    case "providerChange":
      return provider.kind === "open" ? provider.openedAt + changeLatestMs : null;
    case "providerIdle":
      if (provider.kind !== "open" || room.finalize) return null;
      return Math.max(room.lastAudioAt, provider.openedAt) + idleAfterMs;
    case "providerKeepalive":
      return provider.kind === "open" ? provider.lastSentAt + providerKeepaliveMs : null;
    case "providerRetry":
      return provider.kind === "waiting" ? provider.until : null;
    default:
      return name satisfies never;
  }
}

/** The earliest deadline, or null when the room waits for nothing. */
export function nextDeadline(room: RoomState): number | null {
  let earliest: number | null = null;
  for (const name of deadlineNames) {
    const at = deadlineOf(room, name);
    if (at !== null && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
}
