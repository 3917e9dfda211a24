import type { StoredTake } from "#client/sound/takes/stored-take.ts";
import type { TakeChunk, TakeStorage } from "#client/sound/takes/take-storage.ts";

type MemoryTake = { userId: string; take: StoredTake; chunks: TakeChunk[] };

/** Stored takes that outlive sessions, as a browser's do its tabs. */
export class MemoryTakes {
  readonly takes = new Map<string, MemoryTake>();
  /** Nothing can be read or written. */
  fails = false;
  /** There is room for what is unsent, and none for more. */
  isNarrow = false;
  /** Called before takes are listed; when it rejects, so does the call. */
  beforeList: () => Promise<void> = async () => {};

  /** The chunks that are stored of a lecture. */
  listLectureChunks(lectureId: string): TakeChunk[] {
    const stored = [...this.takes.values()].filter(({ take }) => take.lectureId === lectureId);
    return stored.flatMap(({ chunks }) => chunks);
  }

  /** The takes of one lecture, whoever's they are. */
  list(lectureId: string): StoredTake[] {
    const stored = [...this.takes.values()].map(({ take }) => take);
    return stored.filter((take) => take.lectureId === lectureId);
  }

  openStorage(userId: string): TakeStorage {
    const isSaved = ({ isKept, firstSeq, nextSeq }: StoredTake) => isKept && firstSeq === nextSeq;
    const stopKeeping = (stored: MemoryTake) => {
      const { take, chunks } = stored;
      if (isSaved(take)) this.takes.delete(take.id);
      else stored.take = { ...take, isKept: false };
      stored.chunks = chunks.filter(({ seq }) => seq >= take.firstSeq);
    };
    const find = (lectureId?: string) => {
      this.#check();
      return [...this.takes.values()].filter(
        (stored) =>
          stored.userId === userId &&
          (lectureId === undefined || stored.take.lectureId === lectureId),
      );
    };
    return {
      list: async (lectureId) => {
        await this.beforeList();
        return find(lectureId)
          .filter(({ take }) => !isSaved(take) && take.file?.isRead !== false)
          .map(({ take }) => structuredClone(take));
      },
      listFiles: async () =>
        find().flatMap(({ take }) => {
          const { file } = take;
          if (file === null || (isSaved(take) && file.isRead && file.keepsSound)) return [];
          return [{ ...structuredClone(take), file }];
        }),
      readChunks: async (takeId, from, to) => {
        const stored = this.takes.get(takeId);
        const chunks = stored?.userId === userId ? stored.chunks : [];
        return structuredClone(chunks.filter(({ seq }) => seq >= from && seq < to));
      },
      write: async (take, chunks) => {
        this.#check(this.isNarrow && take.isKept);
        const before = this.takes.get(take.id)?.chunks ?? [];
        const firstSeq = take.isKept ? 0 : take.firstSeq;
        const all = [...before, ...chunks].filter(({ seq }) => seq >= firstSeq);
        this.takes.set(take.id, { userId, take: structuredClone(take), chunks: all });
      },
      remove: async (takeId) => {
        this.takes.delete(takeId);
      },
      listKept: async (lectureId) =>
        find(lectureId)
          .filter(({ take }) => take.isKept && (take.file?.keepsSound !== false || isSaved(take)))
          .map(({ take }) => ({ ...structuredClone(take), bytes: 0, createdAt: 0 })),
      readLevels: async () => new Uint8Array(),
      removeKept: async (lectureId) => {
        for (const stored of find(lectureId)) if (stored.take.isKept) stopKeeping(stored);
      },
      stopKeeping: async (takeId) => {
        const stored = this.takes.get(takeId);
        if (stored?.take.isKept) stopKeeping(stored);
      },
      removeOldestKept: async () => {
        const oldest = find().find(({ take }) => isSaved(take));
        return oldest !== undefined && this.takes.delete(oldest.take.id);
      },
      removeAll: async () => {
        for (const { take } of find()) this.takes.delete(take.id);
      },
    };
  }

  #check(fails = false): void {
    if (this.fails || fails) throw new DOMException("full", "QuotaExceededError");
  }
}
