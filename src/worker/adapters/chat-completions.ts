import OpenAI from "openai";
import { type Llm, type Prompt, WindowExceeded } from "../../server/ports.ts";
import { AppError } from "../../shared/errors.ts";
import type { Env } from "../env.ts";
import { wordsOf } from "./chat-stream.ts";

interface Bounds {
  /** Until a whole answer is there, or a stream begins. */
  answerTimeoutMs: number;
  /** A stream that says nothing for so long has failed. Models that think first take their time. */
  silenceMs: number;
  /** A stream that has not ended by then has failed. */
  streamMaxMs: number;
}

const usualBounds: Bounds = { answerTimeoutMs: 20_000, silenceMs: 45_000, streamMaxMs: 300_000 };
const retries = 2;

/** Any service that speaks Chat Completions at `baseUrl`. */
export function connectLlm(
  { baseUrl, apiKey, model, contextTokens }: Env["llm"],
  bounds: Bounds = usualBounds,
): Llm {
  const client = new OpenAI({
    apiKey,
    baseURL: baseUrl,
    timeout: bounds.answerTimeoutMs,
    maxRetries: retries,
    // Of a frame that it cannot read, the library logs the words.
    logLevel: "off",
  });
  const bodyOf = ({ system, user }: Prompt) => ({
    model,
    messages: [
      { role: "system" as const, content: system },
      { role: "user" as const, content: user },
    ],
  });

  return {
    contextTokens,

    async complete({ signal, ...prompt }) {
      const completion = await client.chat.completions
        .create(bodyOf(prompt), signal ? { signal } : {})
        .catch((error: unknown) => {
          throw refusalOf(error);
        });
      const choice = completion.choices?.[0];
      const content = choice?.message?.content;
      if (choice?.finish_reason !== "stop" || typeof content !== "string")
        throw failed(`the answer ended with ${choice?.finish_reason ?? "no choice"}`);
      return content;
    },

    async *stream({ signal, ...prompt }) {
      const ending = new AbortController();
      const signals = [ending.signal, ...(signal ? [signal] : [])];
      const chunks = await client.chat.completions
        .create(
          { ...bodyOf(prompt), stream: true },
          // The first piece of a long prompt takes longer than a whole short answer.
          { signal: AbortSignal.any(signals), timeout: bounds.silenceMs, maxRetries: 1 },
        )
        .catch((error: unknown) => {
          throw exceedsWindow(error) ? new WindowExceeded() : refusalOf(error);
        });
      try {
        yield* wordsOf(chunks, { ...bounds, signal });
      } catch (error) {
        throw error instanceof AppError ? error : refusalOf(error);
      } finally {
        // Whoever stops reading, and why: the model need not write on.
        ending.abort();
      }
    },
  };
}

/** As OpenAI says it; servers that have no code for it say it in words. */
const exceedsWindow = (error: unknown): boolean =>
  error instanceof OpenAI.BadRequestError &&
  (error.code === "context_length_exceeded" ||
    /context (?:length|size|window)/i.test(error.message));

/** A provider's message may repeat the prompt or the key: only status and code go to the log. */
function refusalOf(error: unknown): AppError {
  if (error instanceof OpenAI.RateLimitError) {
    const seconds = Number(error.headers?.get("retry-after"));
    return new AppError("rate_limited", {
      detail: "the language model's limit",
      ...(seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {}),
    });
  }
  if (error instanceof OpenAI.APIConnectionTimeoutError) return failed("no answer in time");
  if (error instanceof OpenAI.APIUserAbortError) return failed("the caller hung up");
  if (error instanceof OpenAI.APIConnectionError) return failed("no connection");
  if (error instanceof OpenAI.APIError)
    return failed(`status ${error.status ?? "none"}, code ${error.code ?? "none"}`);
  return failed(error instanceof Error ? error.name : typeof error);
}

const failed = (detail: string) => new AppError("llm_failed", { detail });
