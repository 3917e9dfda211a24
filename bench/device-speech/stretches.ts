/** A stretch of time, ms. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

export const sumLengths = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);

/** Length of what `one` has in common with `others`, which do not overlap, ms. */
export const measureOverlap = (one: Stretch, others: readonly Stretch[]): number =>
  others.reduce(
    (sum, other) =>
      sum + Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)),
    0,
  );

/** `stretches`, in the order of their starts, with those that meet as one. Nothing lies behind `endMs`. */
export function mergeStretches(stretches: readonly Stretch[], endMs: number): Stretch[] {
  const merged: Stretch[] = [];
  for (const one of stretches) {
    const last = merged.at(-1);
    const stretch = { startMs: one.startMs, endMs: Math.min(one.endMs, endMs) };
    if (last !== undefined && stretch.startMs <= last.endMs)
      merged[merged.length - 1] = {
        startMs: last.startMs,
        endMs: Math.max(last.endMs, stretch.endMs),
      };
    else merged.push(stretch);
  }
  return merged;
}

/** What is left of `stretches`, which do not overlap, without `removed`; in order. */
export function subtractStretches(
  stretches: readonly Stretch[],
  removed: readonly Stretch[],
): Stretch[] {
  const inOrder = removed.toSorted((a, b) => a.startMs - b.startMs);
  return stretches.flatMap(({ startMs, endMs }) => {
    const left: Stretch[] = [];
    let fromMs = startMs;
    for (const one of inOrder) {
      if (one.endMs <= fromMs || one.startMs >= endMs) continue;
      if (one.startMs > fromMs) left.push({ startMs: fromMs, endMs: one.startMs });
      fromMs = one.endMs;
    }
    if (fromMs < endMs) left.push({ startMs: fromMs, endMs });
    return left;
  });
}
