import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLlmStandIn } from "#local/llm/stand-in.ts";
import { translateSentence } from "#server/ai/translation.ts";
import { AnswerCut, ContextWindowExceeded, type Llm } from "#server/ports.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { control, serve } from "#tests/unit/local/serve.ts";
import { connectLlm } from "#worker/adapters/chat-completions.ts";

/** The adapter and the translation, with a model on a person's own machine as those have behaved. */

let server: Awaited<ReturnType<typeof serve>>;
/** Bodies of the requests. */
let bodies: Record<string, unknown>[];
const realFetch = globalThis.fetch;

beforeEach(async () => {
  bodies = [];
  server = await serve(createLlmStandIn({ wait: async () => {} }));
  globalThis.fetch = (input, init) => {
    if (typeof init?.body === "string" && String(input).endsWith("/chat/completions"))
      bodies.push(JSON.parse(init.body));
    return realFetch(input, init);
  };
});
afterEach(async () => {
  globalThis.fetch = realFetch;
  await server.close();
});

const set = (body: object) => control(server.url, "/llm/", body);
const connect = (isOwn = true) =>
  connectLlm({
    baseUrl: `${server.url}/llm/v1`,
    apiKey: "none",
    model: "small",
    contextTokens: 2_048,
    isOwn,
  });

const text = "The cell takes up the glucose and stores it as starch.";
const translated =
  "〔Deutsch·Vorführung〕 Die Zelle nimmt die Glukose auf und speichert sie als Stärke.";

const translate = (llm: Llm, targetLanguage: TranslationLanguage = "de") =>
  translateSentence(llm, {
    text,
    sourceLanguage: "en",
    targetLanguage,
    context: "",
    wordContext: "",
    spend: async () => {},
  });

const unusable = { code: "llm_unusable" };

describe("a translation", () => {
  beforeEach(() => set({ answer: translated }));

  test("is asked for by a schema, with three times the tokens that it needs", async () => {
    expect(await translate(connect())).toBe(translated);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatchObject({
      response_format: { type: "json_schema", json_schema: { strict: true } },
    });
    expect(bodies[0]?.max_tokens).toBeLessThan(130);
  });

  test("is asked for without a schema after the server has refused one", async () => {
    await set({ schema: "refused" });
    const llm = connect();
    for (const _ of [1, 2]) expect(await translate(llm)).toBe(translated);
    expect(bodies.map((body) => "response_format" in body)).toEqual([true, false, false]);
  });

  test.each(["think", "unopened", "channels", "fence", "preface"])(
    "is read out of what surrounds it: %s",
    async (manner) => {
      await set({ schema: "ignored", manner });
      expect(await translate(connect())).toBe(translated);
    },
  );

  test("gets room for thoughts once the model has been seen to have some", async () => {
    await set({ manner: "think", answer: translated.repeat(3), schema: "ignored" });
    const llm = connect();
    await translate(llm).catch(() => {});
    await translate(llm).catch(() => {});
    const limits = bodies.map(({ max_tokens }) => Number(max_tokens));
    expect(limits[0]).toBeLessThan(130);
    expect(limits.at(-1)).toBeGreaterThan(1_500);
  });

  test.each(["echo", "wrongLanguage", "repeat"])("is refused: %s", async (manner) => {
    await set({ schema: "ignored", manner });
    await expect(translate(connect())).rejects.toMatchObject(unusable);
    expect(bodies).toHaveLength(1);
  });

  test("is refused if it goes round in circles within its limit", async () => {
    await set({ answer: "Die Zelle. ".repeat(8) });
    await expect(translate(connect())).rejects.toMatchObject(unusable);
  });

  test("is refused in another script", async () => {
    await expect(translate(connect(), "zh-cn")).rejects.toMatchObject(unusable);
    await set({ answer: "细胞吸收葡萄糖，并把它以 starch（淀粉）的形式储存。" });
    expect(await translate(connect(), "zh-cn")).toContain("淀粉");
  });
});

describe("a prompt that is too long", () => {
  const long = { system: "Summarise.", user: "word ".repeat(400), maxTokens: 100 };
  const read = async (llm: Llm) => {
    for await (const _ of llm.stream(long));
  };

  test.each(["openai", "exceeded", "slot"])(
    "is told as such, and not sent again: %s",
    async (windowError) => {
      await set({ windowTokens: 100, windowError });
      const llm = connect();
      await expect(read(llm)).rejects.toBeInstanceOf(ContextWindowExceeded);
      await expect(llm.complete(long)).rejects.toBeInstanceOf(ContextWindowExceeded);
      expect(bodies).toHaveLength(2);
    },
  );

  test("is told by a proxy's 413", async () => {
    await set({ fail: 413 });
    await expect(read(connect())).rejects.toBeInstanceOf(ContextWindowExceeded);
  });

  test("shows as an answer that is cut", async () => {
    await set({ fail: "length" });
    const llm = connect();
    await expect(read(llm)).rejects.toBeInstanceOf(AnswerCut);
    await expect(llm.complete(long)).rejects.toBeInstanceOf(AnswerCut);
  });
});

test.each(["think", "unopened", "channels", "fence", "preface"])(
  "what is around a summary is not part of it: %s",
  async (manner) => {
    await set({ manner, answer: "## Light\n\n- It bends." });
    const pieces: string[] = [];
    const prompt = { system: "", user: "<text>Light bends.</text>", maxTokens: 100 };
    for await (const piece of connect().stream(prompt)) pieces.push(piece);
    expect(pieces.join("")).toBe("## Light\n\n- It bends.");
  },
);

test("thoughts without an end are no answer", async () => {
  await set({ manner: "onlyThink", schema: "ignored" });
  const llm = connect();
  const read = async () => {
    for await (const _ of llm.stream({ system: "", user: "x", maxTokens: 100 }));
  };
  await expect(translate(llm)).rejects.toMatchObject(unusable);
  await expect(read()).rejects.toMatchObject(unusable);
});

describe("calls to a server of one's own", () => {
  /** Requests that the server is answering, until `finish` lets one end. */
  async function serveByHand() {
    await server.close();
    const begun: (() => void)[] = [];
    const wait = (ms: number) =>
      ms === 0 ? Promise.resolve() : new Promise<void>((resolve) => begun.push(resolve));
    server = await serve(createLlmStandIn({ wait }));
    await set({ answer: translated, delayMs: 1 });
    return begun;
  }

  test("take turns, and short ones go first", async () => {
    const begun = await serveByHand();
    const llm = connect();
    const order: string[] = [];
    const run = (name: string, call: Promise<unknown>) => call.then(() => order.push(name));
    const readAll = async () => {
      for await (const _ of llm.stream({ system: "", user: "long", maxTokens: 100 }));
    };
    const first = run("first", translate(llm));
    await expect.poll(() => begun.length).toBe(1);
    const calls = [run("summary", readAll()), run("second", translate(llm)), first];
    for (let done = 0; done < 3; done += 1) {
      await expect.poll(() => begun.length).toBe(done + 1);
      expect(order).toHaveLength(done);
      begun[done]?.();
      await expect.poll(() => order.length).toBe(done + 1);
    }
    await Promise.all(calls);
    expect(order).toEqual(["first", "second", "summary"]);
  });

  test("leave the queue when their caller hangs up", async () => {
    const begun = await serveByHand();
    const llm = connect();
    const first = translate(llm);
    await expect.poll(() => begun.length).toBe(1);
    const gone = new AbortController();
    const waiting = llm.complete({ system: "", user: "x", maxTokens: 9, signal: gone.signal });
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ message: "the caller hung up" });
    begun[0]?.();
    expect(await first).toBe(translated);
    expect(begun).toHaveLength(1);
  });

  test("a service gets them all at once", async () => {
    const begun = await serveByHand();
    const llm = connect(false);
    const calls = [translate(llm), translate(llm), translate(llm)];
    await expect.poll(() => begun.length).toBe(3);
    for (const end of begun) end();
    await Promise.all(calls);
  });
});
