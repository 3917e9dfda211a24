/** Converts a byte stream of 16-bit little-endian PCM to samples between -1 and 1. */
export class PcmReader {
  private remainder: Uint8Array = new Uint8Array(0);

  constructor(private readonly channels: number) {}

  /** Mono samples of all complete frames so far; an incomplete frame is kept for the next call. */
  read(chunk: Uint8Array): Float32Array {
    let bytes = chunk;
    if (this.remainder.length > 0) {
      bytes = new Uint8Array(this.remainder.length + chunk.length);
      bytes.set(this.remainder);
      bytes.set(chunk, this.remainder.length);
    }
    const frameBytes = 2 * this.channels;
    const frames = Math.floor(bytes.length / frameBytes);
    this.remainder = bytes.slice(frames * frameBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, frames * frameBytes);
    const samples = new Float32Array(frames);
    const scale = 1 / (0x8000 * this.channels);
    for (let frame = 0; frame < frames; frame++) {
      let sum = 0;
      for (let channel = 0; channel < this.channels; channel++)
        sum += view.getInt16(frame * frameBytes + 2 * channel, true);
      samples[frame] = sum * scale;
    }
    return samples;
  }
}
