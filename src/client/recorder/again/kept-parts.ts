import type { Span } from "#client/lecture/rows/row-timeline.ts";
import type { SoundSpan } from "#client/sound/player/sound-timeline.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import type { KeptTake, TakeStorage } from "#client/sound/takes/take-storage.ts";

/** Chunks of a kept take that are recognised again: `fromSeq` to `toSeq`, exclusive. */
export interface KeptPart {
  take: KeptTake;
  fromSeq: number;
  toSeq: number;
}

/** Sound before and after a gap that is recognised with it, ms, so that the model hears whole words. */
const aroundMs = 1_000;

/** The whole takes of `spans`, in the order of the lecture's clock. */
export const listWholeTakes = (spans: readonly SoundSpan[]): KeptPart[] =>
  [...new Set(spans.map(({ take }) => take))].map((take) => ({
    take,
    fromSeq: 0,
    toSeq: take.nextSeq,
  }));

/** The chunks of `gaps`, which ascend on the lecture's clock and may overlap, and of the sound around them. */
export function cutParts(spans: readonly SoundSpan[], gaps: readonly Span[]): KeptPart[] {
  const parts: KeptPart[] = [];
  for (const { take, fromMs, startMs, endMs } of spans)
    for (const gap of gaps) {
      if (gap.endMs <= startMs || gap.startMs >= endMs) continue;
      const toSeq = (ms: number) => (ms - startMs + fromMs) / chunkMs[take.codec];
      const part: KeptPart = {
        take,
        fromSeq: Math.floor(toSeq(Math.max(startMs, gap.startMs - aroundMs))),
        toSeq: Math.min(take.nextSeq, Math.ceil(toSeq(Math.min(endMs, gap.endMs + aroundMs)))),
      };
      const last = parts.at(-1);
      if (last?.take === take && part.fromSeq <= last.toSeq)
        last.toSeq = Math.max(last.toSeq, part.toSeq);
      else parts.push(part);
    }
  return parts;
}

export const measureParts = (parts: readonly KeptPart[]): number =>
  parts.reduce((sum, { take, fromSeq, toSeq }) => sum + (toSeq - fromSeq) * chunkMs[take.codec], 0);

/** Where `ms` of the part lie on the lecture's clock. */
export function toLectureMs({ take, fromSeq }: KeptPart, ms: number): number {
  const takeMs = ms + fromSeq * chunkMs[take.codec];
  const { placements } = take;
  const placement = placements.findLast(({ fromMs }) => fromMs <= takeMs) ?? placements[0];
  return Math.max(0, takeMs + (placement?.offsetMs ?? 0));
}

/** The chunks of `parts`, by the id of each, as a storage in which nothing can be changed. */
export function openParts(storage: TakeStorage, parts: ReadonlyMap<string, KeptPart>): TakeStorage {
  const ignore = async () => {};
  return {
    async readChunks(id, from, to) {
      const part = parts.get(id);
      if (part === undefined) return [];
      const { take, fromSeq } = part;
      const chunks = await storage.readChunks(take.id, fromSeq + from, fromSeq + to);
      return chunks.map((chunk) => ({ ...chunk, seq: chunk.seq - fromSeq }));
    },
    readLevels: async () => new Uint8Array(),
    list: async () => [],
    listKept: async () => [],
    listFiles: async () => [],
    write: ignore,
    remove: ignore,
    removeAll: ignore,
    removeKept: ignore,
    stopKeeping: ignore,
    removeOldestKept: async () => false,
  };
}
