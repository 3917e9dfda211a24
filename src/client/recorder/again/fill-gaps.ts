import { createCover, createTimes, type Span } from "#client/lecture/rows/row-timeline.ts";
import { limitGaps } from "#client/sound/takes/take-gaps.ts";
import type { Gap } from "#shared/recorded-take.ts";
import type { RelayToken } from "#shared/relay.ts";
import type { HeardWords } from "./replace-rows.ts";

/**
 * Speech without words that was recognised again: which of its words are new, and what stays without words. All times
 * are on the lecture's clock, ms.
 */

/** Speech without words whose sound is in one of `spans`, ascending. */
export function listWordless(gaps: readonly Gap[], spans: readonly Span[]): Span[] {
  return gaps
    .filter(({ reason }) => reason === "noWords")
    .map(({ atMs, lengthMs }) => ({ startMs: atMs, endMs: atMs + (lengthMs ?? 0) }))
    .filter((gap) => spans.some((one) => gap.startMs < one.endMs && gap.endMs > one.startMs))
    .toSorted((a, b) => a.startMs - b.startMs);
}

const getMiddle = ({ start_ms: startMs, end_ms: endMs }: RelayToken): number | null =>
  startMs === undefined ? null : (startMs + (endMs ?? startMs)) / 2;

/** The words of `words` that were said in `gaps`; those around them have rows. */
export function selectWords(words: readonly HeardWords[], gaps: readonly Span[]): HeardWords[] {
  const isInGap = createCover(gaps);
  return words.map((part) => {
    if (part.kind === "end") return part;
    const tokens = part.batch.tokens.filter((token) => {
      const middle = getMiddle(token);
      return middle !== null && isInGap(middle);
    });
    return { ...part, batch: { ...part.batch, tokens } };
  });
}

/** When the words were said: the middle of each. */
export const listTimes = (words: readonly HeardWords[]): number[] =>
  words.flatMap((part) =>
    part.kind === "end"
      ? []
      : part.batch.tokens.flatMap((token) =>
          token.text.trim() === "" ? [] : (getMiddle(token) ?? []),
        ),
  );

/**
 * The gaps of a take whose sound was recognised again. One without words goes where words were said in it (`heard`: their
 * times), and otherwise stays as it is; `wordless` is what was without words this time.
 */
export function replaceGaps(
  gaps: readonly Gap[],
  heard: readonly number[],
  wordless: readonly Span[],
): Gap[] {
  const hasWords = createTimes(heard);
  const getEndMs = ({ atMs, lengthMs }: Gap) => atMs + (lengthMs ?? 0);
  const kept = gaps.filter((gap) => gap.reason !== "noWords" || !hasWords(gap.atMs, getEndMs(gap)));
  const isKnown = ({ startMs, endMs }: Span) =>
    kept.some((gap) => gap.reason === "noWords" && gap.atMs < endMs && getEndMs(gap) > startMs);
  const added = wordless
    .filter((span) => !isKnown(span))
    .map(({ startMs, endMs }): Gap => {
      const atMs = Math.round(startMs);
      return { atMs, lengthMs: Math.round(endMs) - atMs, reason: "noWords" };
    });
  return limitGaps([...kept, ...added]);
}
