import type { StoredTake, TakeChunk, TakeStorage } from "#client/realtime/takes/take-storage.ts";

/** Stored takes that outlive sessions, as a browser's do its tabs. */
export class MemoryTakes implements TakeStorage {
  readonly takes = new Map<string, { take: StoredTake; chunks: TakeChunk[] }>();
  /** Nothing can be read or written. */
  fails = false;

  async list(lectureId?: string): Promise<StoredTake[]> {
    this.#check();
    return [...this.takes.values()]
      .map(({ take }) => structuredClone(take))
      .filter((take) => lectureId === undefined || take.lectureId === lectureId);
  }

  /** The chunks that are stored of a lecture. */
  listLectureChunks(lectureId: string): TakeChunk[] {
    const stored = [...this.takes.values()].filter(({ take }) => take.lectureId === lectureId);
    return stored.flatMap(({ chunks }) => chunks);
  }

  async readChunks(takeId: string, from: number, to: number): Promise<TakeChunk[]> {
    const chunks = this.takes.get(takeId)?.chunks ?? [];
    return structuredClone(chunks.filter(({ seq }) => seq >= from && seq < to));
  }

  async write(take: StoredTake, chunks: readonly TakeChunk[]): Promise<void> {
    this.#check();
    const before = this.takes.get(take.id)?.chunks ?? [];
    const all = [...before, ...chunks].filter(({ seq }) => seq >= take.firstSeq);
    this.takes.set(take.id, { take: structuredClone(take), chunks: all });
  }

  async remove(takeId: string): Promise<void> {
    this.takes.delete(takeId);
  }

  async removeOlderThan(): Promise<void> {}

  #check(): void {
    if (this.fails) throw new DOMException("full", "QuotaExceededError");
  }
}
