import { type Clock, every, Timer } from "#client/lib/clock.ts";
import { RetryTimer } from "#client/lib/retry-timer.ts";
import type { Socket, SocketHandlers } from "#client/lib/socket.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";

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

/**
 * A socket that connects again after growing delays when it is lost, or when a ping gets no answer: a lost network may
 * raise no event.
 */
export class ReconnectingSocket {
  #socket: Socket | null = null;
  /** Of the socket; what an earlier one reports is ignored. */
  #number = 0;
  /** When the socket opened, ms since the epoch; null before. */
  #openedAt: number | null = null;
  #stopPings = () => {};
  /** Runs while an answer is due. */
  readonly #deadline: Timer;
  readonly #retry: RetryTimer;

  constructor(
    private readonly ports: ReconnectingSocketPorts,
    private readonly options: Options,
  ) {
    const getDelayMs = (failures: number) =>
      getBackoffMs(options.retries, failures, ports.random());
    this.#retry = new RetryTimer(ports.clock, getDelayMs, () => this.connect());
    this.#deadline = new Timer(ports.clock);
    this.connect();
  }

  /** It is connected or being connected. */
  get isActive(): boolean {
    return this.#socket !== null;
  }

  /** Connects now, in place of the current connection. */
  connect(): void {
    this.close();
    const { clock, connect } = this.ports;
    const { getPath, onOpen, onMessage } = this.options;
    const number = this.#number;
    this.#socket = connect(getPath(), {
      open: () => {
        if (number !== this.#number) return;
        this.#openedAt = clock.now();
        this.#stopPings = every(clock, pingIntervalMs, () => this.#sendPing());
        onOpen();
      },
      message: (data) => {
        if (number !== this.#number) return;
        this.#deadline.cancel();
        onMessage(data);
      },
      close: (code) => {
        if (number === this.#number) this.#onLost(code);
      },
    });
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  /** The network or the person is back: a page that was asleep may have missed that the connection ended. */
  wake(): void {
    if (!this.#retry.runNow() && this.#openedAt !== null) this.#sendPing();
  }

  /** Gives the connection up, and opens another one later. */
  lose(): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#onLost(1006);
    socket.close(1000, "");
  }

  close(): void {
    this.#retry.cancel();
    const socket = this.#socket;
    this.#leave();
    socket?.close(1000, "");
  }

  #sendPing(): void {
    this.send(this.options.ping);
    if (!this.#deadline.isRunning) this.#deadline.start(pongTimeoutMs, () => this.lose());
  }

  #onLost(code: number): void {
    const lastedMs = this.#openedAt === null ? 0 : this.ports.clock.now() - this.#openedAt;
    this.#leave();
    if (lastedMs >= stableAfterMs) this.#retry.reset();
    const extraMs = this.options.onLost(code);
    if (extraMs !== null) this.#retry.schedule((delayMs) => delayMs + extraMs);
  }

  #leave(): void {
    this.#number += 1;
    this.#socket = null;
    this.#openedAt = null;
    this.#stopPings();
    this.#deadline.cancel();
  }
}
