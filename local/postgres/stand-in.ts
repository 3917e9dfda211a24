import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "#local/json-body.ts";
import { type StandIn, trackRequests } from "#local/stand-in.ts";
import { isDatabaseError, type SqlBackend } from "./backend.ts";
import { encodeError, encodeResult, sqlHeaders, sqlRequest } from "./protocol.ts";

const prefix = "/neon/";
/** Neon's limit for requests and answers. */
const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * A stand-in for Neon, the Postgres service: `POST /neon/sql` runs queries on `backend`. `close()` waits for running
 * requests and leaves `backend` open.
 */
export function createNeonStandIn(
  backend: SqlBackend,
  { maxBytes = defaultMaxBytes }: { maxBytes?: number } = {},
): StandIn {
  const closing = new AbortController();

  async function run(body: string, headers: z.infer<typeof sqlHeaders>): Promise<unknown> {
    const parsed = sqlRequest.safeParse(parseJson(body));
    if (!parsed.success) throw new RequestError("The body is no query and no batch of queries.");
    if ("single" in parsed.data) {
      return encodeResult(await backend.run(parsed.data.single), headers.arrayMode);
    }
    const results = await backend.batch(parsed.data.batch, headers.transaction);
    return { results: results.map((result) => encodeResult(result, headers.arrayMode)) };
  }

  async function answerSql(request: IncomingMessage, response: ServerResponse) {
    const body = await readBody(request, maxBytes);
    const headers = sqlHeaders.safeParse(request.headers);
    if (!headers.success) throw new RequestError(z.prettifyError(headers.error));
    if (closing.signal.aborted) return response.destroy();
    const text = JSON.stringify(await run(body, headers.data));
    if (Buffer.byteLength(text) > maxBytes) {
      return sendJson(
        response,
        507,
        encodeError(new Error(`The answer exceeds ${maxBytes} bytes.`)),
      );
    }
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname !== `${prefix}sql`) {
      return sendJson(response, 404, { message: `There is no ${pathname}.` });
    }
    if (request.method !== "POST") {
      return sendJson(response, 405, { message: "Only POST is answered." }, { allow: "POST" });
    }
    try {
      await answerSql(request, response);
    } catch (error) {
      sendJson(response, toStatus(error), encodeError(error));
    }
  }

  return { prefixes: [prefix], ...trackRequests(dispatch, closing) };
}

/** The request does not follow the protocol. */
class RequestError extends Error {
  override readonly name = "RequestError";
}

function toStatus(error: unknown): number {
  if (error instanceof RequestError || isDatabaseError(error)) return 400;
  // All other errors mean that the database cannot be reached.
  return error instanceof BodyTooLargeError ? 413 : 503;
}
