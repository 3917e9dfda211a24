import { decodePcm } from "#client/sound/capture/level.ts";
import type { DecodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import { type ChunkData, createSilentChunk } from "#client/sound/takes/chunk-codec.ts";
import type { Take } from "#client/sound/takes/take.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { decodeOpusChunk } from "#shared/opus.ts";
import { DetectedSpeech, frameMs } from "./detected-speech.ts";
import type { Detection, DetectorState } from "./speech-model-messages.ts";

const samplesPerMs = captureSampleRate / 1_000;
/** Chunks that are decoded at a time: enough for the decoder, and 4 s for the page between two other tasks. */
const chunksPerDecode = 16;

interface Deps {
  decodeOpus: DecodeOpus;
  /** See `SpeechModel`. */
  detectSpeech(samples: Float32Array, state: DetectorState | null): Promise<Detection>;
  /** Chunk `seq` cannot be decoded; silence takes its place. */
  onRefusedChunk(seq: number): void;
}

/** Not even silence can be decoded. */
export class DecoderMissingError extends Error {
  override readonly name = "DecoderMissingError";
}

/** Reads the sound of one take, from one of its chunks on: decodes it, and tells where there is speech. */
export class SoundReader {
  /** Where there is speech. Its end may lie in the silence that fills the take's last frame. */
  readonly activity: DetectedSpeech;
  /** What the detector knows of the sound before. */
  #detectorState: DetectorState | null = null;
  /** The decoded chunks, from number `#firstSeq` on. */
  #chunks: Float32Array[] = [];
  #firstSeq: number;
  readonly #chunkSamples: number;

  constructor(
    private readonly deps: Deps,
    private readonly take: Take,
    fromSeq: number,
  ) {
    this.#firstSeq = fromSeq;
    this.#chunkSamples = take.chunkMs * samplesPerMs;
    this.activity = new DetectedSpeech(fromSeq * take.chunkMs);
  }

  /** End of the sound that is decoded and examined for speech, ms on the take's own clock. */
  get endMs(): number {
    return Math.min(this.#decodedMs, this.activity.endMs);
  }
  /** All that the take has so far is decoded, and examined but for a part of a frame, which more sound may complete. */
  get isAtEnd(): boolean {
    const isDecoded = this.#nextSeq >= this.take.nextSeq;
    return isDecoded && (!this.take.hasEnded || this.endMs === this.#decodedMs);
  }
  /** Length of the decoded sound in memory, ms. */
  get lengthMs(): number {
    return this.#chunks.length * this.take.chunkMs;
  }

  /**
   * Decodes the next chunks, and examines them for speech. False: they are still being read from the storage, or there are
   * none.
   *
   * @throws DecoderMissingError; what `detectSpeech` throws
   */
  async read(): Promise<boolean> {
    const from = this.#nextSeq;
    const data: ChunkData[] = [];
    while (data.length < chunksPerDecode && from + data.length < this.take.nextSeq) {
      const chunk = this.take.getChunk(from + data.length);
      if (chunk === undefined) break;
      data.push(chunk);
    }
    if (data.length > 0) this.#chunks.push(...(await this.#decode(data, from)));
    return (await this.#detect()) || data.length > 0;
  }

  /** The sound between two times; what is not there is silence. */
  getSamples(startMs: number, endMs: number): Float32Array {
    const samples = new Float32Array(Math.round((endMs - startMs) * samplesPerMs));
    const from = Math.round(startMs * samplesPerMs) - this.#firstSeq * this.#chunkSamples;
    for (const [index, chunk] of this.#chunks.entries()) {
      const at = index * this.#chunkSamples - from;
      if (at >= samples.length || at + chunk.length <= 0) continue;
      const part = chunk.subarray(Math.max(0, -at), Math.min(chunk.length, samples.length - at));
      samples.set(part, Math.max(0, at));
    }
    return samples;
  }

  /** Forgets whole chunks before `ms`. */
  dropBefore(ms: number): void {
    const seq = Math.min(this.#nextSeq, Math.floor(ms / this.take.chunkMs));
    const count = Math.max(0, seq - this.#firstSeq);
    this.#chunks.splice(0, count);
    this.#firstSeq += count;
    this.activity.dropBefore(ms);
  }

  get #nextSeq(): number {
    return this.#firstSeq + this.#chunks.length;
  }

  get #decodedMs(): number {
    return this.#nextSeq * this.take.chunkMs;
  }

  /** Examines the whole frames of what is decoded; at the take's end also its rest, with silence behind it. */
  async #detect(): Promise<boolean> {
    const fromMs = this.activity.endMs;
    const isLast = this.take.hasEnded && this.#nextSeq >= this.take.nextSeq;
    const frames = (this.#decodedMs - fromMs) / frameMs;
    const toMs = fromMs + (isLast ? Math.ceil(frames) : Math.floor(frames)) * frameMs;
    if (toMs <= fromMs) return false;
    const samples = this.getSamples(fromMs, toMs);
    const { probabilities, state } = await this.deps.detectSpeech(samples, this.#detectorState);
    this.#detectorState = state;
    for (const probability of probabilities) this.activity.add(probability);
    return true;
  }

  async #decode(data: readonly ChunkData[], from: number): Promise<Float32Array[]> {
    if (this.take.codec === "pcm_s16le") return data.map(decodePcm);
    try {
      return await this.#decodeOpus(data);
    } catch {
      if (data.length > 1) {
        const chunks: Float32Array[] = [];
        for (const [index, chunk] of data.entries())
          chunks.push(...(await this.#decode([chunk], from + index)));
        return chunks;
      }
      await this.#decodeOpus([createSilentChunk("opus")]).catch(() => {
        throw new DecoderMissingError();
      });
      this.deps.onRefusedChunk(from);
      return [new Float32Array(this.#chunkSamples)];
    }
  }

  /** The lead-in of the first chunk comes before it: the decoder settles there. Later chunks follow without theirs. */
  async #decodeOpus(data: readonly ChunkData[]): Promise<Float32Array[]> {
    const chunks = data.map((chunk) => {
      const decoded = decodeOpusChunk(chunk);
      if (decoded === null) throw new TypeError("no chunk of Opus");
      return decoded;
    });
    const leadIn = chunks[0]?.leadIn ?? [];
    const samples = await this.deps.decodeOpus([
      ...leadIn,
      ...chunks.flatMap(({ packets }) => packets),
    ]);
    const length = this.#chunkSamples;
    const leadInSamples = samples.length - chunks.length * length;
    return chunks.map((_, index) => {
      const at = leadInSamples + index * length;
      return samples.slice(at, at + length);
    });
  }
}
