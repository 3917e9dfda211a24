/** Glyphs that were made of a stretch of text, both by their places, up to and without the last. */
export interface GlyphGroup {
  characters: readonly [from: number, to: number];
  glyphs: readonly [from: number, to: number];
}

/**
 * Which glyphs say which characters, in the smallest groups. `points` are the characters that each glyph
 * was made of: several for a ligature, in another order than in the text where a vowel sign is written
 * before its consonant, none for a dot that a font keeps apart from its letter. A group ends where its
 * glyphs have used up their stretch of `characters`.
 */
export function glyphGroups(
  characters: readonly string[],
  points: readonly (readonly number[])[],
): GlyphGroup[] {
  const groups: { characters: [number, number]; glyphs: [number, number] }[] = [];
  /** Characters that the open group's glyphs have, minus those of its stretch of text. */
  const open = new Map<number, number>();
  const count = (point: number, change: number) => {
    const left = (open.get(point) ?? 0) + change;
    if (left === 0) open.delete(point);
    else open.set(point, left);
  };
  let character = 0;
  let glyph = 0;
  let end = 0;
  points.forEach((made, index) => {
    const last = groups.at(-1);
    if (made.length === 0 && glyph === index && last) {
      last.glyphs[1] = index + 1;
      glyph = index + 1;
      return;
    }
    for (const point of made) {
      count(point, 1);
      const next = characters[end]?.codePointAt(0);
      if (next !== undefined) count(next, -1);
      end += 1;
    }
    if (open.size > 0 || made.length === 0) return;
    groups.push({ characters: [character, end], glyphs: [glyph, index + 1] });
    character = end;
    glyph = index + 1;
  });
  // A font may change characters for others: then the rest is one group.
  const rest = points.length > glyph || characters.length > character;
  if (rest) {
    const last = points.length > glyph ? undefined : groups.at(-1);
    if (last) last.characters[1] = characters.length;
    else {
      groups.push({
        characters: [character, characters.length],
        glyphs: [glyph, points.length],
      });
    }
  }
  return groups;
}

/** Readers take these to be as wide as nothing, wherever they stand in what a glyph says. */
const widthless = /[\p{Mn}\p{Cf}]/u;

/** What is said at one place: by a glyph of the group, or by nothing that is seen (`glyph` is null). */
export interface Saying {
  glyph: number | null;
  text: string;
}

/**
 * Who says what in a group: `characters` and the widths of its glyphs in the order in which they are
 * drawn. One glyph says one character, so that it is read right in both directions, and a mark is not
 * said by a glyph that takes place. What is left over is said beside the glyphs.
 */
export function sayings(
  characters: readonly string[],
  widths: readonly number[],
  rtl: boolean,
): Saying[] {
  const whole = characters.join("");
  if (widths.length === 1 && !rtl && !widthless.test(whole)) return [{ glyph: 0, text: whole }];
  const said: Saying[] = [];
  let glyph = 0;
  characters.forEach((text, index) => {
    const left = characters.length - index;
    const forced = widths.length - glyph >= left;
    const width = widths[glyph];
    const fits = width !== undefined && (width === 0 || forced || !widthless.test(text));
    said.push({ glyph: fits ? glyph : null, text });
    if (fits) glyph += 1;
  });
  for (; glyph < widths.length; glyph += 1) said.push({ glyph, text: nothing });
  return said;
}

/** What a glyph says that is only a part of one: nothing that is seen, for readers want something. */
export const nothing = "\u200b";
