import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { isValidKey } from "#local/soniox/start-message.ts";
import type { StandIn } from "#local/stand-in.ts";
import {
  createRefusal,
  type FailureSettings,
  failureControl,
  noFailures,
  type RefusalStatus,
} from "./failure-injection.ts";
import { createReader, Session, type SessionReport, streamParameters } from "./session.ts";

const prefix = "/deepgram/";
const streamPath = `${prefix}v1/listen`;
const controlPath = `${prefix}control`;
const maxFrameBytes = 8 * 1024 * 1024;
/** Sessions that `GET /deepgram/control` lists. */
const maxReports = 200;

/** Answer of `GET /deepgram/control`. */
export interface DeepgramReport {
  openedCount: number;
  open: number;
  /** The latest sessions, oldest first. */
  sessions: SessionReport[];
}

/**
 * A stand-in for Deepgram's live transcription: a WebSocket at `/deepgram/v1/listen`, and failure
 * injection at `/deepgram/control` (`POST`: `failureControl`; `GET`: `DeepgramReport`). Hears what the
 * stand-in of Soniox hears.
 *
 * @param idleMs time without audio or text before a stream is closed; 10 s at the service.
 */
export function createDeepgramStandIn({ idleMs = 10_000 } = {}): StandIn {
  const failures: FailureSettings = { ...noFailures };
  const open = new Set<Session>();
  let reports: SessionReport[] = [];
  let openedCount = 0;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });

  const control = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "POST") {
      const parsed = failureControl.safeParse(await readJson(request).catch(() => null));
      if (!parsed.success) return sendJson(response, 400, { error: parsed.error.issues });
      const { reset, closeNow, ...settings } = parsed.data;
      if (settings.refuseWith !== undefined) failures.refuseTimes = noFailures.refuseTimes;
      if (reset) {
        Object.assign(failures, noFailures);
        reports = reports.filter((one) => one.open);
        openedCount = reports.length;
      }
      Object.assign(failures, settings);
      if (closeNow !== undefined) for (const session of [...open]) session.close(closeNow);
    } else if (request.method !== "GET") {
      return sendJson(response, 405, { error: "use GET or POST" });
    }
    const report: DeepgramReport = { openedCount, open: open.size, sessions: reports };
    return sendJson(response, 200, report);
  };

  return {
    prefix,
    handle(request, response) {
      if (parseUrl(request).pathname === controlPath) return control(request, response);
      return sendJson(response, 404, { error: "no such path" });
    },
    async upgrade(request, socket, head) {
      const url = parseUrl(request);
      const parameters = streamParameters.safeParse(Object.fromEntries(url.searchParams));
      const key = /^(?:Token|Bearer)\s+(.*)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const refuse = (status: RefusalStatus) => {
        const body = JSON.stringify(createRefusal(status, randomUUID()));
        socket.end(
          `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json\r\n` +
            `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
        );
      };
      if (failures.refuseWith !== null && failures.refuseTimes > 0) {
        failures.refuseTimes -= 1;
        refuse(failures.refuseWith);
      } else if (!isValidKey(key)) refuse(401);
      else if (url.pathname !== streamPath || !parameters.success) refuse(400);
      else {
        const reader = await createReader(parameters.data);
        server.handleUpgrade(request, socket, head, (client) => {
          const session = new Session(client, parameters.data, { failures, idleMs, reader });
          openedCount += 1;
          open.add(session);
          reports = [...reports, session.report].slice(-maxReports);
          client.on("close", () => open.delete(session));
        });
      }
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const parseUrl = (request: IncomingMessage) => new URL(request.url ?? "", "http://stand-in");

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
