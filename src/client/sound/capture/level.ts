/** Two scales: the level of a chunk, which is stored with kept sound, and the loudness that the meter shows. */

/** Loudness in dB of full scale that level 0 stands for; 255 stands for 0 dB. */
const floorDb = -60;
const levelMax = 255;

/** Steps of a level in one dB. */
export const levelsPerDb = levelMax / -floorDb;

/** 16-bit little-endian samples as numbers of -1 to 1. */
export function decodePcm(pcm: Uint8Array<ArrayBuffer>): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = new Float32Array(pcm.byteLength >> 1);
  for (let at = 0; at < samples.length; at += 1) samples[at] = view.getInt16(at * 2, true) / 32_768;
  return samples;
}

/** Mean loudness of samples (-1 to 1) as 0 to 255, linear in dB. */
export function measureLevel(samples: Float32Array): number {
  const db = 10 * Math.log10(getMeanSquare(samples));
  return Math.round(levelMax * Math.min(1, Math.max(0, (db - floorDb) / -floorDb)));
}

function getMeanSquare(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum / Math.max(1, samples.length);
}

/** Time constant of a falling loudness, ms: it loses about two thirds in this time. */
const fallMs = 150;
/** RMS at which the meter is full; speech at arm's length is about 0.1. */
const fullScale = 0.25;

/**
 * Loudness of `samples` (-1 to 1) as 0 to 1, with speech over most of the range. Perceived loudness is logarithmic;
 * the square root of the RMS is close enough for a meter.
 */
export const measureLoudness = (samples: Float32Array): number =>
  Math.min(1, Math.sqrt(Math.sqrt(getMeanSquare(samples)) / fullScale));

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
