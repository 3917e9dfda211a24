import type { IncomingMessage, ServerResponse } from "node:http";

/** The body of a request is longer than the service accepts. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/**
 * Reads the whole body as UTF-8 text.
 *
 * @throws BodyTooLargeError beyond `maxBytes`; the stream's error when the client disconnects.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    // Read and discard the rest: a client that is still sending cannot read the answer.
    if (bytes <= maxBytes) parts.push(part);
    else parts.length = 0;
  }
  if (bytes > maxBytes) throw new BodyTooLargeError(`The body is longer than ${maxBytes} bytes.`);
  return Buffer.concat(parts).toString("utf8");
}

/** The parsed value, or undefined if `text` is not JSON. (No JSON text parses to undefined.) */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a JSON answer, unless the client has disconnected. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed || response.writableEnded) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
