import { captureSampleRate } from "#shared/limits.ts";
import { Resampler } from "./resampler.ts";

/** Converts mono samples of any rate to chunks of 16-bit little-endian PCM at 16 kHz. */
export class PcmChunker {
  /** Null: the source has that rate. */
  readonly #resampler: Resampler | null;
  #chunk: DataView<ArrayBuffer>;
  #sampleCount = 0;

  /** `sourceRate` in Hz. Each emitted buffer is new and may be transferred. */
  constructor(
    sourceRate: number,
    private readonly chunkSamples: number,
    private readonly emit: (pcm: ArrayBuffer) => void,
  ) {
    this.#resampler =
      sourceRate === captureSampleRate
        ? null
        : new Resampler(sourceRate, captureSampleRate, (sample) => this.#addSample(sample));
    this.#chunk = this.#createChunk();
  }

  /** Samples of -1 to 1; louder ones are clipped. */
  push(samples: Float32Array): void {
    if (this.#resampler !== null) this.#resampler.push(samples);
    else for (const sample of samples) this.#addSample(sample);
  }

  /** Emits the remaining samples as a chunk padded with silence. Nothing may be pushed afterwards. */
  flush(): void {
    this.#resampler?.flush();
    if (this.#sampleCount > 0) this.#emitChunk();
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
