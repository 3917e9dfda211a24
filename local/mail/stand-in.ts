import type { IncomingMessage, ServerResponse } from "node:http";
import { FailureRules } from "#local/failure-rules.ts";
import { sendHtml } from "#local/html.ts";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "#local/json-body.ts";
import type { StandIn } from "#local/stand-in.ts";
import { wait as realWait, type Wait } from "#local/wait.ts";
import { type Failure, type FailureSettings, failureControl } from "./failure-injection.ts";
import { Outbox } from "./outbox.ts";
import { pagePolicy, toEmailPage, toListPage } from "./pages.ts";
import { type ApiError, createApiError, parseEmail } from "./wire.ts";

const prefix = "/mail/";
const maxBytes = 4 * 1024 * 1024;

interface MailOptions {
  now?: () => Date;
  wait?: Wait;
}

/**
 * A stand-in of the e-mail service: Resend's `POST /emails` under `/mail`, any key. Nothing is sent;
 * `GET /mail/` shows what would have been, `GET /mail/:id` one mail, and
 * `GET /mail/outbox.json?to=ADDRESS` the same for tests: `{ emails: StoredEmail[] }`, newest first.
 *
 * Faults are set with `POST /mail/control`; each call adds a rule, the last one comes first:
 * - `delayMs`: before the mail is looked at.
 * - `fail`: an HTTP status from 400 to 599; `"refuse"`: the connection is cut and no mail taken;
 *   `"lose-answer"`: the mail is taken, then the connection is cut; `"garbage"`: status 200 with
 *   something that is no answer. `count`: so many mails, then no more.
 * - `to`: the rule is for mails to an address that contains it.
 * - `reset: true`: no rules and an empty outbox, then what else the body sets.
 */
export function createMailStandIn(options: MailOptions = {}): StandIn {
  const outbox = new Outbox(options.now ?? (() => new Date()));
  const wait = options.wait ?? realWait;
  const failureRules = new FailureRules<FailureSettings>();
  const closing = new AbortController();

  async function answerControl(request: IncomingMessage, response: ServerResponse) {
    const parsed = failureControl.safeParse(parseJson(await readBody(request, maxBytes)));
    if (!parsed.success)
      return sendError(response, createApiError(422, "validation_error", "Invalid value"));
    if (parsed.data.reset) outbox.clear();
    const { reset, to: subject, count, ...what } = parsed.data;
    sendJson(response, 200, failureRules.set({ reset, subject, count, what }));
  }

  async function acceptEmail(request: IncomingMessage, response: ServerResponse) {
    const refusal = findHeaderError(request);
    const body = parseJson(await readBody(request, maxBytes));
    if (refusal) return sendError(response, refusal);
    const email = parseEmail(body);
    if ("statusCode" in email) return sendError(response, email);

    const isMeant = (address: string) =>
      email.to.some((to) => to.toLowerCase().includes(address.toLowerCase()));
    const { delayMs = 0, fail } = failureRules.takeNext(isMeant);
    await wait(delayMs, closing.signal);
    if (closing.signal.aborted || fail === "refuse") return response.destroy();
    if (typeof fail === "number") return sendError(response, createFailure(fail));

    const key = request.headers["idempotency-key"];
    const taken = outbox.add(email, typeof key === "string" ? key : null);
    if (!taken)
      return sendError(
        response,
        createApiError(
          409,
          "invalid_idempotent_request",
          "This idempotency key has been used with another payload.",
        ),
      );
    if (fail === "lose-answer") return response.destroy();
    if (fail === "garbage") return sendHtml(response, 200, "<p>This is no answer.</p>", pagePolicy);
    sendJson(response, 200, { id: taken.id });
  }

  function show(path: string, response: ServerResponse) {
    if (path === "")
      return sendHtml(response, 200, toListPage(outbox.list(null), prefix), pagePolicy);
    const [id = "", part] = path.split("/");
    const email = outbox.find(id);
    if (!email || (part !== undefined && part !== "html"))
      return sendError(response, createApiError(404, "not_found", "There is no such mail."));
    sendHtml(response, 200, part === "html" ? email.html : toEmailPage(email, prefix), pagePolicy);
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const path = url.pathname.slice(prefix.length);
    if (request.method === "POST") {
      if (path === "emails") return acceptEmail(request, response);
      if (path === "control") return answerControl(request, response);
      return sendError(response, createApiError(404, "not_found", "There is no such endpoint."));
    }
    if (request.method !== "GET" || path === "emails" || path === "control")
      return sendError(response, createApiError(405, "method_not_allowed", "Method not allowed."));
    if (path === "outbox.json")
      return sendJson(response, 200, { emails: outbox.list(url.searchParams.get("to")) });
    return show(path, response);
  }

  return {
    prefix,
    async handle(request, response) {
      try {
        await dispatch(request, response);
      } catch (error) {
        if (!(error instanceof BodyTooLargeError)) return void response.destroy();
        sendError(response, createApiError(413, "validation_error", error.message));
      }
    },
    async close() {
      closing.abort();
    },
  };
}

const keyMaxLength = 256;

/** Why the request's headers are refused, or null. */
function findHeaderError({ headers }: IncomingMessage): ApiError | null {
  if (!/^Bearer \S+$/i.test(headers.authorization ?? ""))
    return createApiError(401, "missing_api_key", "Missing API Key");
  const key = headers["idempotency-key"];
  if (typeof key === "string" && (key.length < 1 || key.length > keyMaxLength))
    return createApiError(400, "invalid_idempotency_key", "The key must be between 1-256 chars.");
  return null;
}

const errorNames: Record<number, string> = {
  401: "restricted_api_key",
  403: "invalid_api_key",
  404: "not_found",
  422: "validation_error",
  429: "rate_limit_exceeded",
};

const createFailure = (status: Exclude<Failure, string>): ApiError =>
  createApiError(
    status,
    errorNames[status] ?? (status < 500 ? "validation_error" : "internal_server_error"),
    "The stand-in was told to fail.",
  );

const sendError = (response: ServerResponse, error: ApiError) =>
  sendJson(response, error.statusCode, error);
