import type * as z from "zod/mini";
import { type ErrorBody, type ErrorCode, getHttpStatus } from "#shared/errors.ts";

/** What the Durable Objects' hibernatable sockets share: the upgrade, attachments and closing. */

/** Internal headers from the routes to the Durable Objects; the routes overwrite a client's values. */
export const roomGrantHeader = "dualect-room-grant";
export const channelGrantHeader = "dualect-channel-grant";
export const shareGrantHeader = "dualect-share-grant";

/** The caller's request with `grant`, which says what the caller may do. */
export function addGrant(request: Request, header: string, grant: unknown): Request {
  const headers = new Headers(request.headers);
  headers.set(header, JSON.stringify(grant));
  return new Request(request.url, { headers });
}

/** @throws when the header is missing: only the routes may reach a Durable Object. */
export function readGrant<T>(request: Request, header: string, schema: z.ZodMiniType<T>): T {
  return schema.parse(JSON.parse(request.headers.get(header) ?? "null"));
}

export function isUpgradeRequest(request: Request): boolean {
  return request.headers.get("upgrade")?.toLowerCase() === "websocket";
}

export function refuseUpgrade(code: ErrorCode): Response {
  const body: ErrorBody = { error: { code } };
  return Response.json(body, { status: getHttpStatus(code) });
}

export function acceptUpgrade(ctx: DurableObjectState, attachment: unknown) {
  const { 0: client, 1: socket } = new WebSocketPair();
  ctx.acceptWebSocket(socket);
  socket.serializeAttachment(attachment);
  return { socket, response: new Response(null, { status: 101, webSocket: client }) };
}

/** The open sockets that have a valid attachment. */
export function listOpenSockets<T>(ctx: DurableObjectState, schema: z.ZodMiniType<T>) {
  return ctx.getWebSockets().flatMap((socket) => {
    if (socket.readyState !== WebSocket.OPEN) return [];
    const parsed = schema.safeParse(socket.deserializeAttachment());
    return parsed.success ? [{ socket, attachment: parsed.data }] : [];
  });
}

/** Codes between 1000 and 4999 that a Close frame cannot carry. */
const reservedCodes = [1004, 1005, 1006, 1015];

/**
 * Answers a browser's Close frame. The runtime does not do this for hibernatable sockets, and a browser
 * without an answer keeps its socket open until it times out with 1006.
 */
export function echoClose(socket: WebSocket, code: number): void {
  const canEcho = code >= 1000 && code <= 4999 && !reservedCodes.includes(code);
  socket.close(canEcho ? code : 1000);
}
