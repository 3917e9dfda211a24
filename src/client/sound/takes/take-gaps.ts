import * as z from "zod/mini";
import { gapsPerTakeMax } from "#shared/limits.ts";
import { type Gap, lossReasons } from "#shared/recorded-take.ts";

const milliseconds = z.number().check(z.nonnegative());
export const takeGap = z.object({
  /** On the take's own clock, ms. */
  atMs: milliseconds,
  /** Null while it goes on. */
  lengthMs: z.nullable(milliseconds),
  reason: z.enum(lossReasons),
  /** The take has silence of the same length in its place; otherwise it has nothing. */
  isFilled: z.boolean(),
  /** On the lecture's clock, ms, if an earlier version has moved the take from there. */
  lectureMs: z.optional(milliseconds),
});
/** Lost sound of a take. */
export type TakeGap = z.infer<typeof takeGap>;

export const speechStretch = z.object({ startMs: milliseconds, endMs: milliseconds });
/** A part of a take in which somebody speaks, ms on the take's own clock. */
export type SpeechStretch = z.infer<typeof speechStretch>;

/** From `fromMs` on the take's own clock, the lecture's clock is `offsetMs` ahead of it. */
export const placement = z.object({ fromMs: z.number(), offsetMs: z.number() });
export type Placement = z.infer<typeof placement>;

/** Adds a gap; a filled one that begins where the last one ends makes that one longer. */
export function addGap(gaps: readonly TakeGap[], gap: TakeGap): TakeGap[] {
  const last = gaps.at(-1);
  const isSame = last?.isFilled === true && gap.isFilled && last.reason === gap.reason;
  if (!isSame || last.lengthMs === null || gap.lengthMs === null) return [...gaps, gap];
  if (Math.abs(last.atMs + last.lengthMs - gap.atMs) > 1) return [...gaps, gap];
  return [...gaps.slice(0, -1), { ...last, lengthMs: last.lengthMs + gap.lengthMs }];
}

/** Ends the gap that went on. */
export const endGap = (gaps: readonly TakeGap[], lengthMs: number): TakeGap[] =>
  gaps.map((gap) => (gap.lengthMs === null ? { ...gap, lengthMs } : gap));

/** Length of the silence between `fromMs` and `toMs` that takes the place of sound. */
export function measureFilled(gaps: readonly TakeGap[], fromMs: number, toMs: number): number {
  const filled = gaps.filter(({ isFilled }) => isFilled).toSorted((a, b) => a.atMs - b.atMs);
  let length = 0;
  let end = fromMs;
  for (const { atMs, lengthMs } of filled) {
    const gapEnd = Math.min(toMs, atMs + (lengthMs ?? 0));
    length += Math.max(0, gapEnd - Math.max(end, atMs));
    end = Math.max(end, gapEnd);
  }
  return length;
}

/** Length of the lost sound that is not on the take's clock. */
export const measureAbsent = (gaps: readonly TakeGap[]): number =>
  gaps.reduce((sum, { isFilled, lengthMs }) => sum + (isFilled ? 0 : (lengthMs ?? 0)), 0);

/** Adds `added` to stretches that ascend. Those that overlap or touch it become one with it. */
export function addStretch(
  stretches: readonly SpeechStretch[],
  added: SpeechStretch,
): SpeechStretch[] {
  const isApart = ({ startMs, endMs }: SpeechStretch) =>
    endMs < added.startMs || startMs > added.endMs;
  const touching = [added, ...stretches.filter((one) => !isApart(one))];
  const joined = {
    startMs: Math.min(...touching.map(({ startMs }) => startMs)),
    endMs: Math.max(...touching.map(({ endMs }) => endMs)),
  };
  return [...stretches.filter(isApart), joined].toSorted((a, b) => a.startMs - b.startMs);
}

/** Less of a stretch that is cut is not worth a gap. */
const restMinMs = 700;

/** The parts of `stretches` between two times. */
export const clipStretches = (
  stretches: readonly SpeechStretch[],
  fromMs: number,
  untilMs: number,
): SpeechStretch[] =>
  stretches.flatMap(({ startMs, endMs }) => {
    const part = { startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, untilMs) };
    const lengthMs = part.endMs - part.startMs;
    return lengthMs >= Math.min(restMinMs, endMs - startMs) ? [part] : [];
  });

/** `atMs` of a take's own clock on the lecture's clock; null until the room has placed the take. */
export function toLectureMs(placements: readonly Placement[], atMs: number): number | null {
  const placement = placements.findLast(({ fromMs }) => fromMs <= atMs) ?? placements[0];
  return placement === undefined ? null : Math.max(0, atMs + placement.offsetMs);
}

/** As many gaps as are stored: lost sound, and then the longest speech without words. */
export function limitGaps(gaps: readonly Gap[]): Gap[] {
  const lost = gaps.filter(({ reason }) => reason !== "noWords");
  const wordless = gaps
    .filter(({ reason }) => reason === "noWords")
    .toSorted((a, b) => (b.lengthMs ?? 0) - (a.lengthMs ?? 0));
  return [...lost, ...wordless].slice(0, gapsPerTakeMax);
}

/** The gaps that have a place on the lecture's clock, as they are stored. */
export function toLectureGaps(
  gaps: readonly TakeGap[],
  wordless: readonly SpeechStretch[],
  placements: readonly Placement[],
): Gap[] {
  const lost = gaps.flatMap(({ atMs, lengthMs, reason, lectureMs }): Gap[] => {
    const placed = lectureMs ?? toLectureMs(placements, atMs);
    if (placed === null) return [];
    const rounded = lengthMs === null ? null : Math.round(lengthMs);
    return [{ atMs: Math.round(placed), lengthMs: rounded, reason }];
  });
  const withoutWords = wordless.flatMap(({ startMs, endMs }): Gap[] => {
    const placed = toLectureMs(placements, startMs);
    if (placed === null) return [];
    const lengthMs = Math.round(endMs - startMs);
    return [{ atMs: Math.round(placed), lengthMs, reason: "noWords" }];
  });
  return limitGaps([...lost, ...withoutWords]);
}
