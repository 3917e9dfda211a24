/** Turns the bytes of a stream of 16-bit little-endian PCM into samples between -1 and 1. */
export class PcmReader {
  private rest: Uint8Array = new Uint8Array(0);

  constructor(private readonly channels: number) {}

  /** Mono samples of all whole frames so far; a frame that is cut waits for its other half. */
  read(chunk: Uint8Array): Float32Array {
    let bytes = chunk;
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + chunk.length);
      bytes.set(this.rest);
      bytes.set(chunk, this.rest.length);
    }
    const frameBytes = 2 * this.channels;
    const frames = Math.floor(bytes.length / frameBytes);
    this.rest = bytes.slice(frames * frameBytes);
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
