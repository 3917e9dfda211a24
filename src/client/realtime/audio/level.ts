/** Two scales: the level of a chunk, which is stored with kept sound, and the loudness that the meter shows. */

/** Loudness in dB of full scale that level 0 stands for; 255 stands for 0 dB. */
const floorDb = -60;
const levelMax = 255;

/** Steps of a level in one dB. */
export const levelsPerDb = levelMax / -floorDb;

/** Mean loudness of 16-bit little-endian samples as 0 to 255, linear in dB. */
export function measureLevel(pcm: Uint8Array<ArrayBuffer>): number {
  const samples = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  let sum = 0;
  for (let at = 0; at + 1 < pcm.byteLength; at += 2)
    sum += (samples.getInt16(at, true) / 32_768) ** 2;
  return toLevel(sum / Math.max(1, Math.floor(pcm.byteLength / 2)));
}

/** The level of samples (-1 to 1) whose squares have this mean. */
export function toLevel(meanSquare: number): number {
  const db = 10 * Math.log10(meanSquare);
  return Math.round(levelMax * Math.min(1, Math.max(0, (db - floorDb) / -floorDb)));
}

/** Time constant of a falling loudness, ms: it loses about two thirds in this time. */
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

/** A loudness of 0 to 1 that rises at once and falls slowly, independent of how often it is read. */
export class LoudnessMeter {
  #loudness = 0;
  #readAt: number | null = null;

  read(loudness: number, now: number): number {
    const elapsed = this.#readAt === null ? 0 : Math.max(0, now - this.#readAt);
    this.#readAt = now;
    const fallen = this.#loudness * Math.exp(-elapsed / fallMs);
    this.#loudness = Math.max(loudness, fallen);
    return this.#loudness;
  }
}
