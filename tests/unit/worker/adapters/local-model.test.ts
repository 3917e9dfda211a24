import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findLocalModel, toSettings } from "#local/llm/find-local-model.ts";
import { summarise } from "#server/ai/summarize-lecture.ts";
import { createTranslationPrompt, parseTranslation } from "#server/ai/translation.ts";
import { connectLlm } from "#worker/adapters/chat-completions.ts";

/**
 * A server with Ollama's wire: https://docs.ollama.com/api/openai-compatibility. It answers with the words of
 * the prompt, so that an answer is known to be its own.
 */

interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  max_tokens?: number;
}

const model = "llama3.2:3b";
const requests: ChatRequest[] = [];
const envelope = { id: "chatcmpl-42", created: 1_763_800_000, system_fingerprint: "fp_ollama" };

function createAnswer({ messages: [system, user] }: ChatRequest): string {
  const text = /<text>(.*?)<\/text>/s.exec(user?.content ?? "")?.[1];
  const isTranslation = system?.content.includes("You interpret");
  if (text?.startsWith("Light travels"))
    return "光在玻璃中比在空气中传播得慢，这就是它弯折的原因。";
  return isTranslation ? `Übersetzt: ${text}` : "## Light\n\n- It bends in glass.";
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET" && request.url === "/v1/models") {
    const data = ["nomic-embed-text:latest", model].map((id) => ({
      id,
      object: "model",
      created: envelope.created,
      owned_by: "library",
    }));
    return sendJson(response, 200, { object: "list", data });
  }
  if (request.method !== "POST" || request.url !== "/v1/chat/completions")
    return void response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
  const chat = (await readJson(request)) as ChatRequest;
  requests.push(chat);
  const content = createAnswer(chat);
  if (!chat.stream) {
    const message = { role: "assistant", content };
    return sendJson(response, 200, {
      ...envelope,
      object: "chat.completion",
      model,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 30, completion_tokens: 10, total_tokens: 40 },
    });
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (piece: string, finish_reason: "stop" | null) => {
    const choices = [{ index: 0, delta: { role: "assistant", content: piece }, finish_reason }];
    const chunk = { ...envelope, object: "chat.completion.chunk", model, choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const piece of content.match(/.{1,6}/gs) ?? []) send(piece, null);
  send("", "stop");
  response.end("data: [DONE]\n\n");
}

const server = createServer((request, response) => void answer(request, response));
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The worker's model with the settings that the search for a local one has found. */
async function connect() {
  const found = await findLocalModel({}, [{ name: "Ollama", url }]);
  if (!found) throw new Error("no model was found");
  const { LLM_BASE_URL = "", LLM_MODEL = "", LLM_CONTEXT_TOKENS } = toSettings(found);
  const contextTokens = Number(LLM_CONTEXT_TOKENS);
  return connectLlm({ baseUrl: LLM_BASE_URL, apiKey: "none", model: LLM_MODEL, contextTokens });
}

describe("a model on this machine", () => {
  it("translates", async () => {
    const llm = await connect();
    const request = { text: "Light bends.", context: "", wordContext: "" };
    const languages = { sourceLanguage: "en", targetLanguage: "de" } as const;
    const prompt = createTranslationPrompt({ ...request, ...languages });
    const translated = await llm.complete({ ...prompt, maxTokens: 500 });
    expect(parseTranslation(translated, { ...request, ...languages })).toBe(
      "Übersetzt: Light bends.",
    );
    expect(requests.at(-1)).toMatchObject({ model, max_tokens: 500 });
  });

  it("summarises in pieces", async () => {
    const pieces: string[] = [];
    const task = {
      text: "Light bends in glass. ".repeat(20),
      marks: [],
      languages: ["de"],
      spokenIn: "en",
    } as const;
    for await (const piece of summarise(await connect(), task)) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join("")).toBe("## Light\n\n- It bends in glass.");
    expect(requests.at(-1)).toMatchObject({ model, stream: true });
  });
});
