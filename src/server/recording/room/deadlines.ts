import { relayClose } from "#shared/relay.ts";
import { closeWithError, detachClient, endForSignOut, requestReconnect } from "./client.ts";
import { configTimeoutMs } from "./client-budget.ts";
import {
  beginFinalize,
  endSilentSession,
  endTranslationWait,
  onFinalizeTimeout,
} from "./finalize.ts";
import { closeAndFlushSegment, flush, flushTimeoutMs, onFlushFailed } from "./metering.ts";
import { needsWrite } from "./metering-state.ts";
import { getNextRepeatAt, repeatProgress } from "./progress.ts";
import {
  getIdleAt,
  getNextSoundAt,
  keepAlive,
  onSessionLost,
  openSession,
  openTimeoutMs,
  providerKeepaliveMs,
  replaceLatestMs,
  sendBacklog,
} from "./provider-session.ts";
import { log, type RoomState, type StepContext } from "./state.ts";
import { getAnswerDueAt, getFinalizeLimitMs } from "./unanswered-sound.ts";

/** What the room does when time has passed. One alarm serves all deadlines. */

/** A restarted room waits longer for its client, which alone knows what was accepted. */
const restoredSegmentWaitMs = 280_000;
/** A client sends a keepalive every 15 s; it is treated as disconnected after three missing ones. */
const clientSilenceMs = 45_000;

/**
 * A room deletes what it has stored this long after its last use, so within a day after its
 * lecture, its account or its guest has gone.
 */
const storageLifetimeMs = 20 * 3_600_000;

interface Deadline {
  /** When it is due, ms since the epoch; null if it is not set. */
  getAt(room: RoomState): number | null;
  meet(ctx: StepContext): void;
}

/** Those that are due at once are met in this order. */
const deadlines: readonly Deadline[] = Object.values({
  clientSilence: {
    getAt: ({ client }) => client && client.lastSeenAt + clientSilenceMs,
    meet(ctx) {
      detachClient(ctx, { code: relayClose.goingAway, reason: "Nothing was heard for 45 s." });
    },
  },
  configMissing: {
    getAt: ({ client }) =>
      client && client.settings === null ? client.connectedAt + configTimeoutMs : null,
    meet(ctx) {
      const { client, restored } = ctx.room;
      // The room lost the client's config, so the client must reconnect.
      if (client?.restored && restored) requestReconnect(ctx);
      else closeWithError(ctx, "validation_failed", "Send config first.", { retryable: true });
    },
  },
  grantExpiry: {
    getAt: ({ client }) => client?.expiresAt ?? null,
    meet: endForSignOut,
  },
  /** A recording without a stream soon counts as inactive. */
  segmentEnd: {
    getAt({ provider, usage, activeUntil, restored }) {
      if (provider.kind !== "none" || usage.segments.at(-1)?.closed !== false) return null;
      return activeUntil + (restored ? restoredSegmentWaitMs : 0);
    },
    meet: closeAndFlushSegment,
  },
  usageFlush: {
    getAt: ({ usage }) => (usage.inFlight ? null : usage.dueAt),
    meet: flush,
  },
  flushTimeout: {
    getAt: ({ usage }) => usage.inFlight && usage.inFlight.since + flushTimeoutMs,
    meet(ctx) {
      const { inFlight } = ctx.room.usage;
      if (inFlight) onFlushFailed(ctx, inFlight.id);
    },
  },
  finalizeTimeout: {
    getAt(room) {
      const { finalize, provider } = room;
      if (!finalize || (provider.kind === "open" && provider.isFinalizeHeld)) return null;
      if (finalize.translationsDueAt !== null) return null;
      if (provider.kind !== "waiting") return finalize.dueAt;
      return Math.max(finalize.dueAt, provider.until + getFinalizeLimitMs(room));
    },
    meet: onFinalizeTimeout,
  },
  translationWait: {
    getAt: ({ finalize }) => finalize?.translationsDueAt ?? null,
    meet: (ctx) => endTranslationWait(ctx, true),
  },
  providerOpen: {
    getAt: ({ provider }) => (provider.kind === "opening" ? provider.since + openTimeoutMs : null),
    meet: (ctx) => onSessionLost(ctx, 0),
  },
  providerAnswer: {
    getAt: getAnswerDueAt,
    meet(ctx) {
      const { provider, answersSilence } = ctx.room;
      if (provider.kind === "open" && !answersSilence) endSilentSession(ctx);
      else onSessionLost(ctx, 0);
    },
  },
  providerChange: {
    getAt: ({ provider }) =>
      provider.kind === "open" ? provider.openedAt + replaceLatestMs : null,
    meet: openSession,
  },
  providerIdle: {
    getAt: (room) => (room.finalize ? null : getIdleAt(room)),
    meet(ctx) {
      beginFinalize(ctx, { notifyClient: false, after: "closeSession" });
    },
  },
  providerSound: {
    getAt: getNextSoundAt,
    meet: sendBacklog,
  },
  providerKeepalive: {
    getAt: ({ provider }) =>
      provider.kind === "open" ? provider.lastSentAt + providerKeepaliveMs : null,
    meet: keepAlive,
  },
  providerRetry: {
    getAt: ({ provider }) => (provider.kind === "waiting" ? provider.until : null),
    meet: openSession,
  },
  repeatedProgress: {
    getAt: getNextRepeatAt,
    meet: repeatProgress,
  },
  storageExpiry: {
    getAt({ client, provider, storedAt, usage }) {
      if (client || provider.kind !== "none" || storedAt === null) return null;
      if (usage.inFlight || usage.segments.some(needsWrite)) return null;
      return storedAt + storageLifetimeMs;
    },
    meet(ctx) {
      ctx.room.storedAt = null;
      ctx.room.restored = false;
      ctx.effects.push({ type: "deleteStorage" });
      log(ctx, "room_deleted");
    },
  },
} satisfies Record<string, Deadline>);

export function meetDeadlines(ctx: StepContext): void {
  for (const { getAt, meet } of deadlines) {
    const at = getAt(ctx.room);
    if (at !== null && at <= ctx.now) meet(ctx);
  }
}

/** The earliest deadline, or null if none is set. */
export function getNextDeadline(room: RoomState): number | null {
  let next: number | null = null;
  for (const { getAt } of deadlines) {
    const at = getAt(room);
    if (at !== null && (next === null || at < next)) next = at;
  }
  return next;
}
