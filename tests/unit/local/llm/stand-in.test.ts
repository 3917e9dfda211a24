import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLlmStandIn } from "#local/llm/stand-in.ts";
import type { Wait } from "#local/wait.ts";
import { control, serve } from "#tests/unit/local/serve.ts";

let server: Awaited<ReturnType<typeof serve>>;
let client: OpenAI;
/** Delays of answers, ms. */
let waits: number[];
let wait: Wait;

beforeEach(async () => {
  waits = [];
  wait = async (ms) => {
    waits.push(ms);
  };
  const now = () => new Date("2026-11-20T13:17:00.500Z");
  server = await serve(createLlmStandIn({ now, wait: (ms, signal) => wait(ms, signal) }));
  client = new OpenAI({ baseURL: `${server.url}/llm/v1`, apiKey: "any", maxRetries: 0 });
});
afterEach(() => server.close());

type Body = Pick<OpenAI.Chat.ChatCompletionCreateParams, "model" | "messages">;

const about = (text: string): Body => ({
  model: "some-model",
  messages: [
    { role: "system", content: "Target language: Japanese" },
    { role: "user", content: `<text>${text}</text>` },
  ],
});
const expected = "〔日本語·デモ〕 one two three。";
const injectFailure = (body: object) => control(server.url, "/llm/", body);
const answerTo = async (text: string) =>
  (await client.chat.completions.create(about(text))).choices[0]?.message.content;

describe("the official client", () => {
  test("completes a prompt", async () => {
    const completion = await client.chat.completions.create(about("one two three."));
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      created: Date.parse("2026-11-20T13:17:00Z") / 1_000,
      model: "some-model",
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: expected } },
      ],
    });
    const { usage } = completion;
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
    expect(await answerTo("one two three.")).toBe(expected);
  });

  test("streams several chunks, with usage if requested", async () => {
    const stream = await client.chat.completions.create({
      ...about("one two three."),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const contents = chunks.map((chunk) => chunk.choices[0]?.delta.content).filter(Boolean);
    expect(contents.length).toBeGreaterThan(3);
    expect(contents.join("")).toBe(expected);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) },
    });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test("accepts content in parts and a token limit", async () => {
    const completion = await client.chat.completions.create({
      model: "m",
      max_completion_tokens: 3,
      messages: [
        { role: "developer", content: [{ type: "text", text: "Target language: German" }] },
        { role: "user", content: [{ type: "text", text: "<text>one two three four</text>" }] },
      ],
    });
    const [choice] = completion.choices;
    expect(choice?.finish_reason).toBe("length");
    expect("〔Deutsch·Vorführung〕 one two three four").toContain(choice?.message.content);
    expect(completion.usage?.completion_tokens).toBeLessThanOrEqual(3);
  });

  test("lists models", async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["dualect-demo"]);
  });

  test("answers many requests at once, each with its own text", async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `Sentence ${index}`);
    expect(await Promise.all(texts.map(answerTo))).toEqual(
      texts.map((text) => `〔日本語·デモ〕 ${text}`),
    );
  });
});

describe("invalid input", () => {
  const { messages } = about("x");
  test.each([
    [{ messages }, "model"],
    [{ model: "m" }, "messages"],
    [{ model: "m", messages: [] }, "messages"],
    [{ model: "m", messages: [{ role: "judge", content: "x" }] }, "messages[0].role"],
    [{ model: "m", messages: [{ role: "user", content: 5 }] }, "messages[0].content"],
    [{ model: "m", messages, temperature: 3 }, "temperature"],
    [{ model: "m", messages, n: 2 }, "n"],
    [{ model: "m", messages, stream: "yes" }, "stream"],
  ])("%j", async (body, param) => {
    const error = await client.post("/chat/completions", { body }).catch((reason) => reason);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({
      param,
      type: "invalid_request_error",
      message: expect.stringContaining(param),
    });
  });

  test("rejects invalid JSON, too long bodies, unknown paths and methods", async () => {
    const url = `${server.url}/llm/v1/chat/completions`;
    const post = (body: string) => fetch(url, { method: "POST", body });
    const answers = await Promise.all([
      post("{"),
      post(" ".repeat(5 * 1024 * 1024)),
      fetch(`${server.url}/llm/v1/other`),
      fetch(url),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 413, 404, 405]);
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({ error: { type: "invalid_request_error" } });
    }
    await expect(client.get("/other")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe("failure injection", () => {
  test.each([
    [401, OpenAI.AuthenticationError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
    [503, OpenAI.InternalServerError],
  ])("answers with status %i for `count` requests", async (status, type) => {
    await injectFailure({ fail: status, count: 2 });
    for (const _ of [1, 2]) await expect(answerTo("one")).rejects.toBeInstanceOf(type);
    expect(await answerTo("one two three.")).toBe(expected);
  });

  test("cuts the connection with `refuse`", async () => {
    await injectFailure({ fail: "refuse" });
    await expect(answerTo("one")).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    await injectFailure({ reset: true });
    expect(await answerTo("one two three.")).toBe(expected);
  });

  test("sends an invalid completion with `garbage`, whole or streamed", async () => {
    await injectFailure({ fail: "garbage" });
    await expect(answerTo("one")).rejects.toThrow();
    await expect(client.chat.completions.stream(about("one")).finalContent()).rejects.toThrow();
  });

  test("cuts the connection in the middle of the answer with `cut`", async () => {
    await injectFailure({ fail: "cut" });
    await expect(answerTo("one two three.")).rejects.toThrow();
    const stream = await client.chat.completions.create({
      ...about("one two three."),
      stream: true,
    });
    let text = "";
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    })();
    await expect(reading).rejects.toThrow();
    expect(text.length).toBeGreaterThan(0);
    expect(expected.startsWith(text)).toBe(true);
    expect(text.length).toBeLessThan(expected.length);
  });

  test.each(["end", "error", "garbage", "length"])(
    "ends the answer after half of it with `%s`, whole or streamed",
    async (fail) => {
      await injectFailure({ fail });
      const words = "one two three four five six";
      const whole = client.chat.completions.create(about(words));
      if (fail === "length") {
        const { choices } = await whole;
        expect(choices[0]).toMatchObject({ finish_reason: "length" });
      } else await expect(whole).rejects.toThrow();

      const stream = await client.chat.completions.create({ ...about(words), stream: true });
      let text = "";
      const finishes: unknown[] = [];
      const reading = (async () => {
        for await (const { choices } of stream) {
          text += choices[0]?.delta.content ?? "";
          if (choices[0]?.finish_reason) finishes.push(choices[0].finish_reason);
        }
      })();
      if (fail === "error" || fail === "garbage") await expect(reading).rejects.toThrow();
      else await reading;
      expect(finishes).toEqual(fail === "length" ? ["length"] : []);
      expect(`〔日本語·デモ〕 ${words}`.startsWith(text) && text.length > 0).toBe(true);
      expect(text.length).toBeLessThan(words.length);
    },
  );

  test("sends half of the answer and then nothing with `stall`, and counts it as open", async () => {
    const open = async (match: string) =>
      (await (await fetch(`${server.url}/llm/open?match=${match}`)).json()) as {
        open: number;
        languages: (string | null)[];
      };
    await injectFailure({ fail: "stall", match: "stall" });
    const stream = await client.chat.completions.create({
      ...about("stall one two three"),
      stream: true,
    });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    expect(await open("stall")).toEqual({ open: 1, languages: ["Japanese"] });
    expect(await open("another")).toEqual({ open: 0, languages: [] });
    stream.controller.abort();
    await expect.poll(() => open("stall")).toMatchObject({ open: 0 });
  });

  test("replaces the demonstration with `answer`", async () => {
    await injectFailure({ answer: "[Summary Failed]", match: "bad" });
    expect(await answerTo("bad")).toBe("[Summary Failed]");
    const stream = client.chat.completions.stream(about("bad"));
    expect(await stream.finalContent()).toBe("[Summary Failed]");
    expect(await answerTo("one two three.")).toBe(expected);
  });

  test("rejects longer prompts than `windowTokens` with OpenAI's error", async () => {
    await injectFailure({ windowTokens: 40 });
    expect(await answerTo("one two three.")).toBe(expected);
    for (const stream of [false, true]) {
      const long = { ...about("one two three. ".repeat(20)), stream };
      const error = await client.chat.completions.create(long).catch((reason) => reason);
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ code: "context_length_exceeded", param: "messages" });
      expect(error.message).toContain("maximum context length is 40 tokens");
    }
  });

  test("applies a rule to texts that contain `match`; the latest rule wins", async () => {
    await injectFailure({ fail: 500, match: "bad" });
    await injectFailure({ fail: 429, match: "worse", count: 1 });
    await expect(answerTo("bad")).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(answerTo("bad and worse")).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(answerTo("bad and worse")).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    expect(await answerTo("one two three.")).toBe(expected);
    const besides = about("fine");
    besides.messages.push({ role: "user", content: "bad <text>fine</text>" });
    await expect(client.chat.completions.create(besides)).resolves.toBeDefined();
  });

  test("delays answers by `delayMs`", async () => {
    await injectFailure({ delayMs: 700, match: "slow" });
    await answerTo("quick");
    await answerTo("slow");
    expect(waits).toEqual([0, 700]);
  });

  test.each([[{ fail: 200 }], [{ fail: "explode" }], [{ count: 0 }], [{ match: "" }], [{ x: 1 }]])(
    "rejects %j",
    async (body) => {
      await expect(injectFailure(body)).rejects.toThrow("Invalid value");
    },
  );
});

describe("a client that disconnects", () => {
  // `responses.test.ts` disconnects in the middle of a stream.
  test("ends the work before the answer begins", async () => {
    const held = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    wait = async (_, signal) => {
      held.resolve();
      if (!signal.aborted) {
        await new Promise<void>((gone) => signal.addEventListener("abort", () => gone()));
      }
      ended.resolve();
    };
    const abort = new AbortController();
    const request = client.chat.completions
      .create(about("one two three four five"), { signal: abort.signal })
      .catch(() => {});
    await held.promise;
    abort.abort();
    await ended.promise;
    await request;
    wait = async () => {};
    expect(await answerTo("one two three.")).toBe(expected);
  });

  test("ends delayed answers when the stand-in closes", async () => {
    const held = Promise.withResolvers<void>();
    wait = (_, signal) => {
      held.resolve();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    };
    const pending = answerTo("one").catch((reason: unknown) => reason);
    await held.promise;
    await server.close();
    expect(await pending).toBeInstanceOf(OpenAI.APIConnectionError);
  });
});
