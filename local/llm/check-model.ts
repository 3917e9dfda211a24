import { translateSentence } from "#server/ai/translation.ts";
import { AppError } from "#shared/errors.ts";
import { connectLlm } from "#worker/adapters/chat-completions.ts";

/** `silent`: it has not answered, for example because it is being loaded. */
export type Check = "translates" | "fails" | "silent";

/** Into Chinese, whose script shows it. Long enough that a word, English, or the sentence itself is no translation of it. */
const sentence =
  "Light travels through glass more slowly than through air, and this is why it bends.";
/** Ollama's default. */
const contextTokens = 4_096;

/** Asks a model on this machine for one translation, as lectures do. */
export async function checkModel(url: string, model: string, signal: AbortSignal): Promise<Check> {
  const llm = connectLlm({ baseUrl: url, apiKey: "none", model, contextTokens, isOwn: true });
  const request = {
    text: sentence,
    sourceLanguage: "en",
    targetLanguage: "zh-cn",
    context: "",
    wordContext: "",
  } as const;
  try {
    await translateSentence(llm, { ...request, signal, spend: async () => {} });
    return "translates";
  } catch (error) {
    return error instanceof AppError && error.code === "llm_unusable" ? "fails" : "silent";
  }
}
