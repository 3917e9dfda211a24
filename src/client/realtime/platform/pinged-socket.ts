import { type Clock, every } from "#client/lib/clock.ts";
import type { Socket, SocketHandlers } from "./ports.ts";

const pingIntervalMs = 30_000;
const pongTimeoutMs = 10_000;

export interface PingedSocketPorts {
  clock: Clock;
  connect(path: string, handlers: SocketHandlers): Socket;
}

interface PingedSocketEvents {
  onOpen(): void;
  onMessage(data: unknown): void;
  /** Called once, and not after the caller has closed the socket. `lastedMs`: how long it was open. */
  onClose(code: number, lastedMs: number): void;
}

export interface PingedSocket {
  send(text: string): void;
  /** Sends a ping now. A page that was asleep may have missed that the connection ended. */
  check(): void;
  close(): void;
}

/** A socket that is closed when a ping gets no answer: a lost network may raise no event. */
export function openPingedSocket(
  { clock, connect }: PingedSocketPorts,
  path: string,
  ping: string,
  events: PingedSocketEvents,
): PingedSocket {
  let openedAt: number | null = null;
  let ended = false;
  let stopPings = () => {};
  /** Null while no answer is due. */
  let cancelDeadline: (() => void) | null = null;

  const socket = connect(path, {
    open() {
      if (ended) return;
      openedAt = clock.now();
      stopPings = every(clock, pingIntervalMs, sendPing);
      events.onOpen();
    },
    message(data) {
      if (ended) return;
      cancelDeadline?.();
      cancelDeadline = null;
      events.onMessage(data);
    },
    close: (code) => end(code),
  });

  function sendPing(): void {
    socket.send(ping);
    cancelDeadline ??= clock.after(pongTimeoutMs, () => {
      socket.close(1000, "");
      end(1006);
    });
  }

  function stop(): void {
    ended = true;
    stopPings();
    cancelDeadline?.();
  }

  function end(code: number): void {
    if (ended) return;
    stop();
    events.onClose(code, openedAt === null ? 0 : clock.now() - openedAt);
  }

  return {
    send: (text) => socket.send(text),
    check() {
      if (!ended && openedAt !== null) sendPing();
    },
    close() {
      if (ended) return;
      stop();
      socket.close(1000, "");
    },
  };
}
