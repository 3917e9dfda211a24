import type { IncomingMessage, ServerResponse } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import type { StandIn } from "#local/stand-in.ts";
import { FailureSettings, failureControl } from "./failure-injection.ts";
import { Session, type SessionReport } from "./session.ts";

const prefix = "/soniox/";
const streamPath = `${prefix}transcribe-websocket`;
const controlPath = `${prefix}control`;
/** The service's limit is not documented. This is more than a minute of audio at 48 kHz. */
const maxFrameBytes = 8 * 1024 * 1024;
/** Sessions that `GET /soniox/control` lists. */
const maxReports = 200;

export interface SonioxOptions {
  /** Time without audio or keepalive before error 408, ms. */
  idleMs?: number;
}

/** Answer of `GET /soniox/control`. */
export interface SonioxReport {
  openedCount: number;
  open: number;
  /** The latest sessions, oldest first. */
  sessions: SessionReport[];
}

/**
 * A stand-in for Soniox's realtime speech recognition: a WebSocket at `/soniox/transcribe-websocket`, and
 * failure injection at `/soniox/control` (`POST`: `failureControl`; `GET`: `SonioxReport`).
 */
export function createSonioxStandIn({ idleMs = 20_000 }: SonioxOptions = {}): StandIn {
  const failures = new FailureSettings();
  const open = new Set<Session>();
  let reports: SessionReport[] = [];
  let openedCount = 0;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });

  const report = (): SonioxReport => ({ openedCount, open: open.size, sessions: reports });

  const control = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") return sendJson(response, 200, report());
    if (request.method !== "POST") return sendJson(response, 405, { error: "use GET or POST" });
    const parsed = failureControl.safeParse(await readJson(request).catch(() => null));
    if (!parsed.success) return sendJson(response, 400, { error: parsed.error.issues });
    const { data } = parsed;
    failures.apply(data);
    if (data.reset) {
      reports = reports.filter((one) => one.open);
      openedCount = reports.length;
    }
    for (const session of [...open]) {
      if (data.errorNow !== undefined) session.fail(data.errorNow);
      else if (data.closeNow !== undefined) session.close(data.closeNow);
    }
    return sendJson(response, 200, report());
  };

  return {
    prefix,
    handle(request, response) {
      if (getPath(request) === controlPath) return control(request, response);
      return sendJson(response, 404, { error: "no such path" });
    },
    upgrade(request, socket, head) {
      if (getPath(request) !== streamPath) {
        socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
        return;
      }
      server.handleUpgrade(request, socket, head, (client) => {
        const session = new Session(client, {
          failures,
          bearer: parseBearer(request),
          idleMs,
        });
        openedCount++;
        open.add(session);
        reports = [...reports, session.report].slice(-maxReports);
        client.on("close", () => open.delete(session));
        if (!session.report.open) open.delete(session);
      });
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const getPath = (request: IncomingMessage) => (request.url ?? "").split("?")[0];

/** The bearer key (may be empty), or null if the header is missing or has another scheme. */
function parseBearer(request: IncomingMessage): string | null {
  return /^Bearer\s*(.*)$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
