import * as z from "zod/mini";
import type { Clock, Socket, SocketHandlers } from "#client/realtime/platform/ports.ts";
import { type Backoff, backoffMs } from "#shared/backoff.ts";
import { type LiveMessage, livePing } from "#shared/live.ts";

const livePath = "/api/live";
/** Close code of a session that is over. */
const policyViolation = 1008;
/** A tab in which somebody signed out tells the others so first, and then there is nothing to ask. */
const askAfterRefusalMs = 2_000;

/** Up to half of a pause early, so that the tabs of a restarted server do not return at once. */
export const liveRetries: Backoff = { firstMs: 1_000, maxMs: 60_000, spread: [1, 0.5] };
/** A connection that lasted this long had nothing wrong with it. */
const steadyMs = 10_000;
const pingEveryMs = 30_000;
const pongWithinMs = 10_000;

const change: z.ZodMiniType<LiveMessage> = z.object({ type: z.literal("profile_changed") });

interface LivePorts {
  clock: Clock;
  connect(path: string, handlers: SocketHandlers): Socket;
  random(): number;
  onWake(listener: () => void): () => void;
}

export interface LiveEvents {
  /** What changes from now on is told; what changed before perhaps was not. */
  opened(): void;
  changed(): void;
  lost(): void;
}

export function followLive(ports: LivePorts, events: LiveEvents): () => void {
  const { clock } = ports;
  let failures = 0;
  let cancelRetry: (() => void) | null = null;
  let hangUp: () => void = () => {};

  function connect(): void {
    cancelRetry = null;
    hangUp = openOnce(ports, {
      ...events,
      closed(code, lastedMs) {
        if (lastedMs >= steadyMs) failures = 0;
        if (code === policyViolation) cancelRetry = clock.after(askAfterRefusalMs, askFirst);
        else retryLater();
        events.lost();
      },
    });
  }

  /** Whoever asks now learns whether they are signed out; then the channel is not wanted any more. */
  function askFirst(): void {
    retryLater();
    events.changed();
  }

  function retryLater(): void {
    cancelRetry = clock.after(backoffMs(liveRetries, failures, ports.random()), connect);
    failures += 1;
  }

  const leaveWake = ports.onWake(() => {
    if (!cancelRetry) return;
    cancelRetry();
    connect();
  });
  connect();

  return () => {
    leaveWake();
    cancelRetry?.();
    hangUp();
  };
}

interface ConnectionEvents extends Pick<LiveEvents, "opened" | "changed"> {
  /** Called once, and not after hanging up. `lastedMs`: how long it was open. */
  closed(code: number, lastedMs: number): void;
}

/** One connection. One that answers no ping is closed: a network can go without a word. */
function openOnce({ clock, connect }: LivePorts, events: ConnectionEvents): () => void {
  let openedAt: number | null = null;
  let ended = false;
  let cancelTimer: (() => void) | null = null;

  const socket = connect(livePath, {
    open() {
      if (ended) return;
      openedAt = clock.now();
      listen();
      events.opened();
    },
    message(data) {
      if (ended) return;
      listen();
      if (isChange(data)) events.changed();
    },
    close: (code) => end(code),
  });

  function listen(): void {
    cancelTimer?.();
    cancelTimer = clock.after(pingEveryMs, () => {
      socket.send(livePing);
      cancelTimer = clock.after(pongWithinMs, () => {
        socket.close(1000, "");
        end(1006);
      });
    });
  }

  function end(code: number): void {
    if (ended) return;
    ended = true;
    cancelTimer?.();
    events.closed(code, openedAt === null ? 0 : clock.now() - openedAt);
  }

  return () => {
    if (ended) return;
    ended = true;
    cancelTimer?.();
    socket.close(1000, "");
  };
}

/** What another version of the server may say besides is not for this page. */
function isChange(data: unknown): boolean {
  if (typeof data !== "string") return false;
  try {
    return change.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
}
