import OpenAI from "openai";
import type { Llm } from "../../server/ports.ts";
import { AppError } from "../../shared/errors.ts";
import type { Env } from "../env.ts";

const answerTimeoutMs = 20_000;
const retries = 2;

/** Any service that speaks Chat Completions at `baseUrl`. */
export function connectLlm({ baseUrl, apiKey, model }: Env["llm"]): Llm {
  const client = new OpenAI({
    apiKey,
    baseURL: baseUrl,
    timeout: answerTimeoutMs,
    maxRetries: retries,
  });

  return {
    async complete({ system, user, signal }) {
      const completion = await client.chat.completions
        .create(
          {
            model,
            messages: [
              { role: "system", content: system },
              { role: "user", content: user },
            ],
          },
          signal ? { signal } : {},
        )
        .catch((error: unknown) => {
          throw refusalOf(error);
        });
      const choice = completion.choices?.[0];
      const content = choice?.message?.content;
      if (choice?.finish_reason !== "stop" || typeof content !== "string")
        throw failed(`the answer ended with ${choice?.finish_reason ?? "no choice"}`);
      return content;
    },
  };
}

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
