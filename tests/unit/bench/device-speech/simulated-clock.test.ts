import { expect, it } from "vitest";
import { SimulatedClock } from "#bench/device-speech/simulated-clock.ts";

/** Uses the processor for about `ms`. */
function work(ms: number): void {
  const since = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(since);
    if (user + system >= ms * 1_000) return;
  }
}

it("stands still while something is computed, and then moves on by as much as that took", async () => {
  const clock = new SimulatedClock(10);
  const found: string[] = [];
  void clock
    .compute(async () => work(30))
    .then(() => found.push(`computed at ${Math.floor(clock.now() / 300)} × 300 ms`));
  clock.after(250, () => found.push("timer"));
  await clock.advanceTo(200);
  expect([clock.now(), found]).toEqual([200, []]);
  await clock.advanceTo(250);
  expect(found).toEqual(["timer"]);
  await clock.advanceUntil(() => found.length === 2);
  expect(found).toEqual(["timer", "computed at 1 × 300 ms"]);
  const [busy] = clock.busy;
  expect(busy?.startMs).toBe(0);
  expect(busy?.endMs).toBe(clock.now());
});

it("runs timers in order, also those that others set", async () => {
  const clock = new SimulatedClock(1);
  const times: number[] = [];
  const cancel = clock.after(5, () => times.push(-1));
  clock.after(20, () => times.push(clock.now()));
  clock.after(10, () => {
    times.push(clock.now());
    clock.after(5, () => times.push(clock.now()));
  });
  cancel();
  await clock.advanceTo(100);
  expect([times, clock.now()]).toEqual([[10, 15, 20], 100]);
});

it("fails when it waits for what cannot come", async () => {
  await expect(new SimulatedClock(1).advanceUntil(() => false)).rejects.toThrow("nothing is left");
});

it("passes on an error of what is computed", async () => {
  const clock = new SimulatedClock(1);
  const computing = clock.compute(() => Promise.reject(new Error("broken")));
  const caught = computing.catch((error: Error) => error.message);
  await clock.advanceTo(10_000);
  expect(await caught).toBe("broken");
});
