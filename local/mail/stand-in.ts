import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { FailureRules } from "#local/failure-rules.ts";
import { sendHtml } from "#local/html.ts";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "#local/json-body.ts";
import type { StandIn } from "#local/stand-in.ts";
import { wait as realWait, type Wait } from "#local/wait.ts";
import { Outbox } from "./outbox.ts";
import { pagePolicy, toEmailPage, toListPage } from "./pages.ts";
import { type ApiError, createApiError, parseEmail } from "./wire.ts";

const prefix = "/mail/";
const maxBytes = 4 * 1024 * 1024;

const failure = z.union([z.int().min(400).max(599), z.enum(["refuse", "garbage", "lose-answer"])]);
type Failure = z.infer<typeof failure>;

const failureControl = z.strictObject({
  reset: z.optional(z.literal(true)),
  delayMs: z.optional(z.int().min(0).max(600_000)),
  fail: z.optional(failure),
  count: z.optional(z.int().min(1)),
  to: z.optional(z.string().min(1)),
});
type FailureSettings = Omit<z.infer<typeof failureControl>, "reset" | "count" | "to">;

interface MailOptions {
  now?: () => Date;
  wait?: Wait;
}

/**
 * A stand-in for Resend, the e-mail service: `POST /emails` under `/mail`, with any key that does not begin with `bad`. It
 * sends nothing.
 * `GET /mail/` lists the mails, `GET /mail/:id` shows one, and `GET /mail/outbox.json?to=ADDRESS` returns
 * them for tests: `{ emails: StoredEmail[] }`, newest first.
 *
 * `POST /mail/control` adds a failure rule; for each setting the latest rule wins:
 * - `delayMs`: delay before the mail is processed.
 * - `fail`: an HTTP status from 400 to 599; `"refuse"`: cuts the connection and stores no mail;
 *   `"lose-answer"`: stores the mail, then cuts the connection; `"garbage"`: status 200 with an HTML body.
 * - `count`: the number of mails that `fail` applies to.
 * - `to`: limits the rule to mails to an address that contains this.
 * - `reset: true`: removes all rules and empties the outbox first.
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
    const { reset, to: subject, count, ...effect } = parsed.data;
    sendJson(response, 200, failureRules.set({ reset, subject, count, effect }));
  }

  async function acceptEmail(request: IncomingMessage, response: ServerResponse) {
    const headerError = findHeaderError(request);
    const body = parseJson(await readBody(request, maxBytes));
    if (headerError) return sendError(response, headerError);
    const email = parseEmail(body);
    if ("statusCode" in email) return sendError(response, email);

    const matches = (address: string) =>
      email.to.some((to) => to.toLowerCase().includes(address.toLowerCase()));
    const { delayMs = 0, fail } = failureRules.takeNext(matches);
    await wait(delayMs, closing.signal);
    if (closing.signal.aborted || fail === "refuse") return response.destroy();
    if (typeof fail === "number") return sendError(response, createFailure(fail));

    const key = request.headers["idempotency-key"];
    const added = outbox.add(email, typeof key === "string" ? key : null);
    if (!added)
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
    sendJson(response, 200, { id: added.id });
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
    prefixes: [prefix],
    async handle(request, response) {
      try {
        await dispatch(request, response);
      } catch (error) {
        if (!(error instanceof BodyTooLargeError)) throw error;
        sendError(response, createApiError(413, "validation_error", error.message));
      }
    },
    async close() {
      closing.abort();
    },
  };
}

const keyMaxLength = 256;

/** The error that the request's headers cause, or null. */
function findHeaderError({ headers }: IncomingMessage): ApiError | null {
  if (!/^Bearer \S+$/i.test(headers.authorization ?? ""))
    return createApiError(401, "missing_api_key", "Missing API Key");
  if (/^Bearer bad/i.test(headers.authorization ?? ""))
    return createApiError(403, "invalid_api_key", "API key is invalid");
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
