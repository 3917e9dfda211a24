import OpenAI from "openai";
import { namesThinking } from "./thinking-switch.ts";

/** Statuses with which servers refuse a field of a request that they do not know. */
const refusals = new Set([400, 404, 415, 422, 500, 501]);

type AnswerFormat = Pick<OpenAI.Chat.ChatCompletionCreateParams, "response_format">;

/**
 * Asks one server for JSON by a schema, which bounds the answers of small models. A server that refuses it, and answers the
 * same call without, is not asked for it again.
 */
export function createAnswerSchema() {
  let support: "unknown" | "taken" | "refused" = "unknown";

  return async function withSchema<T>(
    strings: readonly string[] | undefined,
    call: (format: AnswerFormat) => Promise<T>,
  ): Promise<T> {
    if (strings === undefined || support === "refused") return call({});
    try {
      const answer = await call({ response_format: toFormat(strings) });
      support = "taken";
      return answer;
    } catch (error) {
      const status = error instanceof OpenAI.APIError ? error.status : undefined;
      const isAboutFormat = refusals.has(status ?? 0) && !namesThinking(error);
      if (support === "taken" || !isAboutFormat) throw error;
      const answer = await call({});
      support = "refused";
      return answer;
    }
  };
}

const toFormat = (strings: readonly string[]) => ({
  type: "json_schema" as const,
  json_schema: {
    name: "answer",
    strict: true,
    schema: {
      type: "object",
      properties: Object.fromEntries(strings.map((name) => [name, { type: "string" }])),
      required: [...strings],
      additionalProperties: false,
    },
  },
});
