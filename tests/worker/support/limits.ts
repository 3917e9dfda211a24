import { getErrorData } from "./errors.ts";

/**
 * What one call after the other answers beside its code, until one is refused for its number. The limiter
 * of the tests counts by minutes of the clock, so twice the `limit` may pass, and no more.
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

/** Resolves when at least `seconds` are left of the minute by which the limiter of the tests counts. */
export async function waitForWindow(seconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1_000) await new Promise((resolve) => setTimeout(resolve, left));
}
