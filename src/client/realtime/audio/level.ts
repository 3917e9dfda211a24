/** Loudness in dB of full scale that level 0 stands for; 255 stands for 0 dB. */
const floorDb = -60;

/** Mean loudness of 16-bit little-endian samples as 0 to 255, linear in dB. */
export function measureLevel(pcm: Uint8Array<ArrayBuffer>): number {
  const samples = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  let sum = 0;
  for (let at = 0; at + 1 < pcm.byteLength; at += 2)
    sum += (samples.getInt16(at, true) / 32_768) ** 2;
  const count = Math.max(1, Math.floor(pcm.byteLength / 2));
  const db = 10 * Math.log10(sum / count);
  return Math.round(255 * Math.min(1, Math.max(0, (db - floorDb) / -floorDb)));
}
