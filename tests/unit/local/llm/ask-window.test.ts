import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { askNamedWindow, askWindow, selectWindow } from "#local/llm/ask-window.ts";
import { createLlmStandIn } from "#local/llm/stand-in.ts";
import { control, serve } from "#tests/unit/local/serve.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that answers with `answers` by method and path, and 404 to all else; returns its base URL. */
async function serveAnswers(answers: Record<string, unknown>): Promise<string> {
  const server = createServer((request, response) => {
    const body = answers[`${request.method} ${request.url}`];
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const list = { data: [{ id: "small", object: "model" }] };

describe("askWindow", () => {
  test.each([
    ["llama.cpp", { "GET /v1/models": { data: [{ id: "small", meta: { n_ctx: 2_048 } }] } }],
    [
      "LM Studio",
      {
        "GET /v1/models": list,
        "GET /api/v0/models": {
          data: [{ id: "small", max_context_length: 131_072, loaded_context_length: 2_048 }],
        },
      },
    ],
    [
      "Ollama with the model loaded",
      {
        "GET /v1/models": list,
        "GET /api/ps": { models: [{ model: "small", context_length: 2_048 }] },
      },
    ],
    [
      "Ollama with a parameter of the model",
      {
        "GET /v1/models": list,
        "GET /api/ps": { models: [] },
        "POST /api/show": { parameters: 'stop  "<|eot|>"\nnum_ctx    2048' },
      },
    ],
  ])("%s", async (_, answers) =>
    expect(await askWindow(await serveAnswers(answers), "small")).toBe(2_048),
  );

  test("knows nothing of a server that does not say it, or is not there", async () => {
    expect(await askWindow(await serveAnswers({ "GET /v1/models": list }), "small")).toBeNull();
    expect(await askWindow("http://127.0.0.1:9/v1", "small")).toBeNull();
  });

  test("reads what the stand-in reports", async () => {
    const server = await serve(createLlmStandIn());
    closers.push(server.close);
    await control(server.url, "/llm/", { reportedWindow: 2_048 });
    expect(await askWindow(`${server.url}/llm/v1`, "dualect-demo")).toBe(2_048);
  });
});

describe("the window that is used", () => {
  const chosen = (tokens: string) => ({ LLM_CONTEXT_TOKENS: tokens });

  test("is the person's, or else the server's", () => {
    expect(selectWindow(chosen("1024"), 2_048, "llama.cpp")).toEqual(chosen("1024"));
    expect(selectWindow(chosen("32768"), null, "llama.cpp")).toEqual(chosen("32768"));
    expect(selectWindow({}, 2_048, "llama.cpp")).toEqual(chosen("2048"));
    expect(selectWindow({}, null, "llama.cpp")).toEqual({});
  });

  test("is refused, with its reason, if the server has less", () => {
    expect(() => selectWindow(chosen("32768"), 2_048, "llama.cpp")).toThrow(
      /LLM_CONTEXT_TOKENS is 32768, but llama.cpp has a window of 2048 tokens\. Set it to 2048 or less/,
    );
  });

  test("is asked of a server that the environment names, on a private network alone", async () => {
    const url = await serveAnswers({
      "GET /v1/models": { data: [{ id: "small", meta: { n_ctx: 2_048 } }] },
    });
    const env = { LLM_BASE_URL: url, LLM_MODEL: "small" };
    expect(await askNamedWindow(env)).toEqual(chosen("2048"));
    await expect(askNamedWindow({ ...env, LLM_CONTEXT_TOKENS: "4096" })).rejects.toThrow("2048");
    expect(await askNamedWindow({ ...env, LLM_MODEL: "other" })).toEqual({});
    const elsewhere = { LLM_BASE_URL: "https://llm.example.org/v1", LLM_MODEL: "small" };
    expect(await askNamedWindow(elsewhere)).toEqual({});
  });
});
