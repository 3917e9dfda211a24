import type { Cue, SpokenLine } from "./cue.ts";

/** Further apart, cues do not show the same line. */
const gapMaxMs = 100;
/** Cues that go on with the one before, and their share of those that have something new, in a file that rolls up. */
const rollingMin = 2;
const rollingShareMin = 0.5;

/** How `cue` goes on with the one before. */
interface Continuation {
  /** Its first lines, which were shown before; the last of them may have grown. */
  repeated: number;
  hasGrown: boolean;
}

const isGrown = (before: string, line: string) =>
  line.length > before.length &&
  line.startsWith(before) &&
  /^[\s\p{P}]/u.test(line.slice(before.length));

function findContinuation(before: readonly SpokenLine[], cue: readonly SpokenLine[]): Continuation {
  for (let count = Math.min(before.length, cue.length); count > 0; count -= 1) {
    const tail = before.slice(-count);
    const isSame = (at: number) => tail[at]?.text === cue[at]?.text;
    if (!tail.slice(0, -1).every((_, at) => isSame(at))) continue;
    if (isSame(count - 1)) return { repeated: count, hasGrown: false };
    if (isGrown(tail.at(-1)?.text ?? "", cue[count - 1]?.text ?? ""))
      return { repeated: count, hasGrown: true };
  }
  return { repeated: 0, hasGrown: false };
}

/**
 * In captions that roll up, a cue shows again what the one before has shown, and the next line below it, or the next
 * words. Of them, each line is a cue of its own, with the time in which it came. Other cues stay as they are.
 */
export function unrollCaptions(cues: readonly Cue[]): Cue[] {
  const continuations = cues.map(({ times, lines }, at): Continuation => {
    const before = cues[at - 1];
    const isNext =
      times !== null && before?.times && Math.abs(times.startMs - before.times.endMs) <= gapMaxMs;
    return isNext ? findContinuation(before.lines, lines) : { repeated: 0, hasGrown: false };
  });
  const withNews = continuations.filter(
    ({ repeated, hasGrown }, at) =>
      at > 0 && (hasGrown || repeated < (cues[at]?.lines.length ?? 0)),
  );
  const rolling = withNews.filter(({ repeated }) => repeated > 0).length;
  if (rolling < rollingMin || rolling < withNews.length * rollingShareMin) return [...cues];
  const unrolled: Cue[] = [];
  for (const [at, cue] of cues.entries()) {
    const { repeated, hasGrown } = continuations[at] ?? { repeated: 0, hasGrown: false };
    const last = unrolled.at(-1);
    if (hasGrown && last !== undefined) {
      const grown = cue.lines[repeated - 1];
      if (grown !== undefined) last.lines = [...last.lines.slice(0, -1), grown];
      if (last.times !== null && cue.times !== null)
        last.times = { ...last.times, endMs: cue.times.endMs };
    }
    const lines = cue.lines.slice(repeated);
    if (lines.length > 0) unrolled.push({ times: cue.times, lines });
  }
  return unrolled;
}
