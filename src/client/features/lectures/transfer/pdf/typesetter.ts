import type { Face } from "./face.ts";
import type { FontSet } from "./font-set.ts";
import { type Line, type Paragraph, setParagraph } from "./paragraph.ts";
import { PdfFont } from "./pdf-font.ts";
import { rounded, showing } from "./showing.ts";

/** Red, green and blue, from 0 to 1. */
export type Ink = readonly [number, number, number];

/** A paragraph on its way to a page. Lengths are points. */
export interface Part {
  text: string;
  /** BCP 47. */
  tag: string;
  dir: "ltr" | "rtl" | "auto";
  size: number;
  ink: Ink;
  /** Drawn with a thicker line. */
  strong?: boolean;
  /** Space before it, except at the top of a page. */
  above: number;
  /** How far it is in, from where its lines begin. */
  indent?: number;
  /** The indent is at the left, whatever the direction. */
  fromLeft?: boolean;
  /** At the left edge, small. */
  time?: string;
  /** Before an item of a list. */
  mark?: string;
  /** No page ends after it. */
  withNext?: boolean;
}

interface Sheet {
  width: number;
  height: number;
  margin: number;
}

const leading = 1.55;
/** Of the size: where letters stand in a line's height. */
const baseline = 1.12;
const timeSize = 7.5;
const timeInk: Ink = [0.5, 0.48, 0.46];

/** Puts paragraphs on pages, one below the other. */
export class Typesetter {
  readonly #document: PDFKit.PDFDocument;
  readonly #fonts: FontSet;
  readonly #sheet: Sheet;
  readonly #embedded = new Map<Face, PdfFont>();
  /** From the top of the page. */
  #y = 0;
  #pages = 0;

  constructor(document: PDFKit.PDFDocument, fonts: FontSet, sheet: Sheet) {
    this.#document = document;
    this.#fonts = fonts;
    this.#sheet = sheet;
    this.#turnPage();
  }

  #turnPage(): void {
    this.#document.addPage();
    this.#pages += 1;
    this.#y = this.#sheet.margin;
  }

  /** Sets `parts`, together on one page where they fit on one. */
  set(parts: readonly Part[]): void {
    const bottom = this.#sheet.height - this.#sheet.margin;
    const made = parts.map((part) => ({ part, paragraph: this.#paragraph(part) }));
    const height = made.reduce(
      (sum, { part, paragraph }) => sum + part.above + paragraph.lines.length * part.size * leading,
      0,
    );
    const fits = this.#y + height <= bottom;
    if (!fits && height <= bottom - this.#sheet.margin) this.#turnPage();
    for (const { part, paragraph } of made) this.#put(part, paragraph, bottom);
  }

  #paragraph(part: Part): Paragraph {
    const { tag, dir, size } = part;
    const width = this.#sheet.width - 2 * this.#sheet.margin - (part.indent ?? 0);
    return setParagraph(part.text, { tag, dir, size, width }, this.#fonts);
  }

  #put(part: Part, paragraph: Paragraph, bottom: number): void {
    const { margin, width } = this.#sheet;
    const { size, indent = 0 } = part;
    const rtl = paragraph.dir === "rtl";
    if (this.#y > margin) this.#y += part.above;
    paragraph.lines.forEach((line, index) => {
      if (this.#y + size * leading > bottom) this.#turnPage();
      const base = this.#y + size * baseline;
      if (index === 0) this.#putBeside(part, rtl, base);
      const right = width - margin - (part.fromLeft ? 0 : indent) - line.width;
      const x = rtl ? right : margin + indent;
      this.#draw(line, x, base, part);
      this.#y += size * leading;
    });
  }

  /** What stands in the margin of a paragraph's first line. */
  #putBeside(part: Part, rtl: boolean, base: number): void {
    const { margin, width } = this.#sheet;
    if (part.time !== undefined) {
      this.#draw(this.#line(part.time, timeSize), margin, base, { size: timeSize, ink: timeInk });
    }
    if (part.mark !== undefined) {
      const mark = this.#line(part.mark, part.size);
      const at = (part.indent ?? 0) - 12;
      this.#draw(mark, rtl ? width - margin - at - mark.width : margin + at, base, part);
    }
  }

  /** Digits and signs in one line. */
  #line(text: string, size: number): Line {
    const style = { tag: "en", dir: "ltr" as const, size, width: this.#sheet.width };
    return setParagraph(text, style, this.#fonts).lines[0] ?? { runs: [], width: 0 };
  }

  #draw(line: Line, x: number, base: number, look: Pick<Part, "size" | "ink" | "strong">): void {
    const { height } = this.#sheet;
    const rgb = look.ink.map(rounded).join(" ");
    const strong = look.strong ? `2 Tr ${rounded(look.size * 0.028)} w` : "0 Tr";
    const runs = line.runs.map(({ face, shaped, x: at }) =>
      showing(shaped, this.#fontOf(face), { x: x + at, y: height - base, size: look.size }),
    );
    // PDFKit's pages are turned upside down: text is turned back.
    this.#document.addContent(
      `q 1 0 0 -1 0 ${rounded(height)} cm ${rgb} rg ${rgb} RG BT ${strong}\n${runs.join("\n")}\nET Q`,
    );
  }

  #fontOf(face: Face): PdfFont {
    const known = this.#embedded.get(face);
    if (known) return known;
    const font = new PdfFont(`F${this.#embedded.size + 1}`, face);
    this.#embedded.set(face, font);
    return font;
  }

  /** Numbers the pages and writes the fonts. Nothing can be set any more. */
  end(look: Pick<Part, "size" | "ink">): void {
    for (let page = 0; page < this.#pages; page += 1) {
      this.#document.switchToPage(page);
      const line = this.#line(`${page + 1} / ${this.#pages}`, look.size);
      const { width, height, margin } = this.#sheet;
      this.#draw(line, (width - line.width) / 2, height - margin / 2, look);
    }
    const written = [...this.#embedded.values()].map((font) => ({
      name: font.name,
      object: font.write(this.#document),
    }));
    for (let page = 0; page < this.#pages; page += 1) {
      this.#document.switchToPage(page);
      for (const { name, object } of written) this.#document.page.fonts[name] = object;
    }
  }
}
