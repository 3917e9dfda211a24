import type { SpooledChunk, SpooledPart, SpooledRecording, SpoolStorage } from "../ports.ts";
import type { LeftPiece } from "./left-sound.ts";
import { chunkMs } from "./recording-clock.ts";

/**
 * One recording's storage as its page sees it: what earlier pages have left stays under their keys and
 * is read and released there; what is new goes under the page's own. The key that a call names is not
 * asked for.
 */
export class PartedStorage implements SpoolStorage {
  readonly #storage: SpoolStorage;
  readonly #own: string;
  #left: readonly LeftPiece[];
  /** Something was written under the page's own key. */
  #written = false;

  constructor(storage: SpoolStorage, own: string, left: readonly LeftPiece[]) {
    this.#storage = storage;
    this.#own = own;
    this.#left = left;
  }

  parts(recordingId: string): Promise<SpooledPart[]> {
    return this.#storage.parts(recordingId);
  }

  read(): Promise<SpooledRecording | null> {
    return this.#storage.read(this.#own);
  }

  async chunks(_: string, from: number, to: number): Promise<SpooledChunk[]> {
    const pieces = this.#left.filter((piece) => piece.from < to && piece.to > from);
    const left = pieces.map(async ({ key, offset, ...piece }) => {
      const first = Math.max(from, piece.from) - offset;
      const chunks = await this.#storage.chunks(key, first, Math.min(to, piece.to) - offset);
      return chunks.map(({ seq, pcm }) => ({ seq: seq + offset, pcm }));
    });
    const own = this.#written ? this.#storage.chunks(this.#own, from, to) : [];
    return (await Promise.all([...left, own])).flat();
  }

  async append(_: string, chunks: readonly SpooledChunk[]): Promise<void> {
    this.#written = true;
    await this.#storage.append(this.#own, chunks);
  }

  async release(_: string, seq: number, savedMs: number): Promise<void> {
    for (const { key, from, to, offset } of this.#left) {
      if (seq <= from) continue;
      const saved = Math.max(0, savedMs - offset * chunkMs);
      await this.#storage.release(key, Math.min(seq, to) - offset, saved);
    }
    this.#left = this.#left
      .filter(({ to }) => to > seq)
      .map((piece) => ({ ...piece, from: Math.max(piece.from, seq) }));
    if (this.#written) await this.#storage.release(this.#own, seq, savedMs);
  }

  async shift(_: string, delta: number): Promise<void> {
    // Where they lie, the numbers stay: nobody else knows of the move.
    this.#left = this.#left.map(({ key, from, to, offset }) => ({
      key,
      from: from + delta,
      to: to + delta,
      offset: offset + delta,
    }));
    if (this.#written) await this.#storage.shift(this.#own, delta);
  }

  /** What earlier pages have left stays: whatever is wrong with this page's own, the next visit finds it. */
  async forget(): Promise<void> {
    if (this.#written) await this.#storage.forget(this.#own);
  }

  forgetAll(recordingId: string): Promise<void> {
    return this.#storage.forgetAll(recordingId);
  }

  sweep(before: number): Promise<void> {
    return this.#storage.sweep(before);
  }
}
