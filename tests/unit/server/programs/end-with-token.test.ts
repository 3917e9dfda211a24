import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endWithToken } from "#server/programs/end-with-token.ts";
import { AppError } from "#shared/errors.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream whose pieces come when the test says so. */
function createStream() {
  const pieces: PromiseWithResolvers<string>[] = [];
  let isLeft = false;
  async function* read() {
    try {
      for (;;) {
        const piece = Promise.withResolvers<string>();
        pieces.push(piece);
        yield await piece.promise;
      }
    } finally {
      isLeft = true;
    }
  }
  return { stream: read(), pieces, isLeft: () => isLeft };
}

it("passes pieces on while the token is live, and asks no more after the end", async () => {
  const isLive = vi.fn(async () => true);
  async function* read() {
    yield* ["a", "b"];
  }
  const passed: string[] = [];
  for await (const piece of endWithToken(read(), isLive)) {
    passed.push(piece);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(passed).toEqual(["a", "b"]);
  const calls = isLive.mock.calls.length;
  expect(calls).toBeGreaterThan(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isLive).toHaveBeenCalledTimes(calls);
});

it("ends within a second while no piece comes, and leaves the stream behind it", async () => {
  let live = true;
  const { stream, pieces, isLeft } = createStream();
  const passed = endWithToken(stream, async () => live);
  const first = passed.next();
  pieces[0]?.resolve("a");
  expect(await first).toEqual({ done: false, value: "a" });
  const second = passed.next().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  live = false;
  await vi.advanceTimersByTimeAsync(999);
  expect(await second).toMatchObject({ code: "unauthenticated" });
  expect(isLeft()).toBe(false);
  pieces[1]?.resolve("late");
  await vi.advanceTimersByTimeAsync(0);
  expect(isLeft()).toBe(true);
});

it("ends with the failure when the token cannot be checked", async () => {
  const passed = endWithToken(createStream().stream, async () => {
    throw new AppError("unavailable");
  });
  const next = passed.next().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(999);
  expect(await next).toMatchObject({ code: "unavailable" });
});
