import { describe, expect, it } from "vitest";
import { runHourly, type Timer } from "#local/serve/hourly.ts";
import { watchSite } from "#local/serve/watch-site.ts";

/** Time that passes when it is told to. */
function createTimer(start: string) {
  let now = Date.parse(start);
  let due: { at: number; run: () => void } | null = null;
  const timer: Timer = {
    now: () => now,
    after(ms, run) {
      const mine = { at: now + ms, run };
      due = mine;
      return () => {
        if (due === mine) due = null;
      };
    },
  };
  return {
    timer,
    /** When the next run is due. */
    next: () => due && new Date(due.at).toISOString().slice(11, 16),
    async pass() {
      const { at, run } = due ?? { at: now, run: () => {} };
      due = null;
      now = at;
      run();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("runHourly", () => {
  it("runs at its minute of each hour, also after a failure", async () => {
    const { timer, next, pass } = createTimer("2026-11-30T08:20:00Z");
    const errors: unknown[] = [];
    let runs = 0;
    const job = async () => {
      runs += 1;
      if (runs === 1) throw new Error("the first");
    };
    const close = runHourly(17, job, (error) => errors.push(error), timer);
    expect(next()).toBe("09:17");
    await pass();
    expect(errors).toHaveLength(1);
    expect(next()).toBe("10:17");
    await pass();
    expect(runs).toBe(2);
    await close();
    expect(next()).toBeNull();
  });

  it("begins in the same hour where the minute is still to come", () => {
    const { timer, next } = createTimer("2026-11-30T08:05:00Z");
    void runHourly(
      17,
      async () => {},
      () => {},
      timer,
    );
    expect(next()).toBe("08:17");
  });

  it("ends after the job that is running, and begins no other", async () => {
    const { timer, next, pass } = createTimer("2026-11-30T08:05:00Z");
    const work = Promise.withResolvers<void>();
    const close = runHourly(
      17,
      () => work.promise,
      () => {},
      timer,
    );
    await pass();
    let isClosed = false;
    const closing = close().then(() => {
      isClosed = true;
    });
    await Promise.resolve();
    expect(isClosed).toBe(false);
    work.resolve();
    await closing;
    expect(next()).toBeNull();
  });
});

describe("watchSite", () => {
  it("reports a runtime that has not answered three times in a row", async () => {
    const { timer, next, pass } = createTimer("2026-11-30T08:00:00Z");
    const answers = [false, false, true, false, false, false];
    let deaths = 0;
    const ask = async () => answers.shift() ?? true;
    watchSite("http://127.0.0.1:1", () => (deaths += 1), { timer, ask });
    for (let n = 0; n < 5; n += 1) await pass();
    expect(deaths).toBe(0);
    await pass();
    expect(deaths).toBe(1);
    expect(next()).toBeNull();
  });
});
