import type { ServerResponse } from "node:http";
import { sendJson } from "#local/json-body.ts";
import { type Completion, toCompletionBody, toCompletionChunks } from "./completion.ts";
import type { Failure } from "./failure-injection.ts";
import type { ApiError } from "./request.ts";

/** How to send an answer. */
export interface ResponseOptions {
  /** The failure to inject. */
  fail: Failure | null;
  /** Aborts when the client disconnects or the stand-in closes. */
  clientDisconnected: AbortSignal;
}

export function sendError(
  response: ServerResponse,
  status: number,
  error: ApiError | LlamaError,
): void {
  sendJson(response, status, { error });
}

export function createFailure(status: number): ApiError {
  const type =
    status === 429 ? "rate_limit_error" : status >= 500 ? "server_error" : "invalid_request_error";
  const code = status === 429 ? "rate_limit_exceeded" : null;
  return { message: `Failure ${status}, as set.`, type, param: null, code };
}

/** OpenAI's error for a prompt that is longer than the context window, or llama.cpp's with several slots or with one. */
export function createWindowError(
  kind: "openai" | "exceeded" | "slot",
  { windowTokens, promptTokens }: { windowTokens: number; promptTokens: number },
): { status: number; error: ApiError | LlamaError } {
  if (kind === "openai")
    return { status: 400, error: createOpenAiWindowError(windowTokens, promptTokens) };
  if (kind === "exceeded") {
    const message = "Context size has been exceeded.";
    return { status: 500, error: { code: 500, message, type: "server_error" } };
  }
  const message = `request (${promptTokens} tokens) exceeds the available context size (${windowTokens} tokens), try increasing it`;
  return { status: 400, error: { code: 400, message, type: "exceed_context_size_error" } };
}

/** llama.cpp repeats the status as code. */
export interface LlamaError {
  code: number;
  message: string;
  type: string;
}

/** llama.cpp's error for a format of the answer that it cannot make a grammar of; older servers have others. */
export const schemaError: LlamaError = {
  code: 400,
  message: "Failed to parse response_format: json_schema is not supported",
  type: "invalid_request_error",
};

function createOpenAiWindowError(windowTokens: number, promptTokens: number): ApiError {
  return {
    message: `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
    type: "invalid_request_error",
    param: "messages",
    code: "context_length_exceeded",
  };
}

export async function sendCompletion(
  response: ServerResponse,
  completion: Completion,
  { fail, clientDisconnected }: ResponseOptions,
): Promise<void> {
  const headers = { "content-type": "application/json" };
  if (fail === "garbage") {
    response.writeHead(200, headers).end("<html>This is no completion.</html>");
    return;
  }
  if (fail === "error") return sendError(response, 500, createFailure(500));
  const body = toCompletionBody(fail === "length" ? cutInHalf(completion) : completion);
  if (fail === null || fail === "length") return sendJson(response, 200, body);
  const text = Buffer.from(JSON.stringify(body));
  const half = text.subarray(0, text.byteLength / 2);
  if (fail === "end") {
    response.writeHead(200, headers).end(half);
    return;
  }
  response.writeHead(200, { ...headers, "content-length": text.byteLength });
  await writeBytes(response, half);
  if (fail === "stall") await waitForAbort(clientDisconnected);
  response.destroy();
}

export async function sendStream(
  response: ServerResponse,
  completion: Completion,
  { fail, clientDisconnected, includeUsage }: ResponseOptions & { includeUsage: boolean },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const chunks = toCompletionChunks(
    fail === "length" ? cutInHalf(completion) : completion,
    includeUsage,
  );
  const breaksOff = fail !== null && fail !== "length";
  for (const chunk of breaksOff ? chunks.slice(0, Math.ceil(chunks.length / 2)) : chunks) {
    if (response.destroyed) return;
    await writeBytes(response, `data: ${JSON.stringify(chunk)}\n\n`);
  }
  if (fail === "stall") await waitForAbort(clientDisconnected);
  if (fail === "cut" || fail === "stall") {
    response.destroy();
    return;
  }
  if (fail === "garbage") await writeBytes(response, "data: <html>This is no chunk.</html>\n\n");
  if (fail === "error")
    await writeBytes(response, `data: ${JSON.stringify({ error: createFailure(500) })}\n\n`);
  response.end(fail === "end" ? "" : "data: [DONE]\n\n");
}

/** Half of the text, as if the token limit had been reached. */
function cutInHalf(completion: Completion): Completion {
  const text = completion.text.slice(0, completion.text.length / 2);
  return { ...completion, text, finishReason: "length" };
}

/** Also resolves when the client disconnects: Node may then never call back. */
const writeBytes = (response: ServerResponse, bytes: string | Uint8Array) =>
  new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.write(bytes, () => {
      response.off("close", resolve);
      resolve();
    });
  });

const waitForAbort = (signal: AbortSignal) =>
  signal.aborted
    ? Promise.resolve()
    : new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
