import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { FailureRules } from "#local/failure-rules.ts";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "#local/json-body.ts";
import { type StandIn, trackRequests } from "#local/stand-in.ts";
import { wait as realWait, type Wait } from "#local/wait.ts";
import { createCompletion } from "./completion.ts";
import { createDemoAnswer, extractText } from "./demo.ts";
import { type FailureSettings, failureControl } from "./failure-injection.ts";
import { type ApiError, type CompletionRequest, completionRequest, toApiError } from "./request.ts";
import {
  createFailure,
  createWindowError,
  schemaError,
  sendCompletion,
  sendError,
  sendStream,
} from "./responses.ts";
import { applyManner, applySchema, Slots } from "./small-model.ts";

const prefix = "/llm/";
const maxBytes = 4 * 1024 * 1024;
/** Requests that are remembered. */
const maxRequests = 2_000;
const modelName = "dualect-demo";

interface LlmOptions {
  now?: () => Date;
  wait?: Wait;
}

/**
 * A stand-in for a language model: OpenAI Chat Completions under `/llm/v1`, with any key and model name, except keys that
 * begin with `bad` and models that begin with `no-such`.
 * The answers come from `demo.ts`.
 *
 * `POST /llm/control` adds a failure rule; for each setting the latest rule wins:
 * - `delayMs`: delay before the answer.
 * - `answer`: replaces the demonstration's answer.
 * - `windowTokens`: longer prompts fail, by `windowError` with `context_length_exceeded` (`openai`, the default), or as
 *   llama.cpp does with several slots (`exceeded`, status 500) or one (`slot`, status 400).
 * - `slots`: so many requests are answered at a time, the others wait; a request's delay begins with its slot.
 * - `manner`: what small models do to an answer, see `small-model.ts`.
 * - `schema`: a `response_format` is `refused`, or `ignored`; without it the answer is JSON.
 * - `reportedWindow`: `meta.n_ctx` in the list of models, whatever `match` says.
 * - `fail`: an HTTP status from 400 to 599; `"refuse"`: cuts the connection without an answer; `"garbage"`:
 *   status 200 with a body that is not a completion. The others send half of the answer, and then:
 *   `"cut"` cuts the connection, `"end"` ends the response normally, `"stall"` sends nothing more,
 *   `"length"` ends with finish reason `length`, `"error"` ends with an error.
 * - `count`: the number of requests that `fail` applies to.
 * - `match`: limits the rule to requests whose text (between the delimiters) contains this.
 * - `reset: true`: removes all rules first.
 *
 * `GET /llm/open?match=…` counts the requests for such a text that are in progress (`open`), and lists the target
 * languages of the latest ones, answered or not (`languages`).
 */
export function createLlmStandIn(options: LlmOptions = {}): StandIn {
  const now = options.now ?? (() => new Date());
  const wait = options.wait ?? realWait;
  const closing = new AbortController();
  const failureRules = new FailureRules<FailureSettings>();
  /** The latest requests, the oldest first. */
  const requests: { text: string; language: string | null }[] = [];
  /** Requests in progress. */
  const openRequests = new Set<{ text: string }>();
  const slots = new Slots();
  let reportedWindow: number | null = null;

  async function answerControl(request: IncomingMessage, response: ServerResponse) {
    const parsed = failureControl.safeParse(parseJson(await readBody(request, maxBytes)));
    if (!parsed.success) return sendError(response, 400, toApiError(parsed.error));
    const { reset, match: subject, count, reportedWindow: window, ...effect } = parsed.data;
    if (reset || window !== undefined) reportedWindow = window ?? null;
    sendJson(response, 200, failureRules.set({ reset, subject, count, effect }));
  }

  async function answerCompletion(request: IncomingMessage, response: ServerResponse) {
    const body = parseJson(await readBody(request, maxBytes));
    if (/^Bearer bad/i.test(request.headers.authorization ?? ""))
      return sendError(response, 401, invalidRequest("Incorrect API key.", "invalid_api_key"));
    if (body === undefined) return sendError(response, 400, invalidRequest("The body is no JSON."));
    const parsed = completionRequest.safeParse(body);
    if (!parsed.success) return sendError(response, 400, toApiError(parsed.error));
    if (parsed.data.model.startsWith("no-such")) {
      const problem = invalidRequest("The model does not exist.", "model_not_found");
      return sendError(response, 404, problem);
    }
    const prompt = toPrompt(parsed.data);
    const text = extractText(prompt.user);
    const settings = failureRules.takeNext((subject) => text.includes(subject));
    const { delayMs = 0, fail = null, manner, schema } = settings;
    const { windowTokens = Number.POSITIVE_INFINITY, windowError = "openai" } = settings;
    const answer = settings.answer ?? createDemoAnswer(prompt);
    const disconnected = createDisconnectSignal(response, closing.signal);
    requests.push({ text, language: /^Target language: (.+)$/m.exec(prompt.system)?.[1] ?? null });
    requests.splice(0, requests.length - maxRequests);
    const openRequest = { text };
    openRequests.add(openRequest);
    response.once("close", () => openRequests.delete(openRequest));
    const release = await slots.take(settings.slots ?? Number.POSITIVE_INFINITY, disconnected);
    response.once("close", release);
    await wait(delayMs, disconnected);
    if (disconnected.aborted || fail === "refuse") return response.destroy();
    if (typeof fail === "number") return sendError(response, fail, createFailure(fail));
    const identity = {
      id: `chatcmpl-${randomUUID()}`,
      created: Math.floor(now().getTime() / 1_000),
    };
    if (schema === "refused" && parsed.data.response_format)
      return sendError(response, 400, schemaError);
    const spoken = manner === undefined ? answer : applyManner(manner, answer, text);
    const formatted = schema === "ignored" ? spoken : applySchema(parsed.data, spoken);
    const completion = createCompletion(parsed.data, formatted, identity);
    const { prompt_tokens: promptTokens } = completion.usage;
    if (promptTokens > windowTokens) {
      const refusal = createWindowError(windowError, { windowTokens, promptTokens });
      return sendError(response, refusal.status, refusal.error);
    }
    const responseOptions = { fail, clientDisconnected: disconnected };
    if (!parsed.data.stream) return sendCompletion(response, completion, responseOptions);
    const includeUsage = parsed.data.stream_options?.include_usage ?? false;
    await sendStream(response, completion, { ...responseOptions, includeUsage });
  }

  function countOpen(request: IncomingMessage, response: ServerResponse) {
    const { searchParams } = new URL(request.url ?? "/", "http://localhost");
    const match = searchParams.get("match") ?? "";
    const count = [...openRequests].filter(({ text }) => text.includes(match)).length;
    const languages = requests.filter(({ text }) => text.includes(match));
    sendJson(response, 200, { open: count, languages: languages.map(({ language }) => language) });
  }

  function listModels(_: IncomingMessage, response: ServerResponse) {
    const model = {
      id: modelName,
      object: "model",
      created: 0,
      owned_by: "dualect",
      ...(reportedWindow === null ? {} : { meta: { n_ctx: reportedWindow } }),
    };
    sendJson(response, 200, { object: "list", data: [model] });
  }

  const routes: Record<
    string,
    { method: string; answer: typeof answerControl | typeof listModels }
  > = {
    [`${prefix}control`]: { method: "POST", answer: answerControl },
    [`${prefix}open`]: { method: "GET", answer: countOpen },
    [`${prefix}v1/chat/completions`]: { method: "POST", answer: answerCompletion },
    [`${prefix}v1/models`]: { method: "GET", answer: listModels },
  };

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const route = routes[pathname];
    if (route === undefined) {
      const problem = invalidRequest(
        `Unknown request URL: ${request.method} ${pathname}.`,
        "unknown_url",
      );
      return sendError(response, 404, problem);
    }
    if (request.method !== route.method) {
      const problem = invalidRequest(
        `Only ${route.method} is answered here.`,
        "method_not_supported",
      );
      return sendError(response, 405, problem);
    }
    try {
      await route.answer(request, response);
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error;
      sendError(response, 413, invalidRequest(error.message));
    }
  }

  return { prefixes: [prefix], ...trackRequests(dispatch, closing) };
}

/** The system instructions and the last user message. */
function toPrompt({ messages }: CompletionRequest) {
  const system = messages.filter(({ role }) => role === "system" || role === "developer");
  return {
    system: system.map(({ content }) => content).join("\n"),
    user: messages.findLast(({ role }) => role === "user")?.content ?? "",
  };
}

/** Aborts when the client disconnects or the stand-in closes. */
function createDisconnectSignal(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const disconnect = new AbortController();
  response.once("close", () => disconnect.abort());
  return AbortSignal.any([disconnect.signal, closing]);
}

function invalidRequest(message: string, code: string | null = null): ApiError {
  return { message, type: "invalid_request_error", param: null, code };
}
