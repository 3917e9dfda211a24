import { afterEach, expect, test, vi } from "vitest";
import { trpcClient } from "#client/state/trpc-client.ts";
import { modelProcedures } from "#shared/streamed-procedures.ts";

afterEach(() => void vi.unstubAllGlobals());

/** A server that answers nothing: what was requested, and which requests were ended. */
function stubServer() {
  const requests: { url: string; signal: AbortSignal | null }[] = [];
  vi.stubGlobal("window", {});
  vi.stubGlobal("fetch", (url: string, { signal = null }: RequestInit) => {
    requests.push({ url: String(url), signal });
    return new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  });
  return requests;
}

test.each([...modelProcedures])(
  "%s is a request of its own, which ends when its caller aborts it",
  async (procedure) => {
    const requests = stubServer();
    const [first, second] = [new AbortController(), new AbortController()];
    const call = ({ signal }: AbortController) =>
      trpcClient.mutation(procedure, {}, { signal }).catch(() => "ended");
    const ended = call(first);
    void call(second);
    await vi.waitUntil(() => requests.length === 2);
    first.abort();
    expect(await ended).toBe("ended");
    expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    expect(requests[0]?.url).toContain(`/trpc/${procedure}?batch=1`);
    second.abort();
  },
);
