import { expect, test, vi } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import {
  type TranslationJob,
  TranslationQueue,
} from "#client/realtime/translation/translation-queue.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";
import { createTranslator } from "#tests/unit/client/realtime/kit/manual-translator.ts";

function job(position: number): TranslationJob {
  return {
    position,
    text: `s${position}`,
    sourceLanguage: "en",
    language: "fr",
    context: "",
    wordContext: "",
  };
}

function createQueue() {
  const clock = new ManualClock();
  const { calls, translate, texts } = createTranslator();
  const done: [number, string | null][] = [];
  const queue = new TranslationQueue({
    translate,
    clock,
    log: { warn() {} },
    onDone: ({ position }, text) => done.push([position, text]),
  });
  return { clock, calls, texts, done, queue };
}

test("asks for four at once, in order, and shows each as it comes", async () => {
  const { clock, calls, texts, done, queue } = createQueue();
  for (let position = 0; position < 6; position += 1) queue.add(job(position));
  expect(texts()).toEqual(["s0", "s1", "s2", "s3"]);
  calls[2]?.answer("deux");
  await clock.advance(0);
  expect(done).toEqual([[2, "deux"]]);
  expect(texts()).toEqual(["s0", "s1", "s2", "s3", "s4"]);
  expect(queue.pendingCount).toBe(5);
});

test("a passing failure is tried twice more, before later sentences, without holding a place meanwhile", async () => {
  const { clock, calls, texts, done, queue } = createQueue();
  for (let position = 0; position < 6; position += 1) queue.add(job(position));
  calls[0]?.fail(new ApiError("llm_failed", true));
  await clock.advance(0);
  expect(texts()).toEqual(["s0", "s1", "s2", "s3", "s4"]);
  await clock.advance(1_000);
  calls[1]?.answer("un");
  await clock.advance(0);
  expect(texts().at(-1)).toBe("s0");
  calls.at(-1)?.fail(new ApiError("llm_failed", true));
  await clock.advance(2_000);
  for (const call of calls.slice(2, 5)) call.answer("other");
  await clock.advance(0);
  expect(texts().slice(-2)).toEqual(["s5", "s0"]);
  calls.at(-1)?.fail(new ApiError("llm_failed", true));
  await clock.advance(60_000);
  expect(done).toContainEqual([0, null]);
  expect(texts().filter((text) => text === "s0")).toHaveLength(3);
});

test("a server out of reach is tried until it answers, at once when the network is back", async () => {
  const { clock, calls, done, queue } = createQueue();
  queue.add(job(0));
  for (let tries = 1; tries <= 10; tries += 1) {
    expect(calls).toHaveLength(tries);
    calls.at(-1)?.fail(new ApiError("unavailable", true));
    await clock.advance(15_000);
  }
  calls.at(-1)?.fail(new ApiError("unavailable", true));
  await clock.advance(0);
  expect(calls).toHaveLength(11);
  queue.wake();
  expect(calls).toHaveLength(12);
  calls.at(-1)?.answer("zero");
  await clock.advance(60_000);
  expect(done).toEqual([[0, "zero"]]);
  expect(clock.timers).toBe(0);
});

test("a server that was out of reach leaves the model its three attempts", async () => {
  const { clock, calls, done, queue } = createQueue();
  queue.add(job(0));
  for (let tries = 1; tries <= 3; tries += 1) {
    calls.at(-1)?.fail(new ApiError("unavailable", true));
    await clock.advance(15_000);
  }
  for (let tries = 1; tries <= 2; tries += 1) {
    calls.at(-1)?.fail(new ApiError("rate_limited", true));
    await clock.advance(15_000);
    expect(done).toEqual([]);
  }
  calls.at(-1)?.fail(new ApiError("llm_failed", true));
  await clock.advance(0);
  expect(calls).toHaveLength(6);
  expect(done).toEqual([[0, null]]);
});

test("a failure for good is not tried again", async () => {
  const { clock, calls, done, queue } = createQueue();
  queue.add(job(0));
  calls[0]?.fail(new ApiError("validation_failed", false));
  await clock.advance(60_000);
  expect(calls).toHaveLength(1);
  expect(done).toEqual([[0, null]]);
});

test("20 s without an answer is a failure, even when the call ignores its signal", async () => {
  const { clock, calls, done, queue } = createQueue();
  queue.add(job(0));
  await clock.advance(20_000);
  expect(calls[0]?.signal.aborted).toBe(true);
  await clock.advance(1_000);
  expect(calls).toHaveLength(2);
  await clock.advance(20_000 + 2_000 + 20_000);
  expect(done).toEqual([[0, null]]);
  calls[0]?.answer("late");
  await clock.advance(0);
  expect(done).toHaveLength(1);
  expect(clock.timers).toBe(0);
});

test("follows the server's Retry-After", async () => {
  const { clock, calls, queue } = createQueue();
  queue.add(job(0));
  calls[0]?.fail(new ApiError("rate_limited", true, { retryAfterSeconds: 5 }));
  await clock.advance(4_900);
  expect(calls).toHaveLength(1);
  await clock.advance(100);
  expect(calls).toHaveLength(2);
});

test("tells when nothing is pending", async () => {
  const { clock, calls, queue } = createQueue();
  const onIdle = vi.fn();
  queue.whenIdle(onIdle);
  expect(onIdle).toHaveBeenCalledOnce();
  queue.add(job(0));
  queue.whenIdle(onIdle);
  expect(onIdle).toHaveBeenCalledOnce();
  calls[0]?.answer("x");
  await clock.advance(0);
  expect(onIdle).toHaveBeenCalledTimes(2);
});
