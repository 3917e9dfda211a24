import { expect, test, vi } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { AnswerTimes } from "#client/translation/answer-times.ts";
import { type TranslationJob, TranslationQueue } from "#client/translation/translation-queue.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { createTranslator } from "#tests/unit/client/recorder/kit/manual-translator.ts";

function job(position: number, more: Partial<TranslationJob> = {}): TranslationJob {
  return {
    ...more,
    id: `${position}`,
    startMs: 0,
    ordinal: position,
    text: `s${position}`,
    sourceLanguage: "en",
    language: "fr",
    context: "",
    wordContext: "",
  };
}

/** `usualMs`: the time of the answers before. */
function createQueue({ usualMs = 500 }: { usualMs?: number | null } = {}) {
  const times = new AnswerTimes();
  const waits: object[] = [];
  const clock = new ManualClock();
  if (usualMs !== null) for (const _ of [1, 2, 3]) times.add(usualMs, clock.now());
  const { calls, translate, texts } = createTranslator();
  const done: [number, string | null][] = [];
  const queue = new TranslationQueue({
    translate,
    times,
    clock,
    log: { warn() {} },
    onWait: ({ code }, state) => waits.push({ code, ...state }),
    onDone: ({ ordinal }, text) => done.push([ordinal, text]),
  });
  return { clock, calls, texts, done, queue, waits };
}

test("asks a fast translator for four at once, and shows each as it comes", async () => {
  const { clock, calls, texts, done, queue } = createQueue();
  for (let position = 0; position < 6; position += 1) queue.add(job(position));
  expect(texts()).toEqual(["s0", "s1", "s2", "s3"]);
  calls[2]?.answer("deux");
  await clock.advance(0);
  expect(done).toEqual([[2, "deux"]]);
  expect(texts()).toEqual(["s0", "s1", "s2", "s3", "s5"]);
  expect(queue.pendingCount).toBe(5);
});

test("a slow machine gets one at a time, the newest first, and then those that were passed over", async () => {
  const { clock, calls, texts, done, queue } = createQueue({ usualMs: 8_000 });
  queue.add(job(0));
  for (const position of [1, 2]) queue.add(job(position));
  expect(texts()).toEqual(["s0"]);
  await clock.advance(8_000);
  calls[0]?.answer("zero");
  await clock.advance(0);
  expect(texts()).toEqual(["s0", "s2"]);
  queue.add(job(3));
  await clock.advance(8_000);
  calls[1]?.answer("deux");
  await clock.advance(0);
  expect(texts().at(-1)).toBe("s3");
  for (let at = 2; at < 4; at += 1) {
    await clock.advance(8_000);
    calls[at]?.answer("x");
    await clock.advance(0);
  }
  expect(texts()).toEqual(["s0", "s2", "s3", "s1"]);
  expect(done.map(([position]) => position)).toEqual([0, 2, 3, 1]);
  expect(queue.pendingCount).toBe(0);
});

test("two go out before anything is known, and one while answers take 6 s", async () => {
  const { clock, calls, texts, queue } = createQueue({ usualMs: null });
  for (let position = 0; position < 4; position += 1) queue.add(job(position));
  expect(texts()).toEqual(["s0", "s1"]);
  await clock.advance(6_000);
  for (const call of calls) call.answer("x");
  await clock.advance(0);
  expect(texts()).toEqual(["s0", "s1", "s3"]);
});

test("a whole lecture follows what was just said, from the first row to the last", async () => {
  const { clock, calls, texts, queue } = createQueue({ usualMs: 8_000 });
  queue.add(job(9));
  for (const position of [1, 0]) queue.add(job(position, { isOfWhole: true }));
  queue.add(job(10));
  for (let at = 0; at < 4; at += 1) {
    await clock.advance(7_000);
    calls[at]?.answer("x");
    await clock.advance(0);
  }
  expect(texts()).toEqual(["s9", "s10", "s0", "s1"]);
});

test("an answer that is none is asked for once more", async () => {
  const { clock, calls, done, queue } = createQueue();
  queue.add(job(0));
  calls[0]?.fail(new ApiError("llm_unusable", true));
  await clock.advance(1_000);
  calls[1]?.fail(new ApiError("llm_unusable", true));
  await clock.advance(60_000);
  expect(calls).toHaveLength(2);
  expect(done).toEqual([[0, null]]);
});

test("a passing failure is tried twice more, without holding a place meanwhile", async () => {
  const { clock, calls, texts, done, queue } = createQueue();
  for (let position = 0; position < 6; position += 1) queue.add(job(position));
  expect(texts()).toEqual(["s0", "s1", "s2", "s3"]);
  calls[0]?.fail(new ApiError("llm_failed", true));
  await clock.advance(0);
  expect(texts().at(-1)).toBe("s5");
  await clock.advance(1_000);
  for (const call of calls.slice(1)) call.answer("other");
  await clock.advance(0);
  expect(texts().slice(-2)).toEqual(["s4", "s0"]);
  calls.at(-1)?.fail(new ApiError("llm_failed", true));
  await clock.advance(2_000);
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
  // The answer may only need longer.
  await clock.advance(39_999);
  expect(calls[1]?.signal.aborted).toBe(false);
  await clock.advance(1 + 2_000 + 80_000);
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

test("a request at its limit is late where others are answered, and a failure where none is", async () => {
  const alive = createQueue();
  alive.queue.add(job(0));
  await alive.clock.advance(20_000);
  expect(alive.waits).toEqual([{ code: "unavailable", isPaused: false, isLate: true }]);
  const silent = createQueue({ usualMs: null });
  silent.queue.add(job(0));
  await silent.clock.advance(20_000);
  expect(silent.waits).toEqual([{ code: "unavailable", isPaused: false, isLate: false }]);
});

test("the time that a request waits for the model's other calls is not counted", async () => {
  const { clock, calls, done, queue, waits } = createQueue();
  queue.add(job(0));
  await clock.advance(5_000);
  calls[0]?.onQueue?.(true);
  await clock.advance(300_000);
  expect(calls[0]?.signal.aborted).toBe(false);
  calls[0]?.onQueue?.(false);
  await clock.advance(14_900);
  expect(waits).toEqual([]);
  calls[0]?.answer("zero");
  await clock.advance(0);
  expect(done).toEqual([[0, "zero"]]);
  // The limit of the next request goes by the time in which the model worked: four times 19.9 s.
  queue.add(job(1));
  await clock.advance(79_000);
  expect(calls[1]?.signal.aborted).toBe(false);
  await clock.advance(700);
  expect(calls[1]?.signal.aborted).toBe(true);
});

test("a request that has run for its limit after a wait is given up", async () => {
  const { clock, calls, queue } = createQueue();
  queue.add(job(0));
  calls[0]?.onQueue?.(true);
  await clock.advance(60_000);
  calls[0]?.onQueue?.(false);
  await clock.advance(19_900);
  expect(calls[0]?.signal.aborted).toBe(false);
  await clock.advance(200);
  expect(calls[0]?.signal.aborted).toBe(true);
});
