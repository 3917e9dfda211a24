import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "#local/json-body.ts";
import { type Account, newId } from "./account.ts";
import { endpoints } from "./endpoints.ts";
import { ApiError, createInvalidRequest } from "./errors.ts";
import { apiVersion } from "./wire.ts";

const maxBytes = 256 * 1024;
const keyLifetimeSeconds = 24 * 3_600;

export const standInSecretKey = "sk_test_stand_in";

/** Answers a call of Stripe's REST API. @throws ApiError */
export async function handleCall(
  account: Account,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await createAnswer(account, request);
  if (body === null) response.destroy();
  else response.writeHead(200, { "content-type": "application/json" }).end(body);
}

/** The answer as JSON, or null to cut the connection. @throws ApiError */
async function createAnswer(account: Account, request: IncomingMessage): Promise<string | null> {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const { state, callFailures } = account;
  const call = `${request.method} ${pathname}`;
  assertHeaders(request);
  const body = await readBody(request, maxBytes);
  const endpoint = endpoints.find(({ pattern }) => pattern.test(call));
  if (!endpoint) throw createInvalidRequest(`Unrecognized request URL (${call}).`, { status: 404 });
  const failure = callFailures.findLast(({ match, count }) => call.includes(match) && count > 0);
  if (failure) failure.count -= 1;
  if (failure?.fail === "refuse") return null;
  if (typeof failure?.fail === "number")
    throw new ApiError(failure.fail, { type: "api_error", message: "Told to fail." });

  const form = request.method === "POST" ? body : search.slice(1) || body;
  const key = String(request.headers["idempotency-key"] ?? newId("key"));
  const digest = `${call} ${form}`;
  const oldest = account.now() - keyLifetimeSeconds;
  state.keys = state.keys.filter(({ at }) => at > oldest);
  const earlier = state.keys.find((one) => one.key === key);
  if (earlier?.digest === digest) return earlier.body;
  const message = `The idempotency key '${key}' was used with other parameters.`;
  if (earlier) throw new ApiError(400, { type: "idempotency_error", message });

  account.origin = `http://${request.headers.host}`;
  const id = endpoint.pattern.exec(call)?.[1] ?? "";
  const answer = JSON.stringify(endpoint.run(account, form, id));
  if (request.method === "POST") state.keys.push({ key, digest, at: account.now(), body: answer });
  return failure?.fail === "lose-answer" ? null : answer;
}

/** @throws ApiError for another key or another version. */
function assertHeaders({ headers }: IncomingMessage): void {
  if (headers.authorization !== `Bearer ${standInSecretKey}`)
    throw createInvalidRequest("Invalid API Key provided.", { status: 401 });
  const version = headers["stripe-version"];
  if (version !== undefined && version !== apiVersion)
    throw createInvalidRequest(`The stand-in of Stripe has the API version ${apiVersion} alone.`);
}
