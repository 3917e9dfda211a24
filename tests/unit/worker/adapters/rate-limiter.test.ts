import { expect, it } from "vitest";
import { createRateLimiter } from "#worker/adapters/rate-limiter.ts";

it("refuses a key that was refused for five seconds without asking, and no other", async () => {
  const keys: string[] = [];
  let now = 0;
  const binding = {
    async limit({ key }: { key: string }) {
      keys.push(key);
      return { success: key !== "full" };
    },
  };
  const limiter = createRateLimiter(binding, () => now);
  const allow = () => Promise.all([limiter.allow("full"), limiter.allow("free")]);
  expect(await allow()).toEqual([false, true]);
  now = 4_999;
  expect(await allow()).toEqual([false, true]);
  expect(keys).toEqual(["full", "free", "free"]);
  now = 5_000;
  await allow();
  expect(keys.slice(3)).toEqual(["full", "free"]);
});
