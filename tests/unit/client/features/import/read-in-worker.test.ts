import { expect, it } from "vitest";
import { readInWorker } from "#client/features/import/read-in-worker.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

class FakeWorker extends EventTarget {
  readonly received: unknown[] = [];
  isTerminated = false;

  postMessage(message: unknown): void {
    this.received.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

const file = new File(["Hello."], "a.txt");

it("resolves to the result of the worker, and terminates the worker", async () => {
  const worker = new FakeWorker();
  const reading = readInWorker(file, new ManualClock(), () => worker);
  expect(worker.received).toEqual([file]);
  const answer = { error: { reason: "empty" } };
  worker.dispatchEvent(new MessageEvent("message", { data: answer }));
  expect(await reading).toEqual(answer);
  expect(worker.isTerminated).toBe(true);
});

it("refuses a file that takes longer than 20 s", async () => {
  const worker = new FakeWorker();
  const clock = new ManualClock();
  const reading = readInWorker(file, clock, () => worker);
  await clock.advance(20_000);
  expect(await reading).toEqual({ error: { reason: "slow" } });
  expect(worker.isTerminated).toBe(true);
});

it("refuses a file where the worker cannot be loaded", async () => {
  const worker = new FakeWorker();
  const reading = readInWorker(file, new ManualClock(), () => worker);
  worker.dispatchEvent(new Event("error"));
  expect(await reading).toEqual({ error: { reason: "unreadable" } });
});
