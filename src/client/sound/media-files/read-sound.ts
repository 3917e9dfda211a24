import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import type { PacketEncoder, PacketHandlers } from "#client/sound/capture/chunk-encoder.ts";
import { measureLevel } from "#client/sound/capture/level.ts";
import type { DecodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import type { StoredTake } from "#client/sound/takes/stored-take.ts";
import { addGap } from "#client/sound/takes/take-gaps.ts";
import type { TakeStorage } from "#client/sound/takes/take-storage.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { decodeOpusChunk, opusPacketMs, opusPacketsPerChunk } from "#shared/opus.ts";
import { ChannelMeter, mixToMono } from "./channel-mix.ts";
import {
  type DecodedSound,
  type FileProblem,
  MediaFileError,
  mediaMaxMs,
  mediaMinMs,
  type ReadResult,
} from "./media-file.ts";
import { type OpenMedia, silentLevel } from "./media-track.ts";
import { MonoTimeline, type SoundBlock } from "./mono-timeline.ts";
import { PacketChunks } from "./packet-chunks.ts";
import { EncoderFailure, SoundEncoder } from "./sound-encoder.ts";
import { TakeDisk } from "./take-disk.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Chunks of Opus whose levels are measured at a time. */
const measuredChunks = 32;
/** A part of a file that cannot be decoded is skipped in steps that begin with this length and double, ms. */
const skipMs = 1_000;
/** Missing sound becomes silence in steps of this length, ms. */
const silenceMs = 1_000;
/** A file that ends this much before its length is incomplete, ms. */
const cutMinMs = 3_000;
/** Steps without any sound after which the rest counts as broken. */
const skipsMax = 6;

/** What is read: a file's sound as it is in it, or decoded by the page. */
export type SoundSource = OpenMedia | DecodedSound;

interface ReadDeps {
  storage: TakeStorage;
  clock: Clock;
  log: Log;
  /** @throws when the browser refuses */
  openOpus(handlers: PacketHandlers): PacketEncoder;
  decodeOpus: DecodeOpus;
  onProgress(nextSeq: number): void;
  isStopped(): boolean;
}

const isMedia = (source: SoundSource): source is OpenMedia => "readBlocks" in source;

/**
 * Reads `source` into `take`, from the take's end on, and stores it. Holds a few seconds of it in memory, however long it
 * is. Where the encoder fails, everything is read again as PCM.
 */
export async function readSound(
  source: SoundSource,
  take: StoredTake,
  deps: ReadDeps,
): Promise<ReadResult> {
  const reading = new SoundReading(source, take, deps);
  try {
    return await reading.run();
  } catch (error) {
    if (!(error instanceof EncoderFailure)) throw error;
    await deps.storage.remove(take.id);
    const fresh: StoredTake = { ...take, codec: "pcm_s16le", nextSeq: 0, gaps: [] };
    return new SoundReading(source, fresh, deps).run();
  }
}

class SoundReading {
  readonly #disk: TakeDisk;
  readonly #chunkMs: number;
  readonly #isFromStart: boolean;
  #loudest = 0;
  #undecodedMs = 0;
  #reported = 0;
  #problem: FileProblem | null = null;
  /** Chunks of Opus that were taken as they are, and wait for their level. */
  #unmeasured: Bytes[] = [];

  constructor(
    private readonly source: SoundSource,
    take: StoredTake,
    private readonly deps: ReadDeps,
  ) {
    this.#disk = new TakeDisk(deps, take, take.nextSeq > 0);
    this.#chunkMs = chunkMs[take.codec];
    this.#isFromStart = take.nextSeq === 0;
  }

  async run(): Promise<ReadResult> {
    const { source } = this;
    const isCopied =
      isMedia(source) && source.isMonoOpus && this.#disk.take.codec === "opus"
        ? await this.#copyPackets(source)
        : false;
    if (!isCopied && !this.#hasEnded) await this.#decode();
    await this.#disk.whenWritten();
    const { nextSeq } = this.#disk.take;
    if (this.#disk.hasFailed) this.#problem = "diskFull";
    // A file that was cut off may just end, and the page's decoder may know only a part of it.
    const lengthMs = isMedia(source) ? source.lengthMs : (this.#disk.take.file?.lengthMs ?? 0);
    const isCut = lengthMs - this.#endMs > cutMinMs;
    if (isCut && !this.#hasEnded) this.#problem = "broken";
    const isShort = nextSeq * this.#chunkMs < mediaMinMs;
    if (this.#isFromStart && this.#problem === null && !this.deps.isStopped())
      if (isShort || this.#loudest < silentLevel) this.#problem = "silent";
    this.deps.onProgress(nextSeq);
    return {
      nextSeq,
      problem: this.#problem,
      isStopped: this.deps.isStopped(),
      undecodedMs: Math.round(this.#undecodedMs),
    };
  }

  /** Nothing more is to be read. */
  get #hasEnded(): boolean {
    return this.#problem !== null || this.deps.isStopped() || this.#disk.hasFailed;
  }
  get #endMs(): number {
    return this.#disk.take.nextSeq * this.#chunkMs;
  }

  /** False: the rest has to be decoded. */
  async #copyPackets(media: OpenMedia): Promise<boolean> {
    const startMs = this.#endMs;
    const chunks = new PacketChunks(startMs, (chunk) => this.#unmeasured.push(chunk));
    try {
      for await (const { data, atMs } of media.readPackets(startMs)) {
        if (this.#hasEnded) return true;
        // The packet at the start may be the last one before it.
        if (atMs < startMs - opusPacketMs / 2 && startMs > 0) continue;
        if (!chunks.add(data, atMs)) return await this.#measure(false);
        if (this.#unmeasured.length < measuredChunks) continue;
        if (!(await this.#measure(true))) return false;
      }
      return chunks.end() && (await this.#measure(true));
    } catch {
      return await this.#measure(false);
    }
  }

  /** Stores the chunks that wait, with their levels, if they can be decoded. Returns `isFine`, or false if they cannot. */
  async #measure(isFine: boolean): Promise<boolean> {
    const chunks = this.#unmeasured;
    this.#unmeasured = [];
    if (chunks.length === 0) return isFine;
    const decoded = chunks.map((chunk) => decodeOpusChunk(chunk));
    const packets = decoded.flatMap((chunk) => chunk?.packets ?? []);
    let samples: Float32Array;
    try {
      samples = await this.deps.decodeOpus(packets);
    } catch {
      return false;
    }
    const chunkSamples = (opusPacketsPerChunk * opusPacketMs * captureSampleRate) / 1_000;
    for (const [index, chunk] of chunks.entries()) {
      const sound = samples.subarray(index * chunkSamples, (index + 1) * chunkSamples);
      this.#append(chunk, measureLevel(sound));
    }
    await this.#disk.whenReady();
    return isFine;
  }

  /** Decodes and encodes from the take's end on. */
  async #decode(): Promise<void> {
    const startSeq = this.#disk.take.nextSeq;
    // The chunk before settles the encoder.
    const skip = Math.min(1, startSeq);
    const startMs = (startSeq - skip) * this.#chunkMs;
    const decoding = new Decoding(startMs, (sampleRate) => {
      const { clock, log, openOpus } = this.deps;
      const deps = { clock, log, openOpus, onOpusFailed() {} };
      const append = (chunk: Bytes, level: number) => this.#append(chunk, level);
      return new SoundEncoder(this.#disk.take.codec, sampleRate, deps, skip, append);
    });
    try {
      await this.#decodeFrom(startMs, decoding);
      await decoding.encoder?.end();
    } catch (error) {
      await decoding.encoder?.abandon();
      throw error;
    }
    const isNothing = decoding.encoder === null && startSeq === 0;
    if (isNothing && !this.deps.isStopped()) this.#problem = "nothingDecoded";
  }

  /** Goes on behind what cannot be decoded, which becomes silence. */
  async #decodeFrom(startMs: number, decoding: Decoding): Promise<void> {
    const lengthMs = isMedia(this.source) ? this.source.lengthMs : 0;
    let fromMs = startMs;
    /** Where sound is missing since; null: none is. */
    let lostAtMs: number | null = null;
    for (let skips = 0; ; skips += 1) {
      try {
        for await (const block of this.#readBlocks(fromMs)) {
          if (this.#hasEnded) return;
          if (block.atMs > mediaMaxMs) {
            this.#problem = "tooLong";
            return;
          }
          // In steps, so that the encoder and the disk keep up with a long one.
          let atMs = decoding.endMs + silenceMs;
          for (; atMs + silenceMs < block.atMs; atMs += silenceMs) {
            await decoding.add({ ...block, samples: new Float32Array(), atMs });
            await this.#disk.whenReady();
          }
          await decoding.add(block);
          if (lostAtMs !== null) this.#addLost(lostAtMs, block.atMs);
          lostAtMs = null;
          skips = 0;
          await this.#disk.whenReady();
        }
        return;
      } catch (error) {
        if (error instanceof EncoderFailure) throw error;
        lostAtMs ??= decoding.endMs;
        fromMs = lostAtMs + skipMs * 2 ** skips;
        if (skips < skipsMax && fromMs < lengthMs) continue;
        if (lengthMs - lostAtMs > skipMs) this.#problem = "broken";
        return;
      }
    }
  }

  /** What lies between could not be decoded, and is silence now. */
  #addLost(atMs: number, untilMs: number): void {
    const lengthMs = Math.max(0, untilMs - atMs);
    this.#undecodedMs += lengthMs;
    const gaps = addGap(this.#disk.take.gaps, {
      atMs: Math.max(0, atMs),
      lengthMs,
      isFilled: true,
      reason: "unreadable",
    });
    this.#disk.change({ gaps });
  }

  async *#readBlocks(fromMs: number): AsyncIterable<SoundBlock> {
    const { source } = this;
    if (isMedia(source)) {
      yield* source.readBlocks(fromMs);
      return;
    }
    const { channels, sampleRate } = source;
    const length = channels[0]?.length ?? 0;
    const meter = new ChannelMeter();
    meter.add(channels);
    const mix = meter.findMix();
    const from = Math.floor((fromMs * sampleRate) / 1_000);
    for (let at = from; at < length; at += sampleRate) {
      const planes = channels.map((channel) => channel.subarray(at, at + sampleRate));
      yield { samples: mixToMono(planes, mix), sampleRate, atMs: (at * 1_000) / sampleRate };
    }
  }

  #append(chunk: Bytes, level: number): void {
    this.#loudest = Math.max(this.#loudest, level);
    this.#disk.append(chunk, level);
    const { nextSeq } = this.#disk.take;
    // About a message a second of work at most, however fast it is.
    if (nextSeq - this.#reported < measuredChunks) return;
    this.#reported = nextSeq;
    this.deps.onProgress(nextSeq);
  }
}

/** Decoded sound on its way to the encoder, which is opened for the rate of the first block. */
class Decoding {
  encoder: SoundEncoder | null = null;
  #timeline: MonoTimeline | null = null;

  constructor(
    private readonly startMs: number,
    private readonly open: (sampleRate: number) => SoundEncoder,
  ) {}

  /** End of the sound so far, ms on the file's clock. */
  get endMs(): number {
    return this.#timeline?.endMs ?? this.startMs;
  }

  /** Resolves when the next block may come. @throws EncoderFailure */
  async add(block: SoundBlock): Promise<void> {
    const encoder = this.encoder ?? this.open(block.sampleRate);
    this.encoder = encoder;
    this.#timeline ??= new MonoTimeline(this.startMs, block.sampleRate, (samples) =>
      encoder.push(samples),
    );
    this.#timeline.add(block);
    await encoder.whenReady();
  }
}

/** As the page is told. */
export const toProblem = (error: unknown): FileProblem =>
  error instanceof MediaFileError ? error.problem : "failed";
