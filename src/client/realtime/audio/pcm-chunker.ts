import { captureSampleRate, chunkSamples } from "#shared/limits.ts";

/** Mono samples in, chunks of 16-bit little-endian PCM at 16 kHz out; other rates are averaged down. */
export class PcmChunker {
  readonly #emit: (pcm: ArrayBuffer) => void;
  /** Source samples in one of ours. */
  readonly #step: number;
  #sum = 0;
  #filled = 0;
  #chunk = new DataView(new ArrayBuffer(chunkSamples * 2));
  #length = 0;

  /** `sourceRate` in Hz. Each emitted buffer is new and may be transferred. */
  constructor(sourceRate: number, emit: (pcm: ArrayBuffer) => void) {
    this.#emit = emit;
    this.#step = sourceRate / captureSampleRate;
  }

  /** Samples of -1 to 1; louder ones are clipped. */
  push(samples: Float32Array): void {
    for (const sample of samples) {
      if (this.#step === 1) this.#add(sample);
      else this.#average(sample);
    }
  }

  /** Emits what is left, padded with silence to a whole chunk. */
  flush(): void {
    if (this.#length > 0) this.#finish();
  }

  #average(sample: number): void {
    let weight = 1;
    while (this.#filled + weight >= this.#step) {
      const taken = this.#step - this.#filled;
      this.#add((this.#sum + sample * taken) / this.#step);
      weight -= taken;
      this.#sum = 0;
      this.#filled = 0;
    }
    this.#sum += sample * weight;
    this.#filled += weight;
  }

  #add(sample: number): void {
    const clipped = Math.max(-1, Math.min(1, sample));
    this.#chunk.setInt16(this.#length * 2, Math.round(clipped * 32_767), true);
    this.#length += 1;
    if (this.#length === chunkSamples) this.#finish();
  }

  #finish(): void {
    const { buffer } = this.#chunk;
    this.#chunk = new DataView(new ArrayBuffer(chunkSamples * 2));
    this.#length = 0;
    this.#emit(buffer);
  }
}
