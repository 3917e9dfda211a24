/** `S1:`, `[S1]`, `Speaker 2:` and the like. */
const numbered =
  /^\s*(?:\[\s*(S|SPK|Speaker\s?)\s*(\d{1,3})\s*\]\s*:?|(S|SPK|Speaker\s?)(\d{1,3})\s*[:：])\s*/i;
/** A name before a colon: a few words that begin with capitals, or all of it in them. */
const named =
  /^\s*(?:>>\s*)?((?:\p{Lu}[\p{L}\p{M}.'’-]*)(?:[ ](?:\p{Lu}[\p{L}\p{M}.'’-]*|de|von|van|der|la)){0,3})\s*[:：]\s+(?=\S)/u;
/** A name in a script without capitals. */
const namedElsewhere =
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
  const match = named.exec(text) ?? namedElsewhere.exec(text);
  const name = match?.[1];
  if (!match || name === undefined || name.length > 40) return null;
  return { speaker: name, text: text.slice(match[0].length) };
}

/** How often a name must stand before a colon, and in how much of the text, to be taken for a speaker. */
const timesMin = 2;
const shareMin = 0.6;

/**
 * Takes the names of speakers from the beginnings of `texts`. `S1:` is one wherever it stands; `Ann:`
 * only where most texts begin so, for a sentence may well begin with a word and a colon.
 * `carried`: names stand where the speaker changes, as in a text that is written in paragraphs.
 */
export function splitSpeakers(texts: readonly string[], carried: boolean): SpeakerSplit[] {
  const counts = new Map<string, number>();
  let withName = 0;
  for (const text of texts) {
    const split = splitNumberedSpeaker(text) ?? splitNamedSpeaker(text);
    if (!split?.speaker) continue;
    withName += 1;
    counts.set(split.speaker, (counts.get(split.speaker) ?? 0) + 1);
  }
  // Cues have a name each; a text has one where the speaker changes, so each comes up again.
  const share = carried ? 0 : shareMin;
  const names = withName >= Math.max(timesMin, texts.length * share);
  return texts.map((text) => {
    const own = splitNumberedSpeaker(text);
    if (own !== null) return own;
    const split = names ? splitNamedSpeaker(text) : null;
    const again = (counts.get(split?.speaker ?? "") ?? 0) >= timesMin;
    return split !== null && (again || !carried) ? split : { speaker: null, text };
  });
}
