import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { BodyTooLargeError, readBody } from "../json-body.ts";
import type { Wait } from "../wait.ts";
import { type Account, newId } from "./account.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import { catalogueEndpoints } from "./endpoints/catalogue.ts";
import { checkoutEndpoints } from "./endpoints/checkout.ts";
import { customerEndpoints } from "./endpoints/customers.ts";
import { eventEndpoints } from "./endpoints/events.ts";
import { invoiceEndpoints } from "./endpoints/invoices.ts";
import { portalEndpoints } from "./endpoints/portal.ts";
import { subscriptionEndpoints } from "./endpoints/subscriptions.ts";
import { ApiError, failureOf, invalidRequest } from "./errors.ts";
import { expanded } from "./expand.ts";
import type { CallFaults } from "./faults.ts";
import { decodeForm, type FormTree, MalformedFormError } from "./form.ts";
import { assertKey, assertVersion } from "./headers.ts";
import type { UsedKey } from "./model.ts";
import { apiVersion } from "./version.ts";

const maxBytes = 256 * 1024;
const keyLifetime = 24 * 3_600;
/** Longer than any client waits; the longest that a timer takes. */
const foreverMs = 2_147_483_647;

// The fixed paths come before those with an id.
const endpoints: readonly Endpoint[] = [
  ...customerEndpoints,
  ...checkoutEndpoints,
  ...portalEndpoints,
  ...subscriptionEndpoints,
  ...invoiceEndpoints,
  ...catalogueEndpoints,
  ...eventEndpoints,
];

interface Options {
  account: Account;
  secretKey: string;
  faults: CallFaults;
  wait: Wait;
  closing: AbortSignal;
  /** Called before a request is carried out, and after. */
  catchUp: () => void;
}

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** Stripe's REST API under `/v1/`. */
export function createApi({ account, secretKey, faults, wait, closing, catchUp }: Options) {
  /** Keys of requests that are being carried out. */
  const busy = new Set<string>();

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    requestId: string,
  ): Promise<Answer | null> {
    const method = request.method ?? "GET";
    const found = route(method, url.pathname);
    assertKey(request, secretKey);
    assertVersion(request);
    const text = await readBody(request, maxBytes);
    if (!found)
      throw invalidRequest(
        `Unrecognized request URL (${method}: ${url.pathname}). The stand-in has the endpoints in use alone.`,
        { status: 404 },
      );
    const { delayMs, fail } = faults.take(`${method} ${url.pathname}`);
    const gone = goneSignal(response, closing);
    await wait(fail === "timeout" ? foreverMs : delayMs, gone);
    if (gone.aborted || fail === "refuse") return null;
    if (typeof fail === "number") throw failureOf(fail);

    const parameters = readForm(request, method === "POST" ? text : url.search.slice(1) || text);
    const key = method === "POST" ? keyOf(request) : null;
    const digest = createHash("sha256")
      .update(JSON.stringify([method, url.pathname, parameters]))
      .digest("hex");
    const before = key === null ? null : remembered(key, digest);
    if (before) return replay(before);

    catchUp();
    account.origin = `http://${request.headers.host ?? "127.0.0.1"}`;
    const call = { id: found.id, path: url.pathname };
    const done = perform(found.endpoint, parameters, call, { requestId, key, digest });
    catchUp();
    return fail === "lose-answer" ? null : done;
  }

  /** Checks and carries out; what was carried out is remembered under its key, failures too. */
  function perform(
    { prepare }: Endpoint,
    parameters: FormTree,
    call: Call,
    { requestId, key, digest }: { requestId: string; key: string | null; digest: string },
  ): Answer {
    const run = prepare(parameters);
    account.cause = { requestId, idempotencyKey: key };
    let done: Answer;
    try {
      const paths = Array.isArray(parameters.expand) ? parameters.expand.map(String) : [];
      const result = run(account, call);
      done = { status: 200, body: JSON.stringify(expanded(account, result, paths), null, 2) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      done = errorAnswer(error);
    } finally {
      account.cause = null;
    }
    if (key !== null) account.keep({ key, digest, at: account.clock.real(), requestId, ...done });
    return done;
  }

  /** @throws ApiError where the key was used with something else. */
  function remembered(key: string, digest: string): UsedKey | null {
    const used = account.keys.get(key);
    if (!used || account.clock.real() - used.at >= keyLifetime) return null;
    if (used.digest !== digest)
      throw new ApiError(400, {
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    return used;
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
      const requestId = newId("req", 14);
      const key = keyOf(request);
      let done: Answer | null;
      let owned = false;
      try {
        if (key !== null && busy.has(key))
          throw new ApiError(409, {
            type: "idempotency_error",
            code: "idempotency_key_in_use",
            message: "There is currently another in-progress request using this idempotency key.",
          });
        if (key !== null) owned = busy.add(key).has(key);
        done = await answer(request, response, url, requestId);
      } catch (error) {
        done = errorAnswer(asApiError(error));
      } finally {
        if (owned && key !== null) busy.delete(key);
      }
      if (done === null || response.destroyed) return void response.destroy();
      response.writeHead(done.status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(done.body),
        "request-id": requestId,
        "stripe-version": apiVersion,
        ...(key === null ? {} : { "idempotency-key": key }),
        ...done.headers,
      });
      response.end(done.body);
    },
  };
}

function route(method: string, path: string): { endpoint: Endpoint; id: string } | null {
  const parts = path.split("/");
  for (const endpoint of endpoints) {
    const wanted = endpoint.path.split("/");
    const at = wanted.indexOf(":id");
    const fits =
      endpoint.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, index) => (index === at ? parts[index] !== "" : part === parts[index]));
    if (fits) return { endpoint, id: at < 0 ? "" : decodeURIComponent(parts[at] ?? "") };
  }
  return null;
}

function readForm(request: IncomingMessage, text: string): FormTree {
  const type = request.headers["content-type"] ?? "application/x-www-form-urlencoded";
  if (text !== "" && !type.startsWith("application/x-www-form-urlencoded"))
    throw invalidRequest(
      `Invalid request body: the content type has to be form-encoded, not ${type}.`,
    );
  try {
    return decodeForm(text);
  } catch (error) {
    if (!(error instanceof MalformedFormError)) throw error;
    throw invalidRequest(error.message);
  }
}

function keyOf({ headers }: IncomingMessage): string | null {
  const key = headers["idempotency-key"];
  return typeof key === "string" && key !== "" ? key : null;
}

function replay({ status, body, requestId }: UsedKey): Answer {
  return {
    status,
    body,
    headers: { "idempotent-replayed": "true", "original-request": requestId },
  };
}

const errorAnswer = ({ status, body }: ApiError): Answer => ({
  status,
  body: JSON.stringify({ error: body }, null, 2),
});

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof BodyTooLargeError) return invalidRequest(error.message, { status: 413 });
  const words = error instanceof Error ? error.message : String(error);
  return new ApiError(500, { type: "api_error", message: `The stand-in failed: ${words}` });
}

/** Aborts when the client has gone or the stand-in closes. */
function goneSignal(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}
