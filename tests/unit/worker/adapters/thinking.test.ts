import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { connectLlm } from "#worker/adapters/chat-completions.ts";

/** Models that think, on servers that know different words for it. */

type Body = Record<string, unknown>;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** `bodies`: what the server was sent. */
async function serve(answer: (body: Body, response: ServerResponse) => void) {
  const bodies: Body[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await readJson(request)) as Body;
    bodies.push(body);
    answer(body, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { bodies, baseUrl };
}

const call = { system: "Translate.", user: "<text>Light bends.</text>", maxTokens: 700 };
const answer = "Licht bricht.";

function sendWhole(response: ServerResponse): void {
  const choices = [
    { index: 0, message: { role: "assistant", content: answer }, finish_reason: "stop" },
  ];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: "1", object: "chat.completion", choices }));
}

function sendFrame(response: ServerResponse, delta: object, finish: "stop" | null = null): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  const choices = [{ index: 0, delta, finish_reason: finish }];
  response.write(`data: ${JSON.stringify({ choices })}\n\n`);
}

function sendStream(response: ServerResponse): void {
  sendFrame(response, { content: answer });
  sendFrame(response, {}, "stop");
  response.end("data: [DONE]\n\n");
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error" } }));
}

const connect = (baseUrl: string, about: { model?: string; isOwn?: boolean } = {}) =>
  connectLlm({
    baseUrl,
    apiKey: "none",
    model: "qwen3:8b",
    contextTokens: 8_192,
    isOwn: true,
    ...about,
  });

const template = { chat_template_kwargs: { enable_thinking: false, thinking: false } };
const pickFields = ({ reasoning_effort, chat_template_kwargs }: Body) => ({
  ...(reasoning_effort === undefined ? {} : { reasoning_effort }),
  ...(chat_template_kwargs === undefined ? {} : { chat_template_kwargs }),
});

describe("a model is asked not to think", () => {
  const both = { reasoning_effort: "none", ...template };

  test("in the words that servers know", async () => {
    const { bodies, baseUrl } = await serve((_, response) => sendWhole(response));
    expect(await connect(baseUrl).complete(call)).toBe(answer);
    expect(bodies.map(pickFields)).toEqual([both]);
  });

  test.each<[string, (body: Body) => string | null, Body[]]>([
    [
      "it knows no variables of a template",
      (body) => ("chat_template_kwargs" in body ? "Unknown name chat_template_kwargs" : null),
      [both, { reasoning_effort: "none" }],
    ],
    [
      "it knows no such effort",
      ({ reasoning_effort: effort }) =>
        effort ? "Input should be 'low', 'medium' or 'high'" : null,
      [both, { reasoning_effort: "none" }, template],
    ],
    [
      "it knows neither",
      (body) => (Object.keys(pickFields(body)).length > 0 ? "Bad Request" : null),
      [both, { reasoning_effort: "none" }, template, {}],
    ],
    [
      "it must think, and can do so less",
      ({ reasoning_effort: effort, chat_template_kwargs: variables }) =>
        variables || effort !== "low" ? "reasoning_effort must be one of low, medium, high" : null,
      [both, { reasoning_effort: "none" }, template, { reasoning_effort: "low" }],
    ],
  ])("without what a server refuses, and that is remembered: %s", async (_, getRefusal, sent) => {
    const { bodies, baseUrl } = await serve((body, response) => {
      const refusal = getRefusal(body);
      if (refusal === null) sendWhole(response);
      else refuse(response, 400, refusal);
    });
    const llm = connect(baseUrl);
    for (const _call of [1, 2]) expect(await llm.complete(call)).toBe(answer);
    expect(bodies.map(pickFields)).toEqual([...sent, sent.at(-1)]);
  });

  test("beside a schema, which another refusal is not about", async () => {
    const { bodies, baseUrl } = await serve((body, response) => {
      if ("chat_template_kwargs" in body) refuse(response, 400, "Unknown: chat_template_kwargs");
      else sendWhole(response);
    });
    await connect(baseUrl).complete({ ...call, strings: ["translation"] });
    expect(bodies.map((body) => "response_format" in body)).toEqual([true, true]);
  });

  test("less, where it always thinks", async () => {
    const { bodies, baseUrl } = await serve((_, response) => sendWhole(response));
    await connect(baseUrl, { model: "gpt-oss:20b" }).complete(call);
    expect(bodies[0]).toMatchObject({ reasoning_effort: "low" });
  });

  test("for a summary only on a machine of one's own", async () => {
    const { bodies, baseUrl } = await serve((_, response) => sendStream(response));
    for (const isOwn of [true, false])
      for await (const _ of connect(baseUrl, { isOwn }).stream(call));
    expect(bodies.map(pickFields)).toEqual([both, {}]);
  });

  test.each([401, 404, 429])("and an answer of %i is about something else", async (status) => {
    const { bodies, baseUrl } = await serve((_, response) => {
      response.setHeader("x-should-retry", "false");
      refuse(response, status, "no");
    });
    await expect(connect(baseUrl).complete(call)).rejects.toThrow();
    expect(bodies).toHaveLength(1);
  });
});

describe("a model that thinks for longer than a whole answer may take", () => {
  const bounds = { answerTimeoutMs: 150, silenceMs: 5_000, streamMaxMs: 60_000 };

  /** Whole answers do not come in time; a stream shows thoughts, and goes on when `think` resolves. */
  async function connectThinker(toThought: (text: string) => object) {
    const thought = Promise.withResolvers<void>();
    const isThinking = Promise.withResolvers<void>();
    const { bodies, baseUrl } = await serve(async ({ stream }, response) => {
      if (!stream) return;
      sendFrame(response, toThought("Hm."));
      isThinking.resolve();
      await thought.promise;
      sendStream(response);
    });
    const settings = { baseUrl, apiKey: "none", model: "thinker", contextTokens: 8_192 };
    const llm = connectLlm(settings, bounds);
    return { llm, bodies, isThinking: isThinking.promise, endThought: thought.resolve };
  }

  test.each<[string, (text: string) => object]>([
    ["beside the answer", (reasoning_content) => ({ reasoning_content })],
    ["as Ollama says it", (reasoning) => ({ reasoning })],
    ["before the answer", (text) => ({ content: `<think>${text}</think>` })],
  ])("has its time counted from the answer's first piece: thoughts %s", async (_, toThought) => {
    const { llm, bodies, isThinking, endThought } = await connectThinker(toThought);
    await expect(llm.complete(call)).rejects.toMatchObject({ message: "no answer in time" });
    let hasRun = false;
    const onRun = () => {
      hasRun = true;
    };
    const answering = llm.complete({ ...call, onRun });
    await isThinking;
    expect(hasRun).toBe(false);
    endThought();
    expect(await answering).toBe(answer);
    expect(hasRun).toBe(true);
    expect(bodies.map(({ stream }) => stream ?? false)).toEqual([false, true]);
  });

  test.each([
    [9_000, true],
    [1_000, false],
  ])("is read as a stream after its caller has waited for %i ms: %s", async (ms, isStreamed) => {
    const isAsked = Promise.withResolvers<void>();
    const { bodies, baseUrl } = await serve((_, response) => {
      isAsked.resolve();
      if (bodies.length > 1) (bodies[1]?.stream ? sendStream : sendWhole)(response);
    });
    const llm = connect(baseUrl);
    const gone = new AbortController();
    const hungUp = llm.complete({ ...call, signal: gone.signal });
    await isAsked.promise;
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + ms);
    gone.abort();
    await expect(hungUp).rejects.toMatchObject({ message: "the caller hung up" });
    vi.restoreAllMocks();
    expect(await llm.complete(call)).toBe(answer);
    expect(bodies[1]?.stream ?? false).toBe(isStreamed);
  });
});
