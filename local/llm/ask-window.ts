import { z } from "zod";
import { isPrivateHost } from "#worker/private-network.ts";

/** Asks a language model server on a person's own machine for the size of its context window. */

const answerTimeoutMs = 500;
const tokens = z.int().min(1);

/** llama.cpp, in its list of models. */
const llamaModels = z.object({
  data: z.array(z.object({ id: z.string(), meta: z.optional(z.object({ n_ctx: tokens })) })),
});
/** LM Studio's own list: https://lmstudio.ai/docs/developer/rest/endpoints */
const studioModels = z.object({
  data: z.array(z.object({ id: z.string(), loaded_context_length: z.optional(tokens) })),
});
/** Ollama's loaded models: https://docs.ollama.com/api/ps */
const ollamaLoaded = z.object({
  models: z.array(z.object({ model: z.string(), context_length: z.optional(tokens) })),
});
/** Ollama's model with its parameters, one a line: https://docs.ollama.com/api-reference/show-model-details */
const ollamaModel = z.object({ parameters: z.optional(z.string()) });

/**
 * The window of `model` at a Chat Completions address, in tokens; null if the server does not say it.
 *
 * @param url as `http://127.0.0.1:8080/v1`
 */
export async function askWindow(url: string, model: string): Promise<number | null> {
  const { origin } = new URL(url);
  const ways = [
    async () => {
      const { data } = llamaModels.parse(await fetchJson(`${url.replace(/\/$/, "")}/models`));
      return data.find(({ id }) => id === model)?.meta?.n_ctx;
    },
    async () => {
      const { data } = studioModels.parse(await fetchJson(`${origin}/api/v0/models`));
      return data.find(({ id }) => id === model)?.loaded_context_length;
    },
    async () => {
      const { models } = ollamaLoaded.parse(await fetchJson(`${origin}/api/ps`));
      return models.find((loaded) => loaded.model === model)?.context_length;
    },
    async () => {
      const body = JSON.stringify({ model });
      const { parameters = "" } = ollamaModel.parse(
        await fetchJson(`${origin}/api/show`, { method: "POST", body }),
      );
      const size = /^num_ctx\s+(\d+)$/m.exec(parameters)?.[1];
      return size === undefined ? undefined : Number(size);
    },
  ];
  const answers = await Promise.all(ways.map((way) => way().catch(() => undefined)));
  return answers.find((answer) => answer !== undefined) ?? null;
}

async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerTimeoutMs) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

type Environment = Record<string, string | undefined>;

/** The setting of the window for a server that the environment names, where it is on a private network; none otherwise. */
export async function askNamedWindow(env: Environment): Promise<Record<string, string>> {
  const { LLM_BASE_URL: url = "", LLM_MODEL: model } = env;
  const address = URL.parse(url);
  if (!model || address === null || !isPrivateHost(address.hostname)) return {};
  return selectWindow(env, await askWindow(url, model), address.host);
}

/**
 * `LLM_CONTEXT_TOKENS`: that of `env`, or else what the server has. Empty if neither is known.
 *
 * @throws Error for a setting that is larger than the server's window, in which prompts would be cut or refused
 */
export function selectWindow(
  { LLM_CONTEXT_TOKENS: chosen }: Environment,
  window: number | null,
  server: string,
): Record<string, string> {
  if (!chosen) return window === null ? {} : { LLM_CONTEXT_TOKENS: String(window) };
  if (window !== null && Number(chosen) > window)
    throw new Error(
      `LLM_CONTEXT_TOKENS is ${chosen}, but ${server} has a window of ${window} tokens. ` +
        `Set it to ${window} or less, leave it out, or start the server with a larger window (llama.cpp: -c; Ollama: OLLAMA_CONTEXT_LENGTH).`,
    );
  return { LLM_CONTEXT_TOKENS: chosen };
}
