import { setTimeout as delay } from "node:timers/promises";

/** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const wait: Wait = async (ms, signal) => {
  if (ms <= 0 || signal.aborted) return;
  await delay(ms, undefined, { signal }).catch(() => {});
};
