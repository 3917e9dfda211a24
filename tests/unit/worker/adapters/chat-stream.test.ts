import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AnswerCut } from "#server/ports.ts";
import { readPieces } from "#tests/fixtures/read-pieces.ts";
import { readContent } from "#worker/adapters/chat-stream.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const bounds = { silenceMs: 1_000, streamMaxMs: 60_000, signal: undefined };
const words = (content: string) => ({ choices: [{ delta: { content }, finish_reason: null }] });
const finish = (reason: string) => ({ choices: [{ delta: {}, finish_reason: reason }] });

async function* frames(...all: unknown[]) {
  yield* all;
}
const never = new Promise<never>(() => {});

describe("readContent", () => {
  test("skips frames without text: role, usage, reasoning", async () => {
    const stream = frames(
      { choices: [{ delta: { role: "assistant", content: "" } }] },
      { choices: [{ delta: { reasoning_content: "hm" }, finish_reason: null }] },
      words("Light"),
      { choices: [{ delta: null }] },
      words(" bends"),
      finish("stop"),
      { choices: [], usage: { total_tokens: 3 } },
    );
    expect(await readPieces(readContent(stream, bounds))).toEqual({
      pieces: ["Light", " bends"],
      text: "Light bends",
      failure: null,
    });
  });

  test.each([
    ["a string", "words"],
    ["null", null],
    ["no choices", { object: "chunk" }],
    ["content that is no text", words(5 as unknown as string)],
  ])("fails on %s as a frame", async (_, frame) => {
    const { text, failure } = await readPieces(readContent(frames(words("Light"), frame), bounds));
    expect(text).toBe("Light");
    expect(failure).toMatchObject({ code: "llm_failed", message: "a frame that is none" });
  });

  test.each(["content_filter", "tool_calls"])(
    "fails if the stream ends with %s",
    async (reason) => {
      const { failure } = await readPieces(
        readContent(frames(words("Light"), finish(reason)), bounds),
      );
      expect(failure).toMatchObject({ message: `the stream ended with ${reason}` });
    },
  );

  test("says so if the stream has reached its limit", async () => {
    const { failure } = await readPieces(
      readContent(frames(words("Light"), finish("length")), bounds),
    );
    expect(failure).toBeInstanceOf(AnswerCut);
  });

  test("fails on silence between frames, not on the reader's pause", async () => {
    const more = Promise.withResolvers<void>();
    const stream = readContent(
      (async function* () {
        yield words("Light");
        await more.promise;
        yield words(" bends");
        await never;
      })(),
      bounds,
    );
    expect(await stream.next()).toEqual({ done: false, value: "Light" });
    await vi.advanceTimersByTimeAsync(5_000);
    const second = stream.next();
    await vi.advanceTimersByTimeAsync(999);
    more.resolve();
    expect(await second).toEqual({ done: false, value: " bends" });
    const third = stream.next().catch((failure: unknown) => failure);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await third).toMatchObject({ code: "llm_failed", message: "the stream fell silent" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends an endless stream", async () => {
    const endless = (async function* () {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        yield words("again ");
      }
    })();
    const reading = readPieces(readContent(endless, bounds));
    await vi.advanceTimersByTimeAsync(60_500);
    const { pieces, failure } = await reading;
    expect(pieces.length).toBeGreaterThan(100);
    expect(failure).toMatchObject({ message: "a stream without end" });
  });

  test("throws at once when the caller aborts", async () => {
    const hangUp = new AbortController();
    const silent = (async function* () {
      yield words("Light");
      await never;
    })();
    const stream = readContent(silent, { ...bounds, signal: hangUp.signal });
    await stream.next();
    const next = stream.next().catch((failure: unknown) => failure);
    hangUp.abort();
    expect(await next).toMatchObject({ message: "the caller hung up" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
