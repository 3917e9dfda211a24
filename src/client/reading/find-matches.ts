import type { RowBlock, TranscriptRow } from "#client/lecture/lecture-document.ts";

/** A place in the transcript: characters `start` to `end` of one of a row's texts. */
export interface Match {
  position: number;
  text: string;
  /** How many of the row's earlier texts are the same as `text`. */
  copy: number;
  start: number;
  end: number;
}

/** A text for comparison, and for each of its characters where it begins and ends in the original. */
interface Folded {
  text: string;
  /** Null where both texts have the same places. */
  places: readonly { start: number; end: number }[] | null;
}

/** Accents of Latin, Greek and Cyrillic letters; vowel signs and the lengthening stroke of Arabic. */
const accents = /[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g;

/** Without case, accents and full-width forms. Hangul syllables and voiced kana stay themselves. */
const foldCharacter = (character: string): string =>
  character
    .toLowerCase()
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC")
    .replace(/\s/, " ");

function fold(original: string): Folded {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no folding
  if (/^[\x00-\x7f]*$/.test(original)) return { text: original.toLowerCase(), places: null };
  let text = "";
  let isMoved = false;
  const places: { start: number; end: number }[] = [];
  let start = 0;
  for (const character of original) {
    const end = start + character.length;
    const folded = foldCharacter(character);
    const last = places.at(-1);
    isMoved ||= folded.length !== character.length;
    // An accent of its own belongs to the letter before it.
    if (folded === "" && last) last.end = end;
    for (let index = 0; index < folded.length; index += 1) places.push({ start, end });
    text += folded;
    start = end;
  }
  return { text, places: isMoved ? places : null };
}

/** Rows are replaced when they change, so their folded texts can be kept. */
const foldedRows = new WeakMap<TranscriptRow, Map<string, Folded>>();

function foldText(row: TranscriptRow, text: string): Folded {
  const known = foldedRows.get(row) ?? new Map<string, Folded>();
  foldedRows.set(row, known);
  const folded = known.get(text) ?? fold(text);
  known.set(text, folded);
  return folded;
}

const countCopies = (texts: readonly string[], text: string): number =>
  texts.filter((other) => other === text).length;

/** Places of one query that are listed. */
export const matchesMax = 10_000;

/** The first `matchesMax` places of `query` in the texts that `getTexts` returns for a row, in order. */
export function findMatches(
  blocks: readonly RowBlock[],
  query: string,
  getTexts: (row: TranscriptRow) => readonly string[],
): Match[] {
  const wanted = fold(query.trim()).text;
  if (wanted === "") return [];
  const matches: Match[] = [];
  for (const { rows } of blocks) {
    for (const row of rows) {
      const texts = getTexts(row);
      for (const [index, text] of texts.entries()) {
        const copy = countCopies(texts.slice(0, index), text);
        const folded = foldText(row, text);
        const { length } = wanted;
        for (
          let at = folded.text.indexOf(wanted);
          at !== -1;
          at = folded.text.indexOf(wanted, at + length)
        ) {
          const start = folded.places === null ? at : (folded.places[at]?.start ?? 0);
          const last = at + length - 1;
          const end = folded.places === null ? last + 1 : (folded.places[last]?.end ?? start);
          matches.push({ position: row.position, text, copy, start, end });
          if (matches.length === matchesMax) return matches;
        }
      }
    }
  }
  return matches;
}
