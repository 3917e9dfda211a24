import { formatClock, parseClock } from "#shared/clock-time.ts";

const inBrackets = String.raw`[\d:.,;、，；\s–—~-]{0,80}`;
/** Times between brackets, of which models use several kinds, with the blanks before. */
const citation = new RegExp(
  String.raw`(?<![ \t])[ \t]*[[［【](${inBrackets}\d:\d{2}${inBrackets})[\]］】]`,
  "g",
);
/**
 * What may become a citation with the next piece. Several brackets: where the inner citation is removed, the rest is one.
 */
const beginning = /(?<![ \t])[ \t]*(?:[[［【][\d:.,;、，；\s–—~-]{0,170}){0,20}$/;
/** Characters that are held back at most: `beginning` with some blanks. */
export const heldMaxLength = 4_000;
const time = /\d{1,3}(?::\d{2}){1,2}/g;

/**
 * Yields what a model writes as it arrives, without the times in brackets that are none of `given`, in seconds. Each of
 * the others is in brackets of its own, as rows have it. Null: everything as it is.
 */
export async function* filterTimes(
  pieces: AsyncIterable<string>,
  given: ReadonlySet<number> | null,
): AsyncGenerator<string> {
  if (given === null) {
    yield* pieces;
    return;
  }
  let held = "";
  for await (const piece of pieces) {
    // A long piece in parts: each time it is read, what may become a citation is read again.
    for (let from = 0; from < piece.length; from += heldMaxLength) {
      held = removeTimes(held + piece.slice(from, from + heldMaxLength), given);
      const end = Math.max(held.search(beginning), held.length - heldMaxLength);
      if (end > 0) yield held.slice(0, end);
      held = held.slice(end);
    }
  }
  if (held !== "") yield held;
}

/** Of citations within each other, the inner ones are removed first. */
function removeTimes(text: string, given: ReadonlySet<number>): string {
  const removed = text.replace(citation, (whole: string, cited: string) => {
    const seconds = new Set((cited.match(time) ?? []).map(parseClock));
    const valid = [...seconds].filter((one) => given.has(one));
    if (valid.length === 0) return "";
    const blanks = /^[ \t]*/.exec(whole)?.[0] ?? "";
    return blanks + valid.map((one) => `[${formatClock(one)}]`).join(" ");
  });
  return removed === text ? text : removeTimes(removed, given);
}
