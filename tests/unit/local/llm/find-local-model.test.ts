import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import type { checkModel } from "#local/llm/check-model.ts";
import { findLocalModel, LocalModelSearch, toSettings } from "#local/llm/find-local-model.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const translation = "光在玻璃中比在空气中传播得慢，这就是它弯折的原因。";

interface Server {
  /** The list of models. */
  list: object;
  /** What `/api/show` says of each model, and LM Studio's own list. */
  show?: Record<string, object>;
  studio?: object;
  /** The content of a model's answers; undefined: it never answers. */
  answers?: Record<string, string>;
}

/** A server of models; `asked`: those that were asked to translate. */
async function serve({ list, show, studio, answers = {} }: Server) {
  const asked: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (body: object | undefined) =>
      void response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}));
    if (request.url === "/v1/models") return send(list);
    if (request.url === "/api/v0/models") return send(studio);
    if (request.method !== "POST") return send(undefined);
    const { model } = (await readJson(request)) as { model: string };
    if (request.url === "/api/show") return send(show?.[model]);
    asked.push(model);
    const content = answers[model];
    if (content === undefined) return;
    response.setHeader("content-type", "application/json");
    const message = { role: "assistant", content };
    send({ object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const toList = (models: readonly string[]) => ({
  object: "list",
  data: models.map((id) => ({ id, object: "model" })),
});
const translateAll = (models: readonly string[]) =>
  Object.fromEntries(models.map((model) => [model, translation]));

/** A server that lists `models` as Ollama does; null: it never answers. */
async function serveModels(models: string[] | null): Promise<string> {
  if (models !== null) {
    const { url } = await serve({ list: toList(models), answers: translateAll(models) });
    return url;
  }
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const unreachable = { name: "LM Studio", url: "http://127.0.0.1:9/v1" };

describe("findLocalModel", () => {
  it("returns the first chat model of the first server that answers", async () => {
    const url = await serveModels(["nomic-embed-text:latest", "llama3.2:3b", "qwen3:8b"]);
    const found = await findLocalModel({}, [unreachable, { name: "Ollama", url }]);
    expect(found).toEqual({ server: "Ollama", url, model: "llama3.2:3b", window: null });
    expect(found && toSettings(found)).toMatchObject({
      LLM_BASE_URL: url,
      LLM_MODEL: "llama3.2:3b",
    });
  });

  it("keeps the window that the environment sets", () => {
    const model = {
      server: "Ollama",
      url: "http://127.0.0.1:11434/v1",
      model: "llama3.2:3b",
      window: null,
    };
    expect(toSettings(model).LLM_CONTEXT_TOKENS).toBe("4096");
    expect(toSettings(model, { LLM_CONTEXT_TOKENS: "32768" }).LLM_CONTEXT_TOKENS).toBe("32768");
  });

  it("does not wait for a server that never answers", async () => {
    const url = await serveModels(null);
    expect(await findLocalModel({}, [{ name: "Ollama", url }])).toBeNull();
  });

  it("ignores a server without a chat model", async () => {
    const url = await serveModels(["bge-m3"]);
    expect(await findLocalModel({}, [{ name: "Ollama", url }])).toBeNull();
  });

  it.each([
    { LOCAL_LLM: "off" },
    { LLM_BASE_URL: "http://127.0.0.1:1/v1" },
    { LLM_API_KEY: "key" },
  ])("does not search with %o", async (env) => {
    const url = await serveModels(["llama3.2:3b"]);
    expect(await findLocalModel(env, [{ name: "Ollama", url }])).toBeNull();
  });
});

const search = (url: string, check?: typeof checkModel) =>
  new LocalModelSearch({}, [{ name: "Ollama", url }], check);

describe("which model is chosen", () => {
  it.each<[string[], string | null]>([
    [["gpt-oss:120b-cloud", "minimax-m3:cloud", "llama3.2:3b"], "llama3.2:3b"],
    [["gpt-oss:120b-cloud"], null],
    [["qwen3-coder:480b-cloud", "kimi-k2:1t-cloud"], null],
    [["paraphrase-multilingual:latest", "deepseek-ocr:3b", "llama3.2:3b"], "llama3.2:3b"],
    [["llama-guard3:8b", "shieldgemma:2b", "gpt-oss-safeguard:20b", "gemma3:4b"], "gemma3:4b"],
    [["bge-reranker-v2-m3", "jina-reranker", "qwen3:8b"], "qwen3:8b"],
    [["text-embedding-nomic-embed-text-v1.5", "whisper-large-v3", "qwen3:8b"], "qwen3:8b"],
    [["llava:7b", "qwen2.5vl:7b", "llama3.2:3b"], "llama3.2:3b"],
    [["llava:7b"], "llava:7b"],
  ])("of %j: %j", async (models, right) => {
    const { asked, url } = await serve({ list: toList(models), answers: translateAll(models) });
    const found = search(url);
    expect((await found.find())?.model ?? null).toBe(right);
    expect(asked).toEqual(right === null ? [] : [right]);
    const others = found.leftOut.map(({ model }) => model);
    expect(models.filter((id) => id !== right && !/llava|vl:/.test(id))).toEqual(others);
  });

  it("follows what Ollama says of its models", async () => {
    const models = ["one", "two", "three", "four"];
    const { url } = await serve({
      list: toList(models),
      show: {
        one: { capabilities: ["embedding"] },
        two: { capabilities: ["completion"], remote_host: "https://ollama.com:443" },
        three: { capabilities: ["completion", "vision"] },
        four: { capabilities: ["completion", "tools", "thinking"] },
      },
      answers: translateAll(models),
    });
    const found = search(url);
    expect((await found.find())?.model).toBe("four");
    expect(found.leftOut).toEqual([
      { server: "Ollama", model: "one", why: "it embeds texts" },
      { server: "Ollama", model: "two", why: "it answers on another machine" },
    ]);
  });

  it.each<[string, Omit<Server, "answers">]>([
    [
      "LM Studio's types",
      {
        list: toList(["one", "two", "three"]),
        studio: {
          data: [
            { id: "one", type: "embeddings" },
            { id: "two", type: "vlm" },
            { id: "three", type: "llm" },
          ],
        },
      },
    ],
    [
      "llama.cpp's second list",
      {
        list: {
          ...toList(["one", "two", "three"]),
          models: [
            { model: "one", capabilities: ["embedding"] },
            { model: "two", capabilities: ["completion", "multimodal"] },
            { model: "three", capabilities: ["completion"] },
          ],
        },
      },
    ],
    [
      "capabilities and kinds of output in the list",
      {
        list: {
          data: [
            { id: "one", capabilities: { completion_chat: false, embeddings: true } },
            { id: "two", architecture: { output_modalities: ["image"] } },
            { id: "three", capabilities: { completion_chat: true } },
          ],
        },
      },
    ],
  ])("follows %s", async (_, server) => {
    const { url } = await serve({ ...server, answers: translateAll(["one", "two", "three"]) });
    expect((await search(url).find())?.model).toBe("three");
  });

  it.each([
    [
      "the sentence itself",
      "Light travels through glass more slowly than through air, and this is why it bends.",
    ],
    ["a verdict", "safe"],
    [
      "another language",
      "Sure, I can help you with that. Please tell me what you would like to know.",
    ],
    ["thoughts without an end", "<think>The user wants a translation"],
    ["circles", "光会弯折。".repeat(20)],
  ])("is none that answers with %s", async (_, content) => {
    const models = ["odd:1b", "llama3.2:3b"];
    const answers = { "odd:1b": content, "llama3.2:3b": translation };
    const { asked, url } = await serve({ list: toList(models), answers });
    const found = search(url);
    expect((await found.find())?.model).toBe("llama3.2:3b");
    expect(found.why).toBe("it has translated a sentence");
    expect(found.leftOut).toEqual([
      { server: "Ollama", model: "odd:1b", why: "its answer to a sentence was no translation" },
    ]);
    await found.find();
    expect(asked.filter((model) => model === "odd:1b")).toHaveLength(1);
  });

  it("is one that has not answered yet, where none has translated", async () => {
    const url = await serveModels(["big:70b", "odd:1b", "other:70b"]);
    const models = search(url, async (_, model) => (model === "odd:1b" ? "fails" : "silent"));
    expect((await models.find())?.model).toBe("big:70b");
    expect(models.why).toBe("it has not answered yet");
    expect(models.leftOut.map(({ model }) => model)).toEqual(["odd:1b", "other:70b"]);
  });
});
