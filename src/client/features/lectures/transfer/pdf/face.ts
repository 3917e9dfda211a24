import { create, type Font, type Glyph, type GlyphPosition } from "fontkit";
import type { Slice } from "./font-catalogue.ts";
import { glyphGroups, nothing, sayings } from "./glyph-groups.ts";

/** A glyph in the order in which it is drawn, from left to right. Lengths are thousandths of an em. */
export interface PlacedGlyph {
  /** What is read here. */
  text: string;
  /** Null: nothing is drawn. */
  id: number | null;
  /** How far the next glyph is. */
  advance: number;
  /** Where it is drawn, from where it would be. */
  x: number;
  y: number;
}

export interface Shaped {
  glyphs: PlacedGlyph[];
  /** Thousandths of an em. */
  width: number;
}

/** OpenType's names of the scripts whose letters change by their neighbours. */
function scriptOf(slice: Slice): string | undefined {
  if (slice.family === "ibm-plex-sans-arabic") return "arab";
  return slice.name === "devanagari" ? "deva" : undefined;
}

/**
 * Ligatures for beauty alone hide their letters from those who search; what a script needs stays.
 * Made anew for each text: fontkit notes in it what the script of one text asks for.
 */
const features = () => ({ liga: false });

/** A font file, opened. */
export class Face {
  readonly font: Font;
  readonly #script: string | undefined;
  readonly #scale: number;
  readonly #shaped = new Map<string, Shaped>();

  constructor(slice: Slice, bytes: Uint8Array) {
    const font = create(bytes as Uint8Array & Buffer);
    if (!("layout" in font)) throw new Error(`${slice.family} ${slice.name} holds several fonts`);
    this.font = font;
    this.#script = scriptOf(slice);
    this.#scale = 1000 / font.unitsPerEm;
  }

  /** Its letters change by their neighbours: a phrase is shaped as a whole. */
  get complex(): boolean {
    return this.#script !== undefined;
  }

  has(point: number): boolean {
    return this.font.hasGlyphForCodePoint(point);
  }

  /**
   * The glyphs of `text`. `drawn` has as many characters, mirrored where `rtl` asks for it: brackets
   * look the other way, and are still read as what they are.
   */
  shape(text: string, drawn: string, rtl: boolean): Shaped {
    const key = `${rtl ? "<" : ">"}${text}`;
    const known = this.#shaped.get(key);
    if (known) return known;
    const direction = rtl ? "rtl" : "ltr";
    const run = this.font.layout(drawn, features(), this.#script, undefined, direction);
    const made = run.glyphs.map((glyph, index) => ({ glyph, at: run.positions[index] }));
    const inTextOrder = rtl ? made.toReversed() : made;
    const groups = glyphGroups(
      [...drawn],
      inTextOrder.map(({ glyph }) => glyph.codePoints),
    );
    const characters = [...text];
    const glyphs = (rtl ? groups.toReversed() : groups).flatMap((group) => {
      const own = inTextOrder.slice(...group.glyphs);
      const said = characters.slice(...group.characters);
      return this.#placed(rtl ? own.reverse() : own, rtl ? said.reverse() : said, rtl);
    });
    const shaped = { glyphs, width: glyphs.reduce((sum, glyph) => sum + glyph.advance, 0) };
    this.#shaped.set(key, shaped);
    return shaped;
  }

  /** A group of glyphs with what is read in their places, both from left to right. */
  #placed(
    made: readonly { glyph: Glyph; at: GlyphPosition | undefined }[],
    characters: readonly string[],
    rtl: boolean,
  ): PlacedGlyph[] {
    const widths = made.map(({ glyph }) => glyph.advanceWidth);
    return sayings(characters, widths, rtl).flatMap(({ glyph, text }) => {
      const drawn = glyph === null ? undefined : made[glyph];
      const placed = {
        id: drawn?.glyph.id ?? null,
        advance: (drawn?.at?.xAdvance ?? 0) * this.#scale,
        x: (drawn?.at?.xOffset ?? 0) * this.#scale,
        y: (drawn?.at?.yOffset ?? 0) * this.#scale,
      };
      if (placed.y === 0) return [{ ...placed, text }];
      // Readers take what stands above the line for a line of its own: it is said on the line.
      return [
        { text, id: null, advance: 0, x: 0, y: 0 },
        { ...placed, text: nothing },
      ];
    });
  }
}
