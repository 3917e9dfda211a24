/** After these a point ends no sentence. */
const abbreviation =
  /(?:^|[\s("'[])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|cf|fig|figs|eq|eqs|no|vol|pp?|ch|sec|approx|[a-z])\.\s*$/iu;

/** What a list's number looks like at the beginning of a line. */
const number = /^\s*\d{1,3}\.\s*$/;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** A part of a text: from `from` up to `to`, without the white space around it. */
interface Range {
  from: number;
  to: number;
}

/** Where the sentences of `text` (one line) stand, in order. Only white space lies between them. */
export function sentenceRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    const to = index + segment.length;
    const so = text.slice(from, to);
    if (to < text.length && (abbreviation.test(so) || number.test(so))) continue;
    const trimmed = so.trim();
    if (trimmed !== "") {
      const begin = from + so.indexOf(trimmed);
      ranges.push({ from: begin, to: begin + trimmed.length });
    }
    from = to;
  }
  return ranges;
}

/** `text` in pieces of at most `max` characters, parted at spaces where there are any. */
export function pieces(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const space = rest.lastIndexOf(" ", max);
    // Never between the halves of one character.
    const hard = /[\ud800-\udbff]/.test(rest[max - 1] ?? "") ? max - 1 : max;
    const cut = space > max / 2 ? space : hard;
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== "") parts.push(rest);
  return parts;
}
