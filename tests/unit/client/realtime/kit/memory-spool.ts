import type {
  SpooledChunk,
  SpooledPart,
  SpooledRecording,
  SpoolStorage,
} from "../../../../../src/client/realtime/ports.ts";
import { isKeyOf } from "../../../../../src/client/realtime/spool/spool-key.ts";

/** A spool that outlives sessions, as a browser's does its pages. */
export class MemorySpool implements SpoolStorage {
  readonly recordings = new Map<
    string,
    { chunks: SpooledChunk[]; nextSeq: number; savedMs: number; beganSeq: number | null }
  >();
  /** Nothing can be read or written. */
  fails = false;
  /** Nothing can be removed. */
  stuck = false;

  async parts(recordingId: string): Promise<SpooledPart[]> {
    this.#check();
    const keys = [...this.recordings.keys()].filter((key) => isKeyOf(key, recordingId)).sort();
    const parts: SpooledPart[] = [];
    for (const key of keys) {
      const stored = await this.read(key);
      const beganSeq = this.recordings.get(key)?.beganSeq ?? 0;
      if (stored !== null) parts.push({ key, ...stored, beganSeq });
    }
    return parts;
  }

  /** What all pages have stored of a recording. */
  stored(recordingId: string): { chunks: SpooledChunk[] } | undefined {
    const keys = [...this.recordings.keys()].filter((key) => isKeyOf(key, recordingId)).sort();
    if (keys.length === 0) return undefined;
    return { chunks: keys.flatMap((key) => this.recordings.get(key)?.chunks ?? []) };
  }

  async forgetAll(recordingId: string): Promise<void> {
    if (this.stuck) throw new DOMException("gone", "InvalidStateError");
    for (const key of [...this.recordings.keys()])
      if (isKeyOf(key, recordingId)) this.recordings.delete(key);
  }

  async read(recordingId: string): Promise<SpooledRecording | null> {
    this.#check();
    const recording = this.recordings.get(recordingId);
    if (recording === undefined) return null;
    const { chunks, nextSeq, savedMs } = recording;
    return { firstSeq: chunks[0]?.seq ?? nextSeq, nextSeq, savedMs };
  }

  async chunks(recordingId: string, from: number, to: number): Promise<SpooledChunk[]> {
    const chunks = this.recordings.get(recordingId)?.chunks ?? [];
    return structuredClone(chunks.filter(({ seq }) => seq >= from && seq < to));
  }

  async append(recordingId: string, chunks: readonly SpooledChunk[]): Promise<void> {
    this.#check();
    const recording = this.#recording(recordingId);
    recording.beganSeq ??= chunks[0]?.seq ?? null;
    recording.chunks.push(...chunks);
    recording.nextSeq = (chunks.at(-1)?.seq ?? recording.nextSeq - 1) + 1;
  }

  async release(recordingId: string, seq: number, savedMs: number): Promise<void> {
    this.#check();
    const recording = this.#recording(recordingId);
    recording.chunks = recording.chunks.filter((chunk) => chunk.seq >= seq);
    recording.savedMs = savedMs;
  }

  async shift(recordingId: string, delta: number): Promise<void> {
    const recording = this.#recording(recordingId);
    recording.chunks = recording.chunks.map((chunk) => ({ ...chunk, seq: chunk.seq + delta }));
    recording.nextSeq += delta;
    if (recording.beganSeq !== null) recording.beganSeq += delta;
  }

  async forget(recordingId: string): Promise<void> {
    if (this.stuck) throw new DOMException("gone", "InvalidStateError");
    this.recordings.delete(recordingId);
  }

  async sweep(): Promise<void> {}

  #check(): void {
    if (this.fails) throw new DOMException("full", "QuotaExceededError");
  }

  #recording(recordingId: string) {
    const known = this.recordings.get(recordingId);
    const recording = known ?? { chunks: [], nextSeq: 0, savedMs: 0, beganSeq: null };
    this.recordings.set(recordingId, recording);
    return recording;
  }
}
