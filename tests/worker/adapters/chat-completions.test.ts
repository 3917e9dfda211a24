import { describe, expect, test } from "vitest";
import { ContextWindowExceeded, type Llm } from "#server/ports.ts";
import { readPieces } from "#tests/fixtures/read-pieces.ts";
import { failRequests, llm, openPrompts, untilOpen } from "#tests/worker/ai/support.ts";
import { connectLlm } from "#worker/adapters/chat-completions.ts";

const getErrorCode = (call: Promise<unknown>) =>
  call.then(
    () => "no error",
    (error) => error.code,
  );

/** Reads the stream of an answer. */
const read = (call: Parameters<Llm["stream"]>[0], model = connectLlm(llm)) =>
  readPieces(model.stream(call));

const prompt = (text: string) => ({
  system: "Target language: French",
  user: `<text>${text}</text>`,
  maxTokens: 4_000,
});

describe("a whole answer", () => {
  test.each([
    ["garbage", "llm_failed"],
    [401, "llm_failed"],
    [429, "rate_limited"],
  ])("%s is %s", async (fail, code) => {
    const text = `adapter fault ${fail}`;
    await failRequests(text, { fail });
    expect(await getErrorCode(connectLlm(llm).complete(prompt(text)))).toBe(code);
  });

  test("rejects at once when the caller aborts", async () => {
    await failRequests("slow adapter", { delayMs: 60_000 });
    const signal = AbortSignal.timeout(50);
    const call = connectLlm(llm).complete({ ...prompt("slow adapter"), signal });
    await expect(call).rejects.toMatchObject({ code: "llm_failed" });
  });

  test("is `llm_failed` without a server, and the logged detail contains no key", async () => {
    const nowhere = connectLlm({ ...llm, baseUrl: "http://127.0.0.1:1/v1", apiKey: "sk-secret" });
    const error = await nowhere.complete(prompt("x")).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: "llm_failed", message: "no connection" });
  });
});

describe("a stream", () => {
  const soon = { answerTimeoutMs: 20_000, silenceMs: 20_000, streamMaxMs: 20_000 };

  test("arrives in pieces and ends with the model's answer", async () => {
    const { pieces, text, failure } = await read(prompt("one two three."));
    expect(failure).toBeNull();
    expect(pieces.length).toBeGreaterThan(3);
    expect(text).toBe("〔Français·démonstration〕 one two three.");
  });

  test.each([
    ["cut", "llm_failed", "Error"],
    ["end", "llm_failed", "the stream was cut"],
    ["length", "llm_unusable", "the answer ended with length"],
    ["error", "llm_failed", "status none, code none"],
    ["garbage", "llm_failed", "SyntaxError"],
  ])(
    "throws after its first pieces if it breaks (%s), and no words are logged",
    async (fail, code, detail) => {
      const text = `one two three ${fail}.`;
      await failRequests(text, { fail });
      const { pieces, failure } = await read(prompt(text));
      expect(pieces.length).toBeGreaterThan(0);
      expect(failure).toMatchObject({ code, message: detail });
    },
  );

  test("is retried once if it does not begin", async () => {
    await failRequests("begin late", { fail: 503, count: 1 });
    expect((await read(prompt("begin late"))).failure).toBeNull();
    await failRequests("begin late", { fail: 503, count: 2 });
    const { pieces, failure } = await read(prompt("begin late"));
    expect(pieces).toEqual([]);
    expect(failure).toMatchObject({ code: "llm_failed" });
  });

  test("throws if it falls silent, and ends the model's work", async () => {
    await failRequests("fall silent", { fail: "stall" });
    const impatient = connectLlm(llm, { ...soon, silenceMs: 1_000 });
    const { pieces, failure } = await read(prompt("fall silent now"), impatient);
    expect(pieces.length).toBeGreaterThan(0);
    expect(failure).toMatchObject({ code: "llm_failed", message: "the stream fell silent" });
    await untilOpen("fall silent", 0);
  });

  test("is ended when nobody reads it any more", async () => {
    await failRequests("stop reading", { fail: "stall" });
    for await (const _ of connectLlm(llm).stream(prompt("stop reading"))) break;
    await untilOpen("stop reading", 0);
  });

  test("throws at once when the caller aborts", async () => {
    await failRequests("hang up", { fail: "stall" });
    const hangUp = new AbortController();
    const reading = read({ ...prompt("hang up"), signal: hangUp.signal });
    await untilOpen("hang up", 1);
    hangUp.abort();
    expect((await reading).failure).toMatchObject({ message: "the caller hung up" });
    await untilOpen("hang up", 0);
    const gone = await read({ ...prompt("x"), signal: hangUp.signal });
    expect(gone).toMatchObject({ pieces: [], failure: { message: "the caller hung up" } });
    expect(await openPrompts("hang up")).toBe(0);
  });

  test("reports a prompt beyond the context window", async () => {
    await failRequests("too long", { windowTokens: 20 });
    const { failure } = await read(prompt("too long ".repeat(40)));
    expect(failure).toBeInstanceOf(ContextWindowExceeded);
    expect((await read(prompt("too long"))).failure).toBeNull();
  });

  test.each([
    [401, "llm_failed"],
    [429, "rate_limited"],
    ["refuse", "llm_failed"],
  ])("answered with %s is %s", async (fail, code) => {
    await failRequests(`refused ${fail}`, { fail });
    const { failure } = await read(prompt(`refused ${fail}`));
    expect(failure).toMatchObject({ code });
  });
});
