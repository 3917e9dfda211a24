// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  vi.doUnmock("../../../../src/client/lib/streaming.ts");
});

test("an answer in pieces is read by code that is fetched for it", async () => {
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  const answered = vi.fn(async () => new Response(line({ "0": [[0], [null, 0, 0]] })));
  vi.stubGlobal("fetch", answered);
  const { trpc } = await import("../../../../src/client/lib/trpc.ts");
  const abort = new AbortController();
  const asking = trpc.ai.summarize.mutate(
    { text: "Light bends.", language: "English", targetLanguage: "none" },
    { signal: abort.signal },
  );
  asking.catch(() => {});
  await vi.waitFor(() => expect(answered).toHaveBeenCalledOnce());
  abort.abort();
  await expect(asking).rejects.toThrow();
});

test("a call that is called off before that code came asks nobody", async () => {
  const asked = vi.fn(() => new Promise<Response>(() => {}));
  vi.stubGlobal("fetch", asked);
  const { trpc } = await import("../../../../src/client/lib/trpc.ts");
  const abort = new AbortController();
  const asking = trpc.ai.summarize.mutate(
    { text: "Light bends.", language: "English", targetLanguage: "none" },
    { signal: abort.signal },
  );
  abort.abort();
  await expect(asking).rejects.toThrow();
  await import("../../../../src/client/lib/streaming.ts");
  expect(asked).not.toHaveBeenCalled();
});

test("where it cannot be fetched, the server counts as out of reach", async () => {
  vi.doMock("../../../../src/client/lib/streaming.ts", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const { createSessionApi } = await import("../../../../src/client/lib/api.ts");
  const { signal } = new AbortController();
  const pieces = createSessionApi().summarize(
    { text: "Light bends.", language: "English", targetLanguage: "none" },
    signal,
  );
  const read = async () => {
    for await (const _ of pieces);
  };
  await expect(read()).rejects.toMatchObject({ code: "unavailable", retryable: true });
});
