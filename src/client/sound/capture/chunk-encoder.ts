import { type Clock, every } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import {
  encodeOpusChunk,
  opusChunkMs,
  opusLeadInMax,
  opusPacketMs,
  opusPacketsPerChunk,
} from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { decodePcm, measureLevel } from "./level.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Turns the microphone's PCM into chunks of a take's codec; a part of `Microphone`. */
export interface ChunkEncoder {
  /** Samples of each PCM chunk that it expects. */
  readonly chunkSamples: number;
  encode(pcm: Bytes): void;
  /** Resolves when everything that was encoded has been delivered. */
  end(): Promise<void>;
}

/** The browser's Opus encoder: packets of 20 ms, in order. */
export interface PacketEncoder {
  /** @throws when the encoder has failed */
  encode(pcm: Bytes): void;
  /** Resolves when all packets have been delivered. */
  flush(): Promise<void>;
  close(): void;
}

export interface PacketHandlers {
  /** `atMs`: time of the packet since the first audio, ms. */
  packet(packet: Uint8Array, atMs: number): void;
  failed(): void;
}

export interface EncoderDeps {
  clock: Clock;
  log: Log;
  /** @throws when the browser refuses */
  openOpus(handlers: PacketHandlers): PacketEncoder;
  /** Opus failed, so no new take should use it. */
  onOpusFailed(): void;
}

export interface EncoderOutput {
  /** `level`: see `measureLevel`. */
  chunk(data: Bytes, level: number): void;
  /** The following chunks have another codec. They are delivered when the promise settles. */
  changeCodec(codec: AudioCodec): Promise<void>;
}

const opusChunkSamples = (captureSampleRate * opusChunkMs) / 1_000;
const pcmChunkBytes = chunkSamples * 2;
/** Interval of the check that the encoder makes progress. */
const checkMs = 500;
/** Checks without a packet after which the encoder has stalled. A blocked page misses checks, not packets. */
const stalledChecks = 6;
/** Largest difference between a packet's time and the end of the one before. */
const roundingMs = 2;
const flushTimeoutMs = 2_000;

export function createChunkEncoder(
  codec: AudioCodec,
  deps: EncoderDeps,
  output: EncoderOutput,
): ChunkEncoder {
  if (codec === "opus") return createOpusEncoder(deps, output);
  return {
    chunkSamples,
    encode: (pcm) => output.chunk(pcm, measureLevel(decodePcm(pcm))),
    end: async () => {},
  };
}

/**
 * Encodes with the browser's encoder. If that fails, stalls, leaves packets out or delivers what the room would
 * refuse, the PCM that it has not returned, and all that follows, is delivered as PCM.
 */
function createOpusEncoder(
  { clock, log, openOpus, onOpusFailed }: EncoderDeps,
  output: EncoderOutput,
): ChunkEncoder {
  /** PCM of the chunks whose packets have not all come back. */
  let pending: Bytes[] = [];
  let packets: Uint8Array[] = [];
  let leadIn: Uint8Array[] = [];
  let encoder: PacketEncoder | null = null;
  let fallback: { pcm: PcmCutter; started: Promise<void> } | null = null;
  /** When the next packet begins on the encoder's clock, ms. */
  let nextMs = 0;
  /** The first packet may begin earlier or later by the encoder's own delay. */
  let toleranceMs: number = opusPacketMs;
  let idleChecks = 0;
  const stopChecking = every(clock, checkMs, () => {
    idleChecks = pending.length === 0 ? 0 : idleChecks + 1;
    if (idleChecks >= stalledChecks) fail("stalled");
  });

  function addPacket(packet: Uint8Array, atMs: number): void {
    // After a flush an encoder also returns its own delay, which is silence.
    if (fallback !== null || pending.length === 0) return;
    if (Math.abs(atMs - nextMs) > toleranceMs) {
      fail("packets left out");
      return;
    }
    nextMs = atMs + opusPacketMs;
    toleranceMs = roundingMs;
    idleChecks = 0;
    packets.push(packet);
    if (packets.length < opusPacketsPerChunk) return;
    let chunk: Bytes;
    try {
      chunk = encodeOpusChunk({ leadIn, packets });
    } catch {
      fail("wrong packets");
      return;
    }
    const [pcm] = pending.splice(0, 1);
    leadIn = packets.slice(-opusLeadInMax);
    packets = [];
    output.chunk(chunk, pcm ? measureLevel(decodePcm(pcm)) : 0);
  }

  function fail(reason: string): void {
    if (fallback !== null) return;
    log.warn("opus encoder failed", { reason });
    close();
    onOpusFailed();
    const pcm = new PcmCutter(output.chunk, pending);
    pending = [];
    const changed = output.changeCodec("pcm_s16le").catch(() => {});
    const started = changed.then(() => pcm.start());
    fallback = { pcm, started };
  }

  function close(): void {
    stopChecking();
    try {
      encoder?.close();
    } catch {
      // A failed encoder has closed itself.
    }
    encoder = null;
  }

  async function flush(): Promise<void> {
    const open = encoder;
    if (open === null || pending.length === 0) return;
    await withTimeout(clock, flushTimeoutMs, () => open.flush()).catch(() => {});
  }

  try {
    encoder = openOpus({ packet: addPacket, failed: () => fail("error") });
  } catch {
    fail("not opened");
  }
  return {
    chunkSamples: opusChunkSamples,
    encode(pcm) {
      if (fallback !== null) {
        fallback.pcm.add(pcm);
        return;
      }
      pending.push(pcm);
      try {
        encoder?.encode(pcm);
      } catch {
        fail("not encoded");
      }
    },
    async end() {
      await flush();
      if (pending.length > 0) fail("not flushed");
      close();
      await fallback?.started;
      fallback?.pcm.end();
    },
  };
}

/** Cuts PCM of any length into chunks; keeps it until `start`. */
class PcmCutter {
  #isStarted = false;
  #rest: Bytes;

  constructor(
    private readonly emit: EncoderOutput["chunk"],
    pcm: readonly Bytes[],
  ) {
    this.#rest = concatenate(pcm);
  }

  add(pcm: Bytes): void {
    this.#rest = concatenate([this.#rest, pcm]);
    this.#cut();
  }

  start(): void {
    this.#isStarted = true;
    this.#cut();
  }

  /** Emits the rest, padded with silence. */
  end(): void {
    if (this.#rest.byteLength === 0) return;
    const chunk = new Uint8Array(pcmChunkBytes);
    chunk.set(this.#rest);
    this.#rest = new Uint8Array();
    this.emit(chunk, measureLevel(decodePcm(chunk)));
  }

  #cut(): void {
    while (this.#isStarted && this.#rest.byteLength >= pcmChunkBytes) {
      const chunk = this.#rest.slice(0, pcmChunkBytes);
      this.#rest = this.#rest.slice(pcmChunkBytes);
      this.emit(chunk, measureLevel(decodePcm(chunk)));
    }
  }
}

function concatenate(parts: readonly Bytes[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
