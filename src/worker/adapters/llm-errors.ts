import OpenAI from "openai";
import { AnswerCut, ContextWindowExceeded } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { createLlmError } from "./chat-stream.ts";
import { namesWindow } from "./window-error.ts";

/**
 * OpenAI has an error code for it, other servers only words: 400 in most, 413 of a proxy, 500 of llama.cpp with several
 * slots, and an event with an error in a stream that has begun.
 */
function isWindowError(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError)) return false;
  if (error.status === 413 || error.code === "context_length_exceeded") return true;
  const isKnownStatus = [400, 422, 500, undefined].includes(error.status);
  return isKnownStatus && namesWindow(`${error.type} ${error.message}`);
}

/** `hasBegun`: pieces have arrived, so the prompt was not too long by itself. */
export function toLlmError(error: unknown, { hasBegun = false } = {}): AppError {
  if (error instanceof AppError) return error;
  if (isWindowError(error)) return hasBegun ? new AnswerCut() : new ContextWindowExceeded();
  if (error instanceof OpenAI.RateLimitError) {
    const seconds = Number(error.headers?.get("retry-after"));
    return new AppError("rate_limited", {
      detail: "the language model's limit",
      ...(seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {}),
    });
  }
  if (error instanceof OpenAI.APIUserAbortError) return createLlmError("the caller hung up");
  if (error instanceof OpenAI.APIConnectionError) return createLlmError("no connection");
  // A provider's message may repeat the prompt or the key: only status and code go to the log.
  if (error instanceof OpenAI.APIError)
    return createLlmError(`status ${error.status ?? "none"}, code ${error.code ?? "none"}`);
  return createLlmError(error instanceof Error ? error.name : typeof error);
}
