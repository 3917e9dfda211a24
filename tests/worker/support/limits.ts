import type { RateLimiter } from "#server/ports.ts";
import { getErrorData } from "./errors.ts";

/**
 * Repeats a call until it is rate-limited, and returns the data of the refusals. The tests' limiter
 * counts by minutes of the clock, so up to twice the `limit` may be accepted.
 */
export async function callUntilLimited(
  limit: number,
  call: (n: number) => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  const refusals: Record<string, unknown>[] = [];
  for (let n = 0; n <= 2 * limit && refusals.at(-1)?.appCode !== "rate_limited"; n += 1)
    refusals.push(await getErrorData(call(n)));
  return refusals;
}

/** Resolves when at least `seconds` are left of the limiter's minute. */
export async function waitForWindow(seconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1_000) await new Promise((resolve) => setTimeout(resolve, left));
}

/** Uses up the limit of `key`, which stays used up for at least `seconds` less the time that this takes. */
export async function useUp(limiter: RateLimiter, key: string, seconds = 15): Promise<void> {
  await waitForWindow(seconds);
  while (await limiter.allow(key));
}
