/** Without sound for this long, the person is asked to check the microphone. */
export const silenceMs = 6_000;

/**
 * Largest sample, of 32,767, that counts as no sound: -72 dB of full scale. A muted or disconnected input
 * delivers zeros, or one or two steps of dither. An open microphone delivers more in a quiet room, also
 * after the browser's noise suppression: a lecturer's pause is no silence.
 */
export const silentPeak = 8;

/** Whether `pcm`, 16-bit little-endian samples, has no sound at all. */
export function isSilent(pcm: Uint8Array<ArrayBuffer>): boolean {
  const samples = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  for (let at = 0; at + 1 < pcm.byteLength; at += 2)
    if (Math.abs(samples.getInt16(at, true)) > silentPeak) return false;
  return true;
}

/** Tells when a microphone has delivered no sound for 6 s. */
export class SilenceDetector {
  #silentSince: number | null = null;

  /** Takes a chunk that arrived at `now`, ms. True while the microphone is silent. */
  onChunk(pcm: Uint8Array<ArrayBuffer>, now: number): boolean {
    if (!isSilent(pcm)) {
      this.#silentSince = null;
      return false;
    }
    this.#silentSince ??= now;
    return now - this.#silentSince >= silenceMs;
  }

  reset(): void {
    this.#silentSince = null;
  }
}
