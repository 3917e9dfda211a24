import { vi } from "vitest";

/** `vi.waitFor`, with time for a machine that is busy with other tests. */
export const waitFor = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });
