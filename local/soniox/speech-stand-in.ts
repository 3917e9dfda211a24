import type { IncomingMessage, ServerResponse } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { z } from "zod";
import { sendJson } from "#local/json-body.ts";
import type { StandIn } from "#local/stand-in.ts";

/** What the stand-ins of speech services have in common: sockets, reports and failure injection. */

/** The services' limit is not documented. This is more than a minute of audio at 48 kHz. */
const maxFrameBytes = 8 * 1024 * 1024;
/** Sessions that `GET <prefix>control` lists. */
const maxReports = 200;

/** One stream of a service: its report, its time limit and its end. */
export abstract class SpeechSession<Report extends { open: boolean } = { open: boolean }> {
  /** After the client's end of the stream: what it sends is ignored. */
  protected isEnding = false;
  readonly #idleTimer: NodeJS.Timeout;

  constructor(
    protected readonly socket: WebSocket,
    readonly report: Report,
    idleMs: number,
  ) {
    this.#idleTimer = setTimeout(() => this.onIdle(), idleMs);
    socket.on("message", (data, isBinary) => {
      if (!report.open || this.isEnding) return;
      this.#idleTimer.refresh();
      this.receive(toBuffer(data), isBinary);
    });
    socket.on("close", () => this.#release());
    socket.on("error", () => socket.terminate());
  }

  protected abstract receive(bytes: Buffer, isBinary: boolean): void;

  /** Called after the time without audio or text that the service allows. */
  protected abstract onIdle(): void;

  /** Closes the session with a WebSocket close code; 1006 drops the connection. */
  close(code: number, reason = ""): void {
    this.#release();
    if (code === 1006) this.socket.terminate();
    else this.socket.close(code, reason);
  }

  #release(): void {
    this.report.open = false;
    clearTimeout(this.#idleTimer);
  }
}

/** Answer of `GET <prefix>control`. */
export interface SpeechReport<Report> {
  openedCount: number;
  open: number;
  /** The latest sessions, oldest first. */
  sessions: Report[];
}

interface Refusal {
  status: number;
  body: object;
}

interface SpeechService<Control, Session> {
  prefix: string;
  /** Path of the WebSocket below `prefix`. */
  streamPath: string;
  /** Body of `POST <prefix>control`. */
  failureControl: z.ZodType<Control>;
  /** Applies `control` to new sessions, and to those that are `open`. */
  apply(control: Control, open: readonly Session[]): void;
  /** Refuses an upgrade, or returns what creates its session. */
  accept(
    request: IncomingMessage,
    url: URL,
  ): Refusal | ((socket: WebSocket) => Session) | Promise<(socket: WebSocket) => Session>;
}

export function createSpeechStandIn<
  Control extends { reset?: true | undefined },
  Session extends SpeechSession,
>(service: SpeechService<Control, Session>): StandIn {
  const { prefix } = service;
  const open = new Set<Session>();
  let reports: Session["report"][] = [];
  let openedCount = 0;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });

  async function control(request: IncomingMessage, response: ServerResponse) {
    if (request.method === "POST") {
      const parsed = service.failureControl.safeParse(await readJson(request).catch(() => null));
      if (!parsed.success) return sendJson(response, 400, { error: parsed.error.issues });
      if (parsed.data.reset) {
        reports = reports.filter((one) => one.open);
        openedCount = reports.length;
      }
      service.apply(parsed.data, [...open]);
    } else if (request.method !== "GET")
      return sendJson(response, 405, { error: "use GET or POST" });
    const report: SpeechReport<Session["report"]> = {
      openedCount,
      open: open.size,
      sessions: reports,
    };
    return sendJson(response, 200, report);
  }

  return {
    prefixes: [prefix],
    handle(request, response) {
      if (parseUrl(request).pathname === `${prefix}control`) return control(request, response);
      return sendJson(response, 404, { error: "no such path" });
    },
    async upgrade(request, socket, head) {
      const url = parseUrl(request);
      const accepted =
        url.pathname === prefix + service.streamPath
          ? await service.accept(request, url)
          : { status: 404, body: { error: "no such path" } };
      if (typeof accepted !== "function") {
        const body = JSON.stringify(accepted.body);
        socket.end(
          `HTTP/1.1 ${accepted.status} Refused\r\ncontent-type: application/json\r\n` +
            `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
        );
        return;
      }
      server.handleUpgrade(request, socket, head, (client) => {
        const session = accepted(client);
        openedCount += 1;
        reports = [...reports, session.report].slice(-maxReports);
        if (session.report.open) open.add(session);
        client.on("close", () => open.delete(session));
      });
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const parseUrl = (request: IncomingMessage) => new URL(request.url ?? "", "http://stand-in");

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
