import OpenAI from "openai";

/** Names that Chat Completions servers use for the maximum number of output tokens. */
type LimitName = "max_completion_tokens" | "max_tokens";
export type OutputLimit = Partial<Record<LimitName, number>>;

/**
 * Adds the output limit to calls to one server. OpenAI's newer models reject `max_tokens`, and other
 * servers support nothing else; a rejected name is not sent again. A limit above the model's own is left
 * out of that call, so that the model's own applies.
 */
export function createOutputLimiter(baseUrl: string) {
  const isOpenAi = new URL(baseUrl).hostname.endsWith("openai.com");
  let name: LimitName = isOpenAi ? "max_completion_tokens" : "max_tokens";

  return async function withLimit<T>(
    maxTokens: number,
    call: (limit: OutputLimit) => Promise<T>,
  ): Promise<T> {
    const sent = name;
    try {
      return await call({ [sent]: maxTokens });
    } catch (error) {
      const refusal = classifyLimitError(error);
      if (refusal === null) throw error;
      if (refusal === "too high") return await call({});
    }
    const other = sent === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    try {
      const answer = await call({ [other]: maxTokens });
      name = other;
      return answer;
    } catch (error) {
      if (classifyLimitError(error) === null) throw error;
      return await call({});
    }
  };
}

/** Why a server refused the limit; null for an error that is about something else. */
function classifyLimitError(error: unknown): "unknown name" | "too high" | null {
  if (!(error instanceof OpenAI.APIError) || (error.status !== 400 && error.status !== 422))
    return null;
  // The message may repeat the whole prompt.
  const message = `${error.param ?? ""} ${error.message.slice(0, 500)}`;
  if (!/max_(?:completion_)?tokens/.test(message)) return null;
  const isUnknown =
    error.code === "unsupported_parameter" ||
    /unsupported|not supported|unrecognized|unknown|extra|not permitted/i.test(message);
  return isUnknown ? "unknown name" : "too high";
}
