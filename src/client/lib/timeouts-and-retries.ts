import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import { getBackoffMs } from "#shared/limits.ts";

const attemptsMax = 4;
const backoff = { firstMs: 500, maxMs: Infinity };

const createTimeoutError = () => new ApiError("unavailable", true);

/**
 * Runs `call` until it settles, `limitMs` have passed or `outer` aborts. Its own signal aborts then. `getLeftMs`: asked
 * when `limitMs` have passed, and again after what it says: how much longer to wait, ms.
 *
 * @throws ApiError `unavailable` after a timeout or abort; otherwise what the call threw
 */
export async function withTimeout<T>(
  clock: Clock,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
  getLeftMs: () => number = () => 0,
): Promise<T> {
  if (outer?.aborted === true) throw createTimeoutError();
  const controller = new AbortController();
  let settle = () => {};
  // The race enforces the limit even if the call ignores its signal.
  const ended = new Promise<never>((_, reject) => {
    const end = () => {
      controller.abort();
      reject(createTimeoutError());
    };
    let cancel = () => {};
    const wait = (ms: number) => {
      cancel = clock.after(ms, () => {
        const leftMs = getLeftMs();
        if (leftMs > 0) wait(leftMs);
        else end();
      });
    };
    wait(limitMs);
    outer?.addEventListener("abort", end);
    settle = () => {
      cancel();
      outer?.removeEventListener("abort", end);
    };
  });
  try {
    return await Promise.race([call(controller.signal), ended]);
  } finally {
    settle();
  }
}

/**
 * Repeats `call` after retryable errors with growing pauses, up to four attempts and until `signal`
 * aborts. After `rate_limited` it waits at least as long as the server says.
 *
 * @throws what the last attempt threw
 */
export async function withRetries<T>(
  clock: Clock,
  call: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      const final = !(error instanceof ApiError) || !error.retryable || failures + 1 >= attemptsMax;
      if (final || signal?.aborted === true) throw error;
      const retryAfterMs =
        error.code === "rate_limited" ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      await pause(clock, Math.max(getBackoffMs(backoff, failures), retryAfterMs), signal);
    }
  }
}

/** Resolves after `ms`, or when `signal` aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener("abort", done);
  });
}
