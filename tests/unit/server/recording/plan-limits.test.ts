import { describe, expect, test } from "vitest";
import { hasCapacity, planLevels, planLimits } from "#server/recording/plan-limits.ts";
import { createGrant, TestRoom } from "./room/test-room.ts";

const levels = planLevels.map((level) => ({ level }));

describe("a speech service with limited streams", () => {
  test.each([1, 2, 5, 10, 100])(
    "with %i streams serves paid plans longest, guests shortest",
    (streams) => {
      const fits = planLevels.map((level) => {
        let active = 0;
        while (hasCapacity(level, active, streams)) active += 1;
        return active;
      });
      expect(fits).toEqual([...fits].sort((a, b) => a - b));
      expect(fits.at(-1)).toBe(streams);
      expect(fits[0]).toBeGreaterThan(0);
      if (streams >= 10) expect(fits[0]).toBeLessThan(fits[1] ?? 0);
    },
  );

  test.each(levels)("accepts everybody without a limit: $level", ({ level }) => {
    expect(hasCapacity(level, 1_000_000, null)).toBe(true);
  });
});

describe("a plan's priority", () => {
  test.each(levels)("is sent to the speech service: $level", ({ level }) => {
    const room = new TestRoom();
    room.connect("a", createGrant({ level }));
    room.config({ from: 0 });
    room.audio(0);
    const delay = planLimits[level].endpointDelayMs;
    expect(room.listEffects("openProvider")[0]?.start.endpointDelayMs).toBe(delay);
    expect(delay).toBeGreaterThanOrEqual(500);
    expect(delay).toBeLessThanOrEqual(3_000);
    room.providerOpened();
    room.take();
    room.now += 1_000;
    room.providerFailed(429);
    const { provider } = room.state;
    const waitMs = provider.kind === "waiting" ? provider.until - room.now : 0;
    expect(waitMs).toBe(planLimits[level].rateLimitedRetryMs);
  });

  test("grows from level to level", () => {
    for (const [index, level] of planLevels.entries()) {
      const next = planLevels[index + 1];
      if (!next) break;
      expect(planLimits[next].maxRecordings).toBeGreaterThanOrEqual(
        planLimits[level].maxRecordings,
      );
      expect(planLimits[next].streamShare).toBeGreaterThanOrEqual(planLimits[level].streamShare);
      expect(planLimits[next].endpointDelayMs).toBeLessThanOrEqual(
        planLimits[level].endpointDelayMs,
      );
      expect(planLimits[next].rateLimitedRetryMs).toBeLessThan(
        planLimits[level].rateLimitedRetryMs,
      );
    }
  });

  test("changes with the plan during a recording", () => {
    const room = new TestRoom().ready().speak(0, 80);
    room.pass(1_000);
    room.usageFlushed({ level: "premium", limitMs: 360_000_000 });
    room.providerFailed(503);
    room.take();
    room.pass(10_000);
    expect(room.listEffects("openProvider")[0]?.start.endpointDelayMs).toBe(
      planLimits.premium.endpointDelayMs,
    );
  });
});
