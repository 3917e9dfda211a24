import { type Clock, every } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { withTimeout } from "#client/lib/timeouts-and-retries.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { encodeOpusChunk, opusChunkMs, opusLeadInMax, opusPacketsPerChunk } from "#shared/opus.ts";
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
  packet(packet: Uint8Array): void;
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
/** Interval of the check that chunks are delivered. */
const checkMs = 500;
/** Checks without a chunk after which the encoder is flushed. A blocked page misses checks, not packets. */
const flushChecks = 6;
/** Packets that an encoder may hold back until it gets more sound: it looks ahead by less. */
const heldBackMax = 2;
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
 *
 * What is left out is found by counting: the times of packets differ from browser to browser (Firefox shortens the
 * first packet by the encoder's delay, WebKit gives all packets of an input one time). A later packet may have taken the
 * place of a lost one, so a chunk is delivered only once the encoder has returned all that it was given.
 */
function createOpusEncoder(
  { clock, log, openOpus, onOpusFailed }: EncoderDeps,
  output: EncoderOutput,
): ChunkEncoder {
  /** PCM of the chunks that the encoder has and that are not delivered. */
  let pending: Bytes[] = [];
  /** PCM that the encoder gets after the flush. */
  let queued: Bytes[] = [];
  /** Packets of `pending`. */
  let packets: Uint8Array[] = [];
  let leadIn: Uint8Array[] = [];
  let encoder: PacketEncoder | null = null;
  let fallback: { pcm: PcmCutter; started: Promise<void> } | null = null;
  /** Packets that the encoder has to return, and the fewest since the last delivery. */
  let dueCount = 0;
  let leastDueCount = Number.POSITIVE_INFINITY;
  /** Packets that it has been found to hold back. */
  let heldBackCount = 0;
  /** Packets more than it had to return, in the flush that goes on; null: none does. */
  let surplusCount: number | null = null;
  let checking: Promise<void> | null = null;
  let idleChecks = 0;
  const stopChecking = every(clock, checkMs, () => {
    idleChecks = dueCount === 0 ? 0 : idleChecks + 1;
    if (idleChecks >= flushChecks) checking ??= checkCount();
  });

  function addPacket(packet: Uint8Array): void {
    if (fallback !== null) return;
    if (dueCount === 0) {
      if (surplusCount !== null) surplusCount += 1;
      return;
    }
    packets.push(packet);
    dueCount -= 1;
    leastDueCount = Math.min(leastDueCount, dueCount);
    if (dueCount <= heldBackCount && surplusCount === null) deliver();
  }

  function deliver(): void {
    while (packets.length >= opusPacketsPerChunk) {
      const chunkPackets = packets.slice(0, opusPacketsPerChunk);
      let chunk: Bytes;
      try {
        chunk = encodeOpusChunk({ leadIn, packets: chunkPackets });
      } catch {
        fail("wrong packets");
        return;
      }
      packets = packets.slice(opusPacketsPerChunk);
      leadIn = chunkPackets.slice(-opusLeadInMax);
      const [pcm] = pending.splice(0, 1);
      output.chunk(chunk, pcm ? measureLevel(decodePcm(pcm)) : 0);
    }
    idleChecks = 0;
    leastDueCount = Number.POSITIVE_INFINITY;
  }

  /** Has the encoder return all that it has: only then a late packet differs from one that is left out. */
  async function checkCount(): Promise<void> {
    const open = encoder;
    if (open === null) return;
    const isHeldBack = dueCount === leastDueCount && dueCount <= heldBackMax;
    const foundCount = isHeldBack ? dueCount : heldBackCount;
    surplusCount = 0;
    await withTimeout(clock, flushTimeoutMs, () => open.flush()).catch(() => {});
    // Without a surplus, a packet of the encoder's delay may have taken the place of a lost one.
    const isSure = dueCount > 0 || surplusCount > 0;
    const isWhole = isSure ? dueCount === 0 : (await countDelayPackets(clock, openOpus)) === 0;
    surplusCount = null;
    checking = null;
    if (fallback !== null) return;
    if (!isWhole) {
      fail("packets left out");
      return;
    }
    heldBackCount = foundCount;
    deliver();
    for (const pcm of queued.splice(0)) give(pcm);
  }

  function give(pcm: Bytes): void {
    if (fallback !== null) {
      fallback.pcm.add(pcm);
      return;
    }
    pending.push(pcm);
    dueCount += opusPacketsPerChunk;
    try {
      encoder?.encode(pcm);
    } catch {
      fail("not encoded");
    }
  }

  function fail(reason: string): void {
    if (fallback !== null) return;
    log.warn("opus encoder failed", { reason });
    close();
    onOpusFailed();
    const pcm = new PcmCutter(output.chunk, [...pending, ...queued]);
    pending = [];
    queued = [];
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

  try {
    encoder = openOpus({ packet: addPacket, failed: () => fail("error") });
  } catch {
    fail("not opened");
  }
  return {
    chunkSamples: opusChunkSamples,
    encode(pcm) {
      if (checking !== null && fallback === null) queued.push(pcm);
      else give(pcm);
    },
    async end() {
      await checking;
      if (dueCount > 0) checking = checkCount();
      await checking;
      close();
      await fallback?.started;
      fallback?.pcm.end();
    },
  };
}

/** Packets that an encoder returns in a flush beyond those of its sound: its delay, and silence. */
async function countDelayPackets(clock: Clock, openOpus: EncoderDeps["openOpus"]): Promise<number> {
  let count = 0;
  try {
    const encoder = openOpus({
      packet: () => {
        count += 1;
      },
      failed() {},
    });
    // A tone, of which no encoder leaves anything out as silence.
    const tone = Int16Array.from({ length: opusChunkSamples }, (_, at) =>
      at % 40 < 20 ? 3_000 : -3_000,
    );
    encoder.encode(new Uint8Array(tone.buffer));
    await withTimeout(clock, flushTimeoutMs, () => encoder.flush()).finally(() => encoder.close());
  } catch {
    // Then the one that is examined fails too.
  }
  return Math.max(0, count - opusPacketsPerChunk);
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
