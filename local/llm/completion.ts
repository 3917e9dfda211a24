import type { CompletionRequest } from "./request.ts";

// Answers of OpenAI's Chat Completions API, whole and as a stream.

export interface Completion {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
  text: string;
  finishReason: "stop" | "length";
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** An estimate: a token is about four characters of Latin text, or one character of a script without spaces. */
export function countTokens(text: string): number {
  const wide = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** Splits into the pieces of a stream: words with their leading space, or single characters of a script without spaces. */
export function splitIntoPieces(text: string): string[] {
  return (
    text.match(
      /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\s*[^\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\s+/gu,
    ) ?? []
  );
}

/** Cuts `answer` to the request's token limit and counts the tokens. */
export function createCompletion(
  request: CompletionRequest,
  answer: string,
  identity: { id: string; created: number },
): Completion {
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
  let text = limit === Number.POSITIVE_INFINITY ? answer : "";
  let finishReason: Completion["finishReason"] = "stop";
  for (const piece of text === "" ? splitIntoPieces(answer) : []) {
    if (countTokens(text + piece) > limit) {
      finishReason = "length";
      break;
    }
    text += piece;
  }
  const prompt = request.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
  const completion = countTokens(text);
  return {
    ...identity,
    model: request.model,
    text,
    finishReason,
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  };
}

export function toCompletionBody(completion: Completion) {
  const { id, created, model, text, finishReason, usage } = completion;
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage,
  };
}

/** The chunks of a stream, without the final `[DONE]`. */
export function toCompletionChunks(completion: Completion, includeUsage: boolean): object[] {
  const { id, created, model, text, finishReason, usage } = completion;
  const head = { id, object: "chat.completion.chunk", created, model };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includeUsage ? { usage: null } : {}),
  });
  return [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...splitIntoPieces(text).map((content) => chunk({ content })),
    chunk({}, finishReason),
    ...(includeUsage ? [{ ...head, choices: [], usage }] : []),
  ];
}
