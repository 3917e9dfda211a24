import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import type { KeptTake } from "#client/sound/takes/take-storage.ts";

/** A part of a kept take on the lecture's clock. All times are ms. */
export interface SoundSpan {
  take: KeptTake;
  /** On the take's own clock. */
  fromMs: number;
  /** On the lecture's clock. */
  startMs: number;
  endMs: number;
}

/**
 * The kept sound of a lecture in the order of its clock, without overlaps. Where two takes claim the same time, the
 * earlier span ends where the later one begins.
 */
export function createSpans(takes: readonly KeptTake[]): SoundSpan[] {
  const spans = takes.flatMap((take) => {
    const lengthMs = take.nextSeq * chunkMs[take.codec];
    return take.placements.map(({ fromMs, offsetMs }, index) => {
      const toMs = Math.min(lengthMs, take.placements[index + 1]?.fromMs ?? lengthMs);
      return { take, fromMs, startMs: fromMs + offsetMs, endMs: toMs + offsetMs };
    });
  });
  const ordered = spans.toSorted((a, b) => a.startMs - b.startMs);
  return ordered
    .map((span, index) => ({
      ...span,
      endMs: Math.min(span.endMs, ordered[index + 1]?.startMs ?? span.endMs),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** The span that contains `ms` on the lecture's clock, or else the next one; null after the last. */
export const findSpan = (spans: readonly SoundSpan[], ms: number): SoundSpan | null =>
  spans.find(({ endMs }) => ms < endMs) ?? null;

/** Whether there is sound at `ms` on the lecture's clock. */
export const hasSoundAt = (spans: readonly SoundSpan[], ms: number): boolean =>
  spans.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);

/** The level of `span` at `ms` on the lecture's clock, 0 to 255. */
function getLevelAt(span: SoundSpan, levels: Uint8Array, ms: number): number {
  return levels[Math.floor((ms - span.startMs + span.fromMs) / chunkMs[span.take.codec])] ?? 0;
}

/**
 * The loudest level in each of `count` equal parts of the first `durationMs` of the lecture's clock; null where no
 * sound is kept.
 */
export function createWaveform(
  spans: readonly SoundSpan[],
  getLevels: (takeId: string) => Uint8Array,
  durationMs: number,
  count: number,
): (number | null)[] {
  const bars = Array<number | null>(count).fill(null);
  const partMs = durationMs / count;
  for (const span of spans) {
    const levels = getLevels(span.take.id);
    // Half a chunk is the finest that the levels say.
    const stepMs = chunkMs[span.take.codec] / 2;
    for (let ms = span.startMs; ms < span.endMs; ms += stepMs) {
      const index = Math.min(count - 1, Math.floor(ms / partMs));
      bars[index] = Math.max(bars[index] ?? 0, getLevelAt(span, levels, ms));
    }
  }
  return bars;
}

/** Level below which a chunk counts as silence: -50 dB of full scale (see `measureLevel`). */
const silentLevel = 43;
/** A pause is skipped when it is longer than this, and this much of it is heard before the next word. */
const pauseMs = 1_200;
const leadMs = 300;

/**
 * Where to continue from `ms` when silence is skipped: shortly before the next sound if `ms` is in a long pause,
 * otherwise `ms`.
 */
export function skipSilence(span: SoundSpan, levels: Uint8Array, ms: number): number {
  if (levels.length === 0) return ms;
  const stepMs = chunkMs[span.take.codec];
  let next = ms;
  while (next < span.endMs && getLevelAt(span, levels, next) < silentLevel) next += stepMs;
  const target = Math.min(next, span.endMs) - leadMs;
  return target - ms > pauseMs - leadMs ? target : ms;
}
