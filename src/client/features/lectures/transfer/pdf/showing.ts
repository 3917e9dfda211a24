import type { Shaped } from "./face.ts";
import { nothing } from "./glyph-groups.ts";
import type { PdfFont } from "./pdf-font.ts";

/** As precise as a page is read, in points or thousandths of an em. */
export const rounded = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Smaller moves, in thousandths of an em, are not seen. */
const moveMin = 0.01;

interface Place {
  /** Points, from the lower left corner of the page. */
  x: number;
  y: number;
  size: number;
}

/**
 * The operators that show `shaped`, all of it that is read in one piece. What says nothing (a mark that
 * stands above its letter, for which the line has a word already) is drawn behind it, and between
 * operators by which a reader reads nothing there.
 */
export function showing({ glyphs }: Shaped, font: PdfFont, { x, y, size }: Place): string {
  const pieces: string[] = [];
  const apart: string[] = [];
  let codes = "";
  /** Thousandths of an em: where the pen is, and where the operators so far have moved it. */
  let pen = 0;
  let reached = 0;
  const at = (right: number, up: number) =>
    `1 0 0 1 ${rounded(x + (right * size) / 1000)} ${rounded(y + (up * size) / 1000)} Tm`;
  for (const glyph of glyphs) {
    const { code, width } = font.encode(glyph);
    if (glyph.text === nothing) {
      apart.push(`${at(pen + glyph.x, glyph.y)} <${code}> Tj`);
    } else {
      const move = pen + glyph.x - reached;
      if (Math.abs(move) >= moveMin) {
        if (codes !== "") pieces.push(`<${codes}>`);
        codes = "";
        // Positive numbers move to the left.
        pieces.push(rounded(-move));
        reached += move;
      }
      codes += code;
      reached += width;
    }
    pen += glyph.advance;
  }
  if (codes !== "") pieces.push(`<${codes}>`);
  const shown = `/${font.name} ${rounded(size)} Tf ${at(0, 0)} [${pieces.join(" ")}] TJ`;
  if (apart.length === 0) return shown;
  return `${shown} /Span <</ActualText <FEFF>>> BDC ${apart.join(" ")} EMC`;
}
