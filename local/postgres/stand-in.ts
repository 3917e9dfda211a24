import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "#local/json-body.ts";
import { type StandIn, trackRequests } from "#local/stand-in.ts";
import { wait as realWait, type Wait } from "#local/wait.ts";
import { isDatabaseError, type SqlBackend } from "./backend.ts";
import { encodeError, encodeResult, sqlHeaders, sqlRequest } from "./protocol.ts";

const prefix = "/neon/";
/** Neon's limit for requests and answers. */
const defaultMaxBytes = 64 * 1024 * 1024;
const controlMaxBytes = 10_000;

const failureControl = z.strictObject({
  reset: z.optional(z.literal(true)),
  delayMs: z.optional(z.int().min(0).max(600_000)),
  fail: z.optional(z.enum(["refuse", "commitThenDrop"])),
  count: z.optional(z.int().min(1)),
});

interface FailureSettings {
  delayMs: number;
  fail: "refuse" | "commitThenDrop" | null;
  /** Requests that will still fail; null: all until a reset. */
  count: number | null;
}

const noFailures: FailureSettings = { delayMs: 0, fail: null, count: null };

interface NeonOptions {
  maxBytes?: number;
  wait?: Wait;
}

/**
 * A stand-in for Neon, the Postgres service: `POST /neon/sql` runs queries on `backend`.
 *
 * `POST /neon/control` sets failures and answers with the settings in force:
 * - `delayMs`: delay before each request runs.
 * - `fail`: `"refuse"` cuts the connection and runs nothing; `"commitThenDrop"` runs and commits, then cuts
 *   the connection without an answer.
 * - `count`: the number of requests that `fail` applies to; without it, all until a reset.
 * - `reset: true`: removes all failures first.
 *
 * `close()` ends delays, waits for running requests and leaves `backend` open.
 */
export function createNeonStandIn(backend: SqlBackend, options: NeonOptions = {}): StandIn {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  const wait = options.wait ?? realWait;
  const closing = new AbortController();
  let failures = noFailures;

  function takeFailure(): FailureSettings["fail"] {
    const { fail, count } = failures;
    if (fail !== null && count !== null) {
      failures =
        count > 1 ? { ...failures, count: count - 1 } : { ...failures, fail: null, count: null };
    }
    return fail;
  }

  async function answerControl(request: IncomingMessage, response: ServerResponse) {
    const parsed = failureControl.safeParse(parseJson(await readBody(request, controlMaxBytes)));
    if (!parsed.success) {
      return sendJson(response, 400, { message: z.prettifyError(parsed.error) });
    }
    const { reset, delayMs, fail, count } = parsed.data;
    if (reset) failures = noFailures;
    if (delayMs !== undefined) failures = { ...failures, delayMs };
    if (fail !== undefined) failures = { ...failures, fail, count: count ?? null };
    sendJson(response, 200, failures);
  }

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
    const failure = takeFailure();
    await wait(failures.delayMs, closing.signal);
    if (failure === "refuse" || closing.signal.aborted) return response.destroy();
    // A statement that fails has run as well: the dropped connection hides its error too.
    const outcome = await run(body, headers.data).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (failure === "commitThenDrop") return response.destroy();
    if ("error" in outcome) throw outcome.error;
    const text = JSON.stringify(outcome.value);
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
    const answer = { [`${prefix}sql`]: answerSql, [`${prefix}control`]: answerControl }[pathname];
    if (answer === undefined) {
      return sendJson(response, 404, { message: `There is no ${pathname}.` });
    }
    if (request.method !== "POST") {
      return sendJson(response, 405, { message: "Only POST is answered." }, { allow: "POST" });
    }
    try {
      await answer(request, response);
    } catch (error) {
      sendJson(response, toStatus(error), encodeError(error));
    }
  }

  return { prefix, ...trackRequests(dispatch, closing) };
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
