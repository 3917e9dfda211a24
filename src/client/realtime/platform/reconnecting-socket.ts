import { type Clock, every } from "#client/lib/clock.ts";
import { RetryTimer } from "#client/lib/retry-timer.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";
import type { Socket, SocketHandlers } from "./ports.ts";

const pingIntervalMs = 30_000;
const pongTimeoutMs = 10_000;
/** A connection that lasted this long resets the backoff. */
const stableAfterMs = 10_000;

export interface ReconnectingSocketPorts {
  clock: Clock;
  random(): number;
  connect(path: string, handlers: SocketHandlers): Socket;
}

interface Options {
  ping: string;
  retries: Backoff;
  /** Path and query of the next connection. */
  getPath(): string;
  onOpen(): void;
  onMessage(data: unknown): void;
  /** The connection is lost. Returns how much later than usual the next one is opened, ms; null: none is. */
  onLost(code: number): number | null;
}

/** A socket that connects again after growing delays when it is lost, or when a ping gets no answer. */
export class ReconnectingSocket {
  #socket: PingedSocket | null = null;
  readonly #retry: RetryTimer;

  constructor(
    private readonly ports: ReconnectingSocketPorts,
    private readonly options: Options,
  ) {
    const getDelayMs = (failures: number) =>
      getBackoffMs(options.retries, failures, ports.random());
    this.#retry = new RetryTimer(ports.clock, getDelayMs, () => this.connect());
    this.connect();
  }

  /** It is connected or being connected. */
  get isActive(): boolean {
    return this.#socket !== null;
  }

  /** Connects now, in place of the current connection. */
  connect(): void {
    this.close();
    const { ping, getPath, onOpen, onMessage } = this.options;
    const events = { onOpen, onMessage, onClose: this.#onClose };
    this.#socket = openPingedSocket(this.ports, getPath(), ping, events);
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  /** The network or the person is back: a page that was asleep may have missed that the connection ended. */
  wake(): void {
    if (!this.#retry.runNow()) this.#socket?.check();
  }

  /** Gives the connection up, and opens another one later. */
  lose(): void {
    this.#socket?.lose();
  }

  close(): void {
    this.#retry.cancel();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  readonly #onClose = (code: number, lastedMs: number) => {
    this.#socket = null;
    if (lastedMs >= stableAfterMs) this.#retry.reset();
    const extraMs = this.options.onLost(code);
    if (extraMs !== null) this.#retry.schedule((delayMs) => delayMs + extraMs);
  };
}

interface PingedSocketEvents {
  onOpen(): void;
  onMessage(data: unknown): void;
  /** Called once, and not after the caller has closed the socket. `lastedMs`: how long it was open. */
  onClose(code: number, lastedMs: number): void;
}

interface PingedSocket {
  send(text: string): void;
  /** Sends a ping now. */
  check(): void;
  /** Closes it as if the network had. */
  lose(): void;
  close(): void;
}

/** A socket that is closed when a ping gets no answer: a lost network may raise no event. */
function openPingedSocket(
  { clock, connect }: ReconnectingSocketPorts,
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
    cancelDeadline ??= clock.after(pongTimeoutMs, lose);
  }

  function lose(): void {
    socket.close(1000, "");
    end(1006);
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
    lose,
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
