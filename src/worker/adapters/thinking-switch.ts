import OpenAI from "openai";
import { namesWindow } from "./window-error.ts";

/** What keeps a model from thinking before a short answer, in the words of its server. */
interface ThinkingFields {
  /** OpenAI, Ollama, Groq, Gemini. */
  reasoning_effort?: "none" | "low";
  /** llama.cpp, vLLM, SGLang: variables of the model's template (`thinking`: DeepSeek, Granite). */
  chat_template_kwargs?: { enable_thinking: false; thinking: false };
}

const template = { chat_template_kwargs: { enable_thinking: false, thinking: false } } as const;

/** Statuses with which servers refuse a field, or a value of it. */
const refusals = new Set([400, 415, 422, 501]);
const fieldNames = /reasoning|chat_template|thinking/i;

/** Whether a server has refused these fields by name. */
export const namesThinking = (error: unknown): boolean =>
  error instanceof OpenAI.APIError &&
  fieldNames.test(`${error.param ?? ""} ${error.message.slice(0, 500)}`);

/**
 * Asks one model not to think. What the server refuses, where it answers the same call without, is not sent again.
 *
 * @example
 * const withoutThinking = createThinkingSwitch(settings);
 * await withoutThinking((fields) => client.chat.completions.create({ ...body, ...fields }));
 */
export function createThinkingSwitch({ baseUrl, model }: { baseUrl: string; model: string }) {
  // It cannot be turned off there.
  const effort = { reasoning_effort: /gpt-oss/i.test(model) ? "low" : "none" } as const;
  const isOpenAi = new URL(baseUrl).hostname.endsWith("openai.com");
  const ways: readonly ThinkingFields[] = isOpenAi
    ? [effort, { reasoning_effort: "low" }, {}]
    : [{ ...effort, ...template }, effort, template, { reasoning_effort: "low" }, {}];
  let known: ThinkingFields | null = null;

  return async function withoutThinking<T>(
    call: (fields: ThinkingFields) => Promise<T>,
  ): Promise<T> {
    if (known !== null) return call(known);
    let left = ways;
    for (;;) {
      const [fields = {}, ...others] = left;
      try {
        const answer = await call(fields);
        known = fields;
        return answer;
      } catch (error) {
        if (others.length === 0 || !isRefusal(error)) throw error;
        const offersLow = /\blow\b/.test((error as Error).message.slice(0, 500));
        left = others.filter((way) => way.reasoning_effort !== "low" || offersLow);
      }
    }
  };
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError)) return false;
  if (namesWindow(`${error.type} ${error.message}`)) return false;
  return refusals.has(error.status ?? 0) || (error.status === 500 && namesThinking(error));
}
