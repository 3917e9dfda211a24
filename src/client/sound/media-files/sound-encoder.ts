import {
  type ChunkEncoder,
  createChunkEncoder,
  type EncoderDeps,
} from "#client/sound/capture/chunk-encoder.ts";
import { PcmChunker } from "#client/sound/capture/pcm-chunker.ts";
import type { AudioCodec } from "#shared/relay.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Chunks that may be in the encoder: about 4 s. */
const encodingChunksMax = 16;

export class EncoderFailure extends Error {
  override readonly name = "EncoderFailure";
}

/** Turns mono sound into a take's chunks, no faster than the encoder works. */
export class SoundEncoder {
  readonly #encoder: ChunkEncoder;
  readonly #chunker: PcmChunker;
  #encoding = 0;
  #hasFailed = false;
  #onChunk = () => {};

  /** `sampleRate`: of the sound, Hz. `skip`: chunks at the beginning that only settle the encoder. */
  constructor(
    codec: AudioCodec,
    sampleRate: number,
    deps: EncoderDeps,
    skip: number,
    emit: (chunk: Bytes, level: number) => void,
  ) {
    let skipped = 0;
    this.#encoder = createChunkEncoder(codec, deps, {
      chunk: (data, level) => {
        if (this.#hasFailed) return;
        this.#encoding -= 1;
        if (skipped < skip) skipped += 1;
        else emit(data, level);
        this.#onChunk();
      },
      // A take has one codec: what follows is another take's.
      changeCodec: async () => {
        this.#hasFailed = true;
        this.#onChunk();
      },
    });
    this.#chunker = new PcmChunker(sampleRate, this.#encoder.chunkSamples, (pcm) => {
      this.#encoding += 1;
      this.#encoder.encode(new Uint8Array(pcm));
    });
  }

  push(samples: Float32Array): void {
    this.#chunker.push(samples);
  }

  /** Resolves when few chunks are in the encoder. @throws EncoderFailure */
  async whenReady(): Promise<void> {
    while (this.#encoding > encodingChunksMax && !this.#hasFailed)
      await new Promise<void>((resolve) => {
        this.#onChunk = resolve;
      });
    this.#check();
  }

  /** The last chunk is filled with silence. @throws EncoderFailure */
  async end(): Promise<void> {
    this.#chunker.flush();
    await this.#encoder.end();
    this.#check();
  }

  /** Ends without the rest. */
  async abandon(): Promise<void> {
    this.#hasFailed = true;
    await this.#encoder.end();
  }

  #check(): void {
    if (this.#hasFailed) throw new EncoderFailure("The encoder has failed");
  }
}
