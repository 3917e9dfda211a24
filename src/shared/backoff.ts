export interface Backoff {
  firstMs: number;
  maxMs: number;
  /** Factor between one delay and the next; 2 by default. */
  growth?: number;
  /** Range of the random factor of each delay, so that many clients do not retry at once. */
  spread?: readonly [least: number, most: number];
}

/** The delay, in ms, after `failures` earlier failures; `random` is between 0 and 1. */
export function getBackoffMs(
  { firstMs, maxMs, growth = 2, spread: [least, most] = [1, 1] }: Backoff,
  failures: number,
  random = 0,
): number {
  return Math.min(firstMs * growth ** failures, maxMs) * (least + (most - least) * random);
}
