import { afterEach, describe, expect, it, vi } from "vitest";
import { createBoundedFetch } from "#worker/adapters/bounded-fetch.ts";

const encoder = new TextEncoder();

/** What the library reads of a stream that arrives in `chunks`. */
async function read(chunks: Iterable<string>, whole = 1_000): Promise<string[]> {
  const iterator = chunks[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  const headers = { "content-type": "text/event-stream" };
  vi.stubGlobal("fetch", async () => new Response(body, { headers }));
  const response = await createBoundedFetch({ whole, stream: 1_000_000 })("https://llm.test");
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const part of response.body ?? []) parts.push(decoder.decode(part));
  return parts;
}

describe("a stream of server-sent events", () => {
  afterEach(() => void vi.unstubAllGlobals());

  const events = [
    "data: {}\n\n",
    "data: 1\ndata: 2\n\n",
    "data: [DONE]\r\n\r\n",
    "\n",
    ": ping\n\n",
  ];
  const text = events.join("");

  it.each([
    ["at once", [text]],
    ["in single bytes", text],
    ["cut anywhere", [text.slice(0, 5), text.slice(5, 33), text.slice(33)]],
  ])("reaches the library event by event when it arrives %s", async (_, chunks) => {
    expect(await read(chunks)).toEqual(events);
  });

  it("is passed on to its last byte where the end is missing", async () => {
    expect(await read(["data: 1\n\ndata: 2"])).toEqual(["data: 1\n\n", "data: 2"]);
  });

  it("of many events in one chunk is copied once", async () => {
    const parts = await read(["data: 1\n\n".repeat(5_000)]);
    expect(parts).toHaveLength(5_000);
    expect(new Set(parts)).toEqual(new Set(["data: 1\n\n"]));
  });

  it("fails when an event does not end", async () => {
    await expect(read(Array.from({ length: 200 }, () => "data: 12345"))).rejects.toMatchObject({
      code: "llm_failed",
    });
  });
});
