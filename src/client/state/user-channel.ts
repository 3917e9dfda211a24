import * as z from "zod/mini";
import { browserClock, onWake } from "#client/lib/clock.ts";
import {
  ReconnectingSocket,
  type ReconnectingSocketPorts,
} from "#client/realtime/platform/reconnecting-socket.ts";
import { browserTransport } from "#client/realtime/platform/websocket-transport.ts";
import type { Backoff } from "#shared/limits.ts";
import { type UserChannelMessage, userChannelPing } from "#shared/site.ts";

/**
 * The user channel: tells an open page that plan, usage or profile changed on another device or in another tab.
 * subscription-watch.ts decides what follows.
 */

const channelPath = "/api/live";
/** WebSocket close code that the server uses when the session is over. */
const policyViolation = 1008;
/** Leaves another tab time to report its sign-out, after which no check is needed. */
const checkAfterPolicyCloseMs = 2_000;

/** Up to half of a pause early, so that the tabs do not reconnect all at once after a server restart. */
export const userChannelRetries: Backoff = { firstMs: 1_000, maxMs: 60_000, spread: [1, 0.5] };

const channelMessage: z.ZodMiniType<UserChannelMessage> = z.object({
  type: z.literal("profile_changed"),
});

interface UserChannelPorts extends ReconnectingSocketPorts {
  onWake(listener: () => void): () => void;
}

export interface UserChannelEvents {
  /** Changes are reported from now on; earlier ones may have been missed. */
  onOpen(): void;
  onChange(): void;
  onDisconnect(): void;
}

export const openUserChannel = (events: UserChannelEvents): (() => void) =>
  followUserChannel(
    { clock: browserClock, connect: browserTransport.connect, random: Math.random, onWake },
    events,
  );

export function followUserChannel(ports: UserChannelPorts, events: UserChannelEvents): () => void {
  let cancelCheck = () => {};
  const socket = new ReconnectingSocket(ports, {
    ping: userChannelPing,
    retries: userChannelRetries,
    getPath: () => channelPath,
    onOpen: events.onOpen,
    onMessage(data) {
      if (isChange(data)) events.onChange();
    },
    onLost(code) {
      events.onDisconnect();
      if (code !== policyViolation) return 0;
      // The check finds out whether the session is over; if it is, the owner closes the channel.
      cancelCheck = ports.clock.after(checkAfterPolicyCloseMs, events.onChange);
      return checkAfterPolicyCloseMs;
    },
  });
  const stopWatchingWake = ports.onWake(() => socket.wake());
  return () => {
    stopWatchingWake();
    cancelCheck();
    socket.close();
  };
}

/** Ignores messages of types that this version does not know. */
function isChange(data: unknown): boolean {
  if (typeof data !== "string") return false;
  try {
    return channelMessage.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
