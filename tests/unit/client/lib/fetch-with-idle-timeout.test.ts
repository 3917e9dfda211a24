import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFetchWithIdleTimeout } from "#client/lib/fetch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose answer is written by the test. */
function server() {
  const line = {
    body: null as ReadableStreamDefaultController<Uint8Array> | null,
    cancelled: false,
    signal: null as AbortSignal | null,
    say: (text: string) => line.body?.enqueue(new TextEncoder().encode(text)),
  };
  const run = async (_: RequestInfo | URL, init?: { signal?: AbortSignal | null | undefined }) => {
    line.signal = init?.signal ?? null;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        line.body = controller;
        line.signal?.addEventListener("abort", () => controller.error(line.signal?.reason));
      },
      cancel() {
        line.cancelled = true;
      },
    });
    return new Response(stream, { status: 207, headers: { "x-kept": "yes" } });
  };
  return { line, run };
}

describe("createFetchWithIdleTimeout", () => {
  test("passes the response on and leaves no timer behind", async () => {
    const { line, run } = server();
    const response = await createFetchWithIdleTimeout(1_000, run)("/x");
    expect([response.status, response.headers.get("x-kept")]).toEqual([207, "yes"]);
    const text = response.text();
    for (const word of ["Light ", "bends ", "here."]) {
      line.say(word);
      await vi.advanceTimersByTimeAsync(900);
    }
    line.body?.close();
    expect(await text).toBe("Light bends here.");
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails a response that stops sending, and ends its request", async () => {
    const { line, run } = server();
    const response = await createFetchWithIdleTimeout(1_000, run)("/x");
    const text = response.text().catch((failure: unknown) => failure);
    line.say("Light ");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await text).toMatchObject({ message: "The answer fell silent." });
    expect(line.signal?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails a response that never begins", async () => {
    const never = createFetchWithIdleTimeout(
      1_000,
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        }),
    );
    const answer = never("/x").catch((failure: unknown) => failure);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toMatchObject({ message: "The answer fell silent." });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends when the caller aborts or stops reading", async () => {
    const { line, run } = server();
    const abort = new AbortController();
    const response = await createFetchWithIdleTimeout(1_000, run)("/x", { signal: abort.signal });
    const text = response.text().catch((failure: unknown) => failure);
    abort.abort(new Error("enough"));
    expect(await text).toMatchObject({ message: "enough" });

    const other = await createFetchWithIdleTimeout(1_000, run)("/x");
    await other.body?.cancel();
    expect(line.cancelled).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
