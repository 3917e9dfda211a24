import { z } from "zod";
import { askWindow, selectWindow } from "./ask-window.ts";

/** Language model servers that people run on their own machine, at their standard addresses. */
const servers = [
  { name: "Ollama", url: "http://127.0.0.1:11434/v1" },
  { name: "LM Studio", url: "http://127.0.0.1:1234/v1" },
  { name: "llama.cpp", url: "http://127.0.0.1:8080/v1" },
];

export interface LocalModel {
  /** The server's name. */
  server: string;
  /** Base URL of its Chat Completions endpoint. */
  url: string;
  model: string;
  /** Its window in tokens; null if the server does not say it. */
  window: number | null;
}

const answerTimeoutMs = 500;
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });
/** Models that answer no chat. */
const noChatModel = /embed|rerank|bge-|minilm|whisper|tts|clip/i;

/**
 * The first chat model of a server on this machine. Null without one, and where the environment names a
 * language model itself (`LLM_…`) or forbids the search (`LOCAL_LLM=off`).
 */
export async function findLocalModel(
  env: Record<string, string | undefined>,
  candidates = servers,
): Promise<LocalModel | null> {
  if (env.LOCAL_LLM === "off" || env.LLM_BASE_URL || env.LLM_API_KEY || env.LLM_MODEL) return null;
  const found = await Promise.all(
    candidates.map(async ({ name, url }) => {
      const model = await fetchChatModel(url);
      return model === null
        ? null
        : { server: name, url, model, window: await askWindow(url, model) };
    }),
  );
  return found.find((model) => model !== null) ?? null;
}

/**
 * The settings of the worker with which it uses `model`. A window in `env` goes first.
 *
 * @throws Error as `selectWindow`
 */
export const toSettings = (
  { server, url, model, window }: LocalModel,
  env: Record<string, string | undefined> = {},
): Record<string, string> => ({
  LLM_BASE_URL: url,
  LLM_MODEL: model,
  // Ollama's default, which is smaller than the window of the services.
  LLM_CONTEXT_TOKENS: "4096",
  ...selectWindow(env, window, server),
});

async function fetchChatModel(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(answerTimeoutMs) });
    if (!response.ok) return null;
    const { data } = modelList.parse(await response.json());
    return data.map(({ id }) => id).find((id) => !noChatModel.test(id)) ?? null;
  } catch {
    return null;
  }
}
