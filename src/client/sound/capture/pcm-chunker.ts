import { captureSampleRate } from "#shared/limits.ts";

/** Converts mono samples to chunks of 16-bit little-endian PCM at 16 kHz; other rates are averaged down. */
export class PcmChunker {
  /** Source samples per output sample; not always a whole number. */
  readonly #samplesPerOutput: number;
  #sum = 0;
  #sumWeight = 0;
  #chunk: DataView<ArrayBuffer>;
  #sampleCount = 0;

  /** `sourceRate` in Hz. Each emitted buffer is new and may be transferred. */
  constructor(
    sourceRate: number,
    private readonly chunkSamples: number,
    private readonly emit: (pcm: ArrayBuffer) => void,
  ) {
    this.#samplesPerOutput = sourceRate / captureSampleRate;
    this.#chunk = this.#createChunk();
  }

  /** Samples of -1 to 1; louder ones are clipped. */
  push(samples: Float32Array): void {
    for (const sample of samples) {
      if (this.#samplesPerOutput === 1) this.#addSample(sample);
      else this.#addAveraged(sample);
    }
  }

  /** Emits the remaining samples as a chunk padded with silence. */
  flush(): void {
    if (this.#sampleCount > 0) this.#emitChunk();
  }

  #addAveraged(sample: number): void {
    let weight = 1;
    while (this.#sumWeight + weight >= this.#samplesPerOutput) {
      const taken = this.#samplesPerOutput - this.#sumWeight;
      this.#addSample((this.#sum + sample * taken) / this.#samplesPerOutput);
      weight -= taken;
      this.#sum = 0;
      this.#sumWeight = 0;
    }
    this.#sum += sample * weight;
    this.#sumWeight += weight;
  }

  #addSample(sample: number): void {
    const clipped = Math.max(-1, Math.min(1, sample));
    this.#chunk.setInt16(this.#sampleCount * 2, Math.round(clipped * 32_767), true);
    this.#sampleCount += 1;
    if (this.#sampleCount === this.chunkSamples) this.#emitChunk();
  }

  #emitChunk(): void {
    const { buffer } = this.#chunk;
    this.#chunk = this.#createChunk();
    this.#sampleCount = 0;
    this.emit(buffer);
  }

  #createChunk(): DataView<ArrayBuffer> {
    return new DataView(new ArrayBuffer(this.chunkSamples * 2));
  }
}
