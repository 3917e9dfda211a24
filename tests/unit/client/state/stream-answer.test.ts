import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { streamAnswer } from "#client/state/stream-answer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pause = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000));

/** What is read of an answer whose pieces come after these pauses. */
async function read(...pauses: number[]) {
  async function* answer() {
    for (const seconds of pauses) {
      await pause(seconds);
      yield seconds;
    }
  }
  const pieces: number[] = [];
  const reading = (async () => {
    for await (const piece of streamAnswer(async () => answer(), new AbortController().signal))
      pieces.push(piece);
  })().catch((failure: unknown) => failure);
  await vi.advanceTimersByTimeAsync(1_000_000);
  return { pieces, failure: await reading };
}

test("a model that thinks before it answers is waited for", async () => {
  expect(await read(100, 50, 50)).toEqual({ pieces: [100, 50, 50], failure: undefined });
});

test("an answer that stops for a minute has failed", async () => {
  const { pieces, failure } = await read(1, 61);
  expect(pieces).toEqual([1]);
  expect(failure).toBeInstanceOf(Error);
});
