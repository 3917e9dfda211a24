import fc from "fast-check";
import { expect, it } from "vitest";
import { ExpiringSet } from "#server/expiring-set.ts";

const lifetimeMs = 100;

it("remembers a key until it expires", () => {
  const set = new ExpiringSet(lifetimeMs);
  set.add("a", 0);
  expect([set.has("a", 99), set.has("b", 99), set.has("a", 100)]).toEqual([true, false, false]);
});

it("holds exactly the keys that have not expired, in any order of additions", () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c"), afterMs: fc.nat(80) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const set = new ExpiringSet(lifetimeMs);
      const added: { key: string; at: number }[] = [];
      let now = 0;
      for (const { key, afterMs } of steps) {
        now += afterMs;
        const recent = new Set(
          added.filter(({ at }) => now - at < lifetimeMs).map((one) => one.key),
        );
        expect(set.has(key, now)).toBe(recent.has(key));
        expect(set.size).toBe(recent.size);
        set.add(key, now);
        added.push({ key, at: now });
      }
    }),
  );
});
