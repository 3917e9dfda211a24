import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendInPieces } from "#worker/http/send-in-pieces.ts";

const kibibyte = 1_024;
const timeoutMs = 20_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An answer whose producer says how much was taken from it, and whether it was ended. */
function produce(chunks: number, chunkBytes: number) {
  const state = { taken: 0, cancelled: null as unknown };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.taken === chunks) {
          controller.close();
          return;
        }
        state.taken += 1;
        controller.enqueue(new Uint8Array(chunkBytes).fill(state.taken));
      },
      cancel(reason) {
        state.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, reader: sendInPieces(body, timeoutMs).getReader() };
}

test("an answer arrives whole, in pieces of 64 KiB at most", async () => {
  const { reader } = produce(3, 100 * kibibyte);
  const pieces: Uint8Array[] = [];
  for (let read = await reader.read(); !read.done; read = await reader.read())
    pieces.push(read.value);
  expect(pieces.map(({ byteLength }) => byteLength / kibibyte)).toEqual([64, 36, 64, 36, 64, 36]);
  expect(pieces.map(([first]) => first)).toEqual([1, 1, 2, 2, 3, 3]);
  expect(vi.getTimerCount()).toBe(0);
});

test("nothing is taken from the producer before it is read", async () => {
  const { state, reader } = produce(100, kibibyte);
  await vi.advanceTimersByTimeAsync(timeoutMs);
  expect(state.taken).toBe(0);
  await reader.read();
  expect(state.taken).toBe(1);
});

test("the producer is ended when a piece was not followed by another read in time", async () => {
  const { state, reader } = produce(100, kibibyte);
  for (let n = 0; n < 3; n += 1) {
    await reader.read();
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
  }
  expect(state.cancelled).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(state.cancelled).toMatchObject({ message: "the answer is not read" });
  await expect(reader.read()).rejects.toThrow("the answer is not read");
  expect(state.taken).toBe(3);
});

test("the time that the producer needs does not count", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await promise;
      controller.enqueue(new Uint8Array(1));
      controller.close();
    },
  });
  const reader = sendInPieces(body, timeoutMs).getReader();
  const read = reader.read();
  await vi.advanceTimersByTimeAsync(10 * timeoutMs);
  resolve();
  expect((await read).value).toHaveLength(1);
});

test("a caller that goes away ends the producer", async () => {
  const { state, reader } = produce(100, kibibyte);
  await reader.read();
  await reader.cancel("gone");
  expect(state.cancelled).toBe("gone");
  expect(vi.getTimerCount()).toBe(0);
});
