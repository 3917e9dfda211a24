export interface Backoff {
  firstMs: number;
  maxMs: number;
  /** How many times as long each pause is as the one before; 2 unless told otherwise. */
  growth?: number;
  /** The parts of a pause between which chance decides, so that many do not return at once. */
  spread?: readonly [least: number, most: number];
}

/** Milliseconds to wait after so many `failures` before this one; `random` is 0 to 1. */
export function getBackoffMs(
  { firstMs, maxMs, growth = 2, spread: [least, most] = [1, 1] }: Backoff,
  failures: number,
  random = 0,
): number {
  return Math.min(firstMs * growth ** failures, maxMs) * (least + (most - least) * random);
}
