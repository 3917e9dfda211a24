import type { IncomingMessage, ServerResponse } from "node:http";

/** The body of a request is longer than what the service takes. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
}

/**
 * The whole body as text (UTF-8).
 *
 * @throws BodyTooLargeError beyond `maxBytes`; what the stream throws when the client goes away.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    // The rest is read and dropped: a client that is still sending could not read the answer.
    if (bytes <= maxBytes) parts.push(part);
    else parts.length = 0;
  }
  if (bytes > maxBytes) throw new BodyTooLargeError(`The body is longer than ${maxBytes} bytes.`);
  return Buffer.concat(parts).toString("utf8");
}

/** The value that `text` holds, or undefined where it is no JSON (which never yields undefined). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers with JSON, unless the client has gone. */
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
