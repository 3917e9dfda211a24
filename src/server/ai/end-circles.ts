/** Lines that may follow each other in a circle. */
const circleMax = 4;
/** How often a circle is gone through before it is one. */
const rounds = 3;
/** Lines without letters, such as rules and blanks, are none. */
const hasLetters = /[\p{L}\p{N}]/u;

/**
 * The pieces of a text of several lines, which ends where the same lines follow each other again and again: a small model
 * does not find the end by itself.
 */
export async function* endCircles(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const lines: string[] = [];
  let line = "";
  for await (const piece of pieces) {
    yield piece;
    const [first = "", ...others] = piece.split("\n");
    line += first;
    for (const next of others) {
      if (hasLetters.test(line)) lines.push(line.trim());
      line = next;
      if (isCircle(lines)) return;
    }
    lines.splice(0, lines.length - circleMax * rounds);
  }
}

const isCircle = (lines: readonly string[]): boolean =>
  Array.from({ length: circleMax }, (_, index) => index + 1).some((size) => {
    const last = lines.slice(-size * rounds);
    return last.length === size * rounds && last.every((line, at) => line === last[at % size]);
  });
