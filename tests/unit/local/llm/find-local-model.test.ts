import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { findLocalModel, toSettings } from "#local/llm/find-local-model.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that lists `models` as Ollama does; null: it never answers. */
async function serveModels(models: string[] | null): Promise<string> {
  const server = createServer((request, response) => {
    if (models === null) return;
    const body = { object: "list", data: models.map((id) => ({ id, object: "model" })) };
    response.writeHead(request.url === "/v1/models" ? 200 : 404).end(JSON.stringify(body));
  });
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
