import { getBackoffMs } from "#shared/backoff.ts";
import type { Clock } from "./platform/ports.ts";
import { ApiError } from "./server-api.ts";

const tries = 4;
const retries = { firstMs: 500, maxMs: Infinity };

const createTimeoutError = () => new ApiError("unavailable", true);

/**
 * Runs `call` for `limitMs` at most and until `outer` aborts; its own signal aborts then.
 *
 * @throws ApiError `unavailable` when it took too long or was aborted; else what the call threw
 */
export async function withTimeout<T>(
  clock: Clock,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  if (outer?.aborted === true) throw createTimeoutError();
  const controller = new AbortController();
  let settle = () => {};
  // The race makes the limit hold for a call that does not listen to its signal.
  const ended = new Promise<never>((_, reject) => {
    const end = () => {
      controller.abort();
      reject(createTimeoutError());
    };
    const cancel = clock.after(limitMs, end);
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
 * Calls again, after growing pauses, what fails in passing; four times at most, and no more once
 * `signal` aborts. After too many calls it waits as long as the server asks. @throws what the last
 * call threw
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
      const final = !(error instanceof ApiError) || !error.retryable || failures + 1 >= tries;
      if (final || signal?.aborted === true) throw error;
      const askedMs = error.code === "rate_limited" ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
      await pause(clock, Math.max(getBackoffMs(retries, failures), askedMs), signal);
    }
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
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
