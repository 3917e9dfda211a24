import { beforeEach, expect, it, vi } from "vitest";
import { readInWorker } from "#client/features/import/read-in-worker.ts";

let worker: FakeWorker;

class FakeWorker extends EventTarget {
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();

  constructor() {
    super();
    worker = this;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Worker", FakeWorker);
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

it.each([
  [
    "resolves to the worker's result",
    () =>
      worker.dispatchEvent(new MessageEvent("message", { data: { error: { reason: "empty" } } })),
    "empty",
  ],
  ["refuses a file that takes longer than 20 s", () => vi.advanceTimersByTime(20_000), "slow"],
  [
    "refuses a file where the worker cannot be loaded",
    () => worker.dispatchEvent(new Event("error")),
    "unreadable",
  ],
])("%s, and terminates the worker", async (_does, end, reason) => {
  const file = new File(["Hello."], "a.txt");
  const reading = readInWorker({ file, encoding: null });
  expect(worker.postMessage).toHaveBeenCalledWith({ file, encoding: null });
  end();
  expect(await reading).toEqual({ error: { reason } });
  expect(worker.terminate).toHaveBeenCalledOnce();
});
