/** `S1:`, `[S1]`, `Speaker 2:` and the like. */
const numbered =
  /^\s*(?:\[\s*(S|SPK|Speaker\s?)\s*(\d{1,3})\s*\]\s*:?|(S|SPK|Speaker\s?)(\d{1,3})\s*[:：])\s*/i;
/** A name before a colon: up to four capitalized words. */
const named =
  /^\s*(?:>>\s*)?((?:\p{Lu}[\p{L}\p{M}.'’-]*)(?:[ ](?:\p{Lu}[\p{L}\p{M}.'’-]*|de|von|van|der|la)){0,3})\s*[:：]\s+(?=\S)/u;
/** A name in a script without capitals. */
const namedUncased =
  /^\s*([\p{Lo}\p{M}]{1,20}(?:[ ·・][\p{Lo}\p{M}]{1,20}){0,3})\s*[:：]\s*(?=\S)/u;

interface SpeakerSplit {
  speaker: string | null;
  text: string;
}

function splitNumberedSpeaker(text: string): SpeakerSplit | null {
  const match = numbered.exec(text);
  const digits = match?.[2] ?? match?.[4];
  if (!match || digits === undefined || match[0].length === text.length) return null;
  return { speaker: `S${Number(digits)}`, text: text.slice(match[0].length) };
}

function splitNamedSpeaker(text: string): SpeakerSplit | null {
  const match = named.exec(text) ?? namedUncased.exec(text);
  const name = match?.[1];
  if (!match || name === undefined || name.length > 40) return null;
  return { speaker: name, text: text.slice(match[0].length) };
}

/** How often names must precede a colon, and in which share of the texts, to count as speakers. */
const timesMin = 2;
const shareMin = 0.6;

/**
 * Splits speakers' names from the starts of texts. `S1:` always counts; `Ann:` only if most texts start with a name, as
 * a sentence may start with a word and a colon. `onlyAtChanges`: names are written where the speaker changes, as in
 * paragraphs of a plain text.
 */
export function splitSpeakers<Piece extends SpeakerSplit>(
  pieces: readonly Piece[],
  onlyAtChanges: boolean,
): Piece[] {
  const counts = new Map<string, number>();
  let withName = 0;
  for (const { text } of pieces) {
    const split = splitNumberedSpeaker(text) ?? splitNamedSpeaker(text);
    if (!split?.speaker) continue;
    withName += 1;
    counts.set(split.speaker, (counts.get(split.speaker) ?? 0) + 1);
  }
  // In a plain text few paragraphs have a name, but each name occurs repeatedly.
  const share = onlyAtChanges ? 0 : shareMin;
  const hasNames = withName >= Math.max(timesMin, pieces.length * share);
  return pieces.map((piece) => {
    const own = splitNumberedSpeaker(piece.text);
    if (own !== null) return { ...piece, ...own };
    const split = hasNames ? splitNamedSpeaker(piece.text) : null;
    const isRepeated = (counts.get(split?.speaker ?? "") ?? 0) >= timesMin;
    return split !== null && (isRepeated || !onlyAtChanges) ? { ...piece, ...split } : piece;
  });
}
