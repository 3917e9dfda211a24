import { vi } from "vitest";

/** `vi.waitFor`, with time for a machine that is busy with other tests. */
export const waitFor = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });

/** `vi.waitUntil`, with as much time. */
export const waitUntil = <Value>(read: () => Value | Promise<Value>) =>
  vi.waitUntil(read, { timeout: 20_000, interval: 20 });
