import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What a line does to the bytes of both directions. A setting that is absent changes nothing. */
export interface LineState {
  /** New connections are closed, and open ones are. */
  isCut?: boolean;
  /** Nothing arrives until this ends; then everything does. */
  isHeld?: boolean;
  /** Each segment arrives so much later, ms. */
  delayMs?: number;
  /** Bytes a second, of all connections together. */
  rate?: number;
  /** Each nth segment is lost, and arrives when it is sent again; what follows waits for it, as in TCP. */
  lostEach?: number;
}

/** Of Ethernet with IPv4 and time stamps, bytes. */
const segmentBytes = 1_448;
/** When a lost segment is sent again: the least that Linux waits, and the round trip, ms. */
const resendMs = 300;

interface Connection {
  client: Socket;
  server: Socket;
  kind: string;
  /** It carries nothing any more, and neither end is told. */
  isDead: boolean;
}

/**
 * A line to a server on this machine, as a TCP proxy on 127.0.0.1. Connections are sorted by `findKind`, from the
 * first bytes that the client sends; each kind has a state of its own.
 */
export class Line {
  readonly #connections = new Set<Connection>();
  readonly #states = new Map<string, LineState>();
  readonly #freeAt = new Map<string, number>();
  readonly #server = createServer((client) => void this.#accept(client));
  #segments = 0;
  #changed = Promise.withResolvers<void>();

  private constructor(
    /** Port of the server; later connections use a new one. */
    public target: number,
    private readonly findKind: (request: string) => string,
  ) {}

  static async open(target: number, findKind = (_request: string) => "all"): Promise<Line> {
    const line = new Line(target, findKind);
    line.#server.listen(0, "127.0.0.1");
    await once(line.#server, "listening");
    return line;
  }

  /** `http://127.0.0.1:PORT` */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Sets the state of connections of `kind`, now and later. */
  set(state: LineState, kind = "all"): void {
    this.#states.set(kind, state);
    if (state.isCut) for (const one of this.#find(kind)) this.#close(one);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Connections that are open now carry nothing any more, and neither end is told. New ones are not concerned. */
  kill(kind = "all"): void {
    for (const one of this.#find(kind)) one.isDead = true;
  }

  /** Ends all failures of new connections, and of open ones that are not dead. */
  repair(): void {
    for (const kind of this.#states.keys()) this.set({}, kind);
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const one of this.#connections) this.#close(one);
    await once(this.#server, "close");
  }

  #find = (kind: string) => [...this.#connections].filter((one) => one.kind === kind);

  #close(connection: Connection): void {
    connection.client.destroy();
    connection.server.destroy();
    this.#connections.delete(connection);
  }

  async #accept(client: Socket): Promise<void> {
    client.on("error", () => client.destroy());
    client.setNoDelay(true);
    const first = await new Promise<Buffer | null>((resolve) => {
      client.once("data", (data) => {
        client.pause();
        resolve(data);
      });
      client.once("close", () => resolve(null));
    });
    if (first === null) return;
    const kind = this.findKind(first.toString("latin1", 0, 200));
    if (this.#states.get(kind)?.isCut) return void client.destroy();
    const server = connect({ port: this.target, host: "127.0.0.1", noDelay: true });
    const connection = { client, server, kind, isDead: false };
    this.#connections.add(connection);
    server.on("error", () => this.#close(connection));
    client.on("error", () => this.#close(connection));
    client.unshift(first);
    this.#carry(connection, client, server);
    this.#carry(connection, server, client);
  }

  /** Carries bytes in one direction, in order, and then the end. */
  #carry(connection: Connection, from: Socket, to: Socket): void {
    let carried = Promise.resolve();
    const then = (step: () => Promise<void> | void) => {
      carried = carried.then(() => (connection.isDead ? undefined : step()));
    };
    from.on("data", (data: Buffer) => {
      const sentAt = performance.now();
      for (let at = 0; at < data.length; at += segmentBytes)
        then(() => this.#send(connection, to, data.subarray(at, at + segmentBytes), sentAt));
    });
    from.on("end", () => then(() => void to.end()));
    from.on("close", () => then(() => this.#close(connection)));
    from.resume();
  }

  async #send({ kind }: Connection, to: Socket, data: Buffer, sentAt: number): Promise<void> {
    const getState = () => this.#states.get(kind) ?? {};
    while (getState().isHeld) await this.#changed.promise;
    const { delayMs = 0, rate, lostEach } = getState();
    this.#segments += 1;
    const isLost = lostEach !== undefined && this.#segments % lostEach === 0;
    let at = sentAt + delayMs;
    if (rate !== undefined) {
      const now = performance.now();
      const freeAt = Math.max(now, this.#freeAt.get(kind) ?? 0) + (data.length * 1_000) / rate;
      this.#freeAt.set(kind, freeAt);
      at = Math.max(at, freeAt);
    }
    if (isLost) at = Math.max(at, performance.now()) + resendMs;
    const waitMs = at - performance.now();
    // A line that is repaired sends at once what has waited.
    if (waitMs > 0)
      await Promise.race([sleep(waitMs, undefined, { ref: false }), this.#changed.promise]);
    if (!to.destroyed) to.write(data);
  }
}
