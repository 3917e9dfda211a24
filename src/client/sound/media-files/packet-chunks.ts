import {
  encodeOpusChunk,
  opusLeadInMax,
  opusPacketMs,
  opusPacketsPerChunk,
  silentOpusPacket,
} from "#shared/opus.ts";

/** A packet may begin this much earlier or later than the end of the packets before it, ms. */
const toleranceMs = 60;

/** A file's Opus packets as chunks of a take, without encoding them again. */
export class PacketChunks {
  #packets: Uint8Array[] = [];
  #leadIn: Uint8Array[] = [];
  #count = 0;

  /** `startMs`: where the first chunk lies on the file's clock. */
  constructor(
    private readonly startMs: number,
    private readonly emit: (chunk: Uint8Array<ArrayBuffer>) => void,
  ) {}

  /**
   * Adds a packet that begins at `atMs` on the file's clock. False: it does not fit into chunks (see `shared/opus.ts`) or
   * leaves a gap, so the sound has to be decoded from the end of the last chunk on.
   */
  add(packet: Uint8Array, atMs: number): boolean {
    const dueMs = this.startMs + this.#count * opusPacketMs;
    if (Math.abs(atMs - dueMs) > toleranceMs) return false;
    this.#count += 1;
    this.#packets.push(packet);
    return this.#packets.length < opusPacketsPerChunk || this.#emit();
  }

  /** The last chunk ends with silence. False: see `add`. */
  end(): boolean {
    if (this.#packets.length === 0) return true;
    while (this.#packets.length < opusPacketsPerChunk)
      this.#packets.push(silentOpusPacket as Uint8Array);
    return this.#emit();
  }

  #emit(): boolean {
    let chunk: Uint8Array<ArrayBuffer>;
    try {
      chunk = encodeOpusChunk({ leadIn: this.#leadIn, packets: this.#packets });
    } catch {
      return false;
    }
    this.#leadIn = this.#packets.slice(-opusLeadInMax);
    this.#packets = [];
    this.emit(chunk);
    return true;
  }
}
