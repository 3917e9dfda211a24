import { mayHaveFormula, splitFormulas } from "#client/lib/formulas.ts";
import type { MarkedText } from "#shared/search.ts";

/** `text` with no formula in several pieces: where the query matches a part of one, the whole of it is marked. */
export function markWholeFormulas(text: MarkedText): MarkedText {
  const joined = text.join("");
  if (!mayHaveFormula(joined)) return text;
  const isMarked = text.flatMap((piece, index) =>
    Array<boolean>(piece.length).fill(index % 2 === 1),
  );
  let end = 0;
  for (const piece of splitFormulas(joined)) {
    const start = end;
    end += (typeof piece === "string" ? piece : piece.text).length;
    if (typeof piece !== "string" && isMarked.slice(start, end).includes(true))
      isMarked.fill(true, start, end);
  }
  const pieces = [""];
  isMarked.forEach((marked, at) => {
    if (marked !== (pieces.length % 2 === 0)) pieces.push("");
    pieces.push((pieces.pop() ?? "") + joined.charAt(at));
  });
  return pieces;
}
