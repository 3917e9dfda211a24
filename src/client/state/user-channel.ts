import * as z from "zod/mini";
import { browserClock, onWake } from "#client/lib/clock.ts";
import {
  ReconnectingSocket,
  type ReconnectingSocketPorts,
} from "#client/lib/reconnecting-socket.ts";
import { connectSocket } from "#client/lib/socket.ts";
import type { Backoff } from "#shared/limits.ts";
import { type LectureNews, type UserChannelMessage, userChannelPing } from "#shared/site.ts";

/**
 * The user channel: tells an open page that plan, usage, profile or a lecture changed on another device or in another tab.
 * subscription-watch.ts and lecture-news.ts decide what follows.
 */

const channelPath = "/api/live";
/** WebSocket close code that the server uses when the session is over. */
const policyViolation = 1008;
/** Leaves another tab time to report its sign-out, after which no check is needed. */
const checkAfterPolicyCloseMs = 2_000;

/** Up to half of a pause early, so that the tabs do not reconnect all at once after a server restart. */
export const userChannelRetries: Backoff = { firstMs: 1_000, maxMs: 60_000, spread: [1, 0.5] };

const channelMessage: z.ZodMiniType<UserChannelMessage> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("profile_changed") }),
  z.object({
    type: z.literal("lecture_changed"),
    lectureId: z.string(),
    pageId: z.nullable(z.string()),
    hasEnded: z.exactOptional(z.boolean()),
  }),
]);

interface UserChannelPorts extends ReconnectingSocketPorts {
  onWake(listener: () => void): () => void;
}

export interface UserChannelEvents {
  /** Changes are reported from now on; earlier ones may have been missed. */
  onOpen(): void;
  onChange(): void;
  onDisconnect(): void;
}

/** What the channel says of lectures. */
export interface LectureEvents {
  /** As `onOpen`. */
  onOpen(): void;
  onLectureChange(news: LectureNews): void;
}

export const openUserChannel = (events: UserChannelEvents): (() => void) =>
  followUserChannel(
    { clock: browserClock, connect: connectSocket, random: Math.random, onWake },
    events,
    {
      onOpen: () => withLectures((lectures) => lectures.catchUpWithLectures()),
      onLectureChange: (news) => withLectures((lectures) => lectures.followLectureNews(news)),
    },
  );

function withLectures(run: (lectures: typeof import("./lecture-news.ts")) => void): void {
  import("./lecture-news.ts").then(run, (failure: unknown) =>
    console.warn("News of a lecture could not be read", failure),
  );
}

export function followUserChannel(
  ports: UserChannelPorts,
  events: UserChannelEvents,
  lectures: LectureEvents,
): () => void {
  let cancelCheck = () => {};
  const socket = new ReconnectingSocket(ports, {
    ping: userChannelPing,
    retries: userChannelRetries,
    getPath: () => channelPath,
    onOpen() {
      events.onOpen();
      lectures.onOpen();
    },
    onMessage(data) {
      const message = readMessage(data);
      if (message?.type === "profile_changed") events.onChange();
      if (message?.type === "lecture_changed") lectures.onLectureChange(message);
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

/** Null for a message of a type that this version does not know. */
function readMessage(data: unknown): UserChannelMessage | null {
  if (typeof data !== "string") return null;
  try {
    return channelMessage.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
