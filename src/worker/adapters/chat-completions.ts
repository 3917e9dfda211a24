import OpenAI from "openai";
import { ContextWindowExceeded, type Llm, type Prompt } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { createLlmError, readContent, withTimeout } from "./chat-stream.ts";
import { createOutputLimiter, type OutputLimit } from "./output-limit.ts";

export interface LlmSettings {
  baseUrl: string;
  apiKey: string;
  model: string;
  /** Size of the context window: prompt and answer together. */
  contextTokens: number;
}

interface Bounds {
  /** Time for a complete answer, including retries and pauses. */
  answerTimeoutMs: number;
  /** A stream that does not start, or is silent, for this long has failed. Reasoning models start late. */
  silenceMs: number;
  /** Longest duration of a stream. */
  streamMaxMs: number;
}

const defaultBounds: Bounds = { answerTimeoutMs: 20_000, silenceMs: 45_000, streamMaxMs: 300_000 };
/** Temporary errors and broken connections are retried; time-outs are not. */
const answerRetries = 2;
const streamRetries = 1;
/** The longest useful answers have 30,000 characters; in a stream each token has 300 bytes of overhead. */
const maxBytes = { whole: 512 * 1024, stream: 16 * 1024 * 1024 };

/** Any service that speaks Chat Completions at `baseUrl`. */
export function connectLlm(
  { baseUrl, apiKey, model, contextTokens }: LlmSettings,
  bounds: Bounds = defaultBounds,
): Llm {
  const client = new OpenAI({
    apiKey,
    baseURL: baseUrl,
    fetch: createBoundedFetch(maxBytes),
    // The library would log the text of a frame that it cannot parse.
    logLevel: "off",
  });
  const withLimit = createOutputLimiter(baseUrl);
  const toBody = ({ system, user }: Prompt, limit: OutputLimit) => ({
    model,
    ...limit,
    messages: [
      { role: "system" as const, content: system },
      { role: "user" as const, content: user },
    ],
  });

  return {
    contextTokens,

    async complete({ signal: outer, maxTokens, ...prompt }) {
      const completion = await withTimeout(bounds.answerTimeoutMs, outer, (signal) =>
        withLimit(maxTokens, (limit) =>
          client.chat.completions.create(toBody(prompt, limit), {
            signal,
            maxRetries: answerRetries,
          }),
        ),
      ).catch((error: unknown) => {
        throw toLlmError(error);
      });
      const choice = completion.choices?.[0];
      const content = choice?.message?.content;
      if (choice?.finish_reason !== "stop" || typeof content !== "string")
        throw createLlmError(`the answer ended with ${choice?.finish_reason ?? "no choice"}`);
      return content;
    },

    async *stream({ signal, maxTokens, ...prompt }) {
      const readerEnd = new AbortController();
      // With a long prompt the first piece takes longer than a complete short answer.
      const chunks = await withTimeout(bounds.silenceMs, signal, (startSignal) =>
        withLimit(maxTokens, (limit) =>
          client.chat.completions.create(
            { ...toBody(prompt, limit), stream: true },
            { signal: AbortSignal.any([readerEnd.signal, startSignal]), maxRetries: streamRetries },
          ),
        ),
      ).catch((error: unknown) => {
        throw isContextWindowError(error) ? new ContextWindowExceeded() : toLlmError(error);
      });
      try {
        yield* readContent(chunks, { ...bounds, signal });
      } catch (error) {
        throw toLlmError(error);
      } finally {
        // Stops the model, however reading has ended.
        readerEnd.abort();
      }
    },
  };
}

/** OpenAI has an error code for it; other servers only have a message. */
const isContextWindowError = (error: unknown): boolean =>
  error instanceof OpenAI.BadRequestError &&
  (error.code === "context_length_exceeded" ||
    /context (?:length|size|window)/i.test(error.message));

/** A provider's message may repeat the prompt or the key: only status and code go to the log. */
function toLlmError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof OpenAI.RateLimitError) {
    const seconds = Number(error.headers?.get("retry-after"));
    return new AppError("rate_limited", {
      detail: "the language model's limit",
      ...(seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {}),
    });
  }
  if (error instanceof OpenAI.APIUserAbortError) return createLlmError("the caller hung up");
  if (error instanceof OpenAI.APIConnectionError) return createLlmError("no connection");
  if (error instanceof OpenAI.APIError)
    return createLlmError(`status ${error.status ?? "none"}, code ${error.code ?? "none"}`);
  return createLlmError(error instanceof Error ? error.name : typeof error);
}
