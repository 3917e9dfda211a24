import { env } from "cloudflare:test";
import { expect, it } from "vitest";

it("paces the sessions of all rooms in one object", async () => {
  const openings = env.SPEECH_OPENINGS.getByName(crypto.randomUUID());
  expect(await openings.reserve("first", 1)).toBe(0);
  const waitMs = await openings.reserve("second", 1);
  expect(waitMs).toBeGreaterThan(55_000);
  expect(waitMs).toBeLessThanOrEqual(65_000);
});
