/** Time constant of a falling level, ms: it loses about two thirds in this time. */
const fallMs = 150;
/** RMS at which the meter is full; speech at arm's length is about 0.1. */
const fullScale = 0.25;

/**
 * Loudness of `samples` (-1 to 1) as 0 to 1, with speech over most of the range. Perceived loudness is logarithmic;
 * the square root of the RMS is close enough for a meter.
 */
export function measureLoudness(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.min(1, Math.sqrt(Math.sqrt(sum / samples.length) / fullScale));
}

/** A level that rises at once and falls slowly, independent of how often it is read. */
export class LevelMeter {
  #level = 0;
  #readAt: number | null = null;

  read(loudness: number, now: number): number {
    const elapsed = this.#readAt === null ? 0 : Math.max(0, now - this.#readAt);
    this.#readAt = now;
    const fallen = this.#level * Math.exp(-elapsed / fallMs);
    this.#level = Math.max(loudness, fallen);
    return this.#level;
  }
}
