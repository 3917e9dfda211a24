import type { Face, PlacedGlyph } from "./face.ts";

/** The part of PDFKit that writes objects. */
export interface PdfObjects {
  // biome-ignore lint/complexity/noBannedTypes: PDFKit takes any dictionary
  ref(data: {}): PdfObject;
}

interface PdfObject {
  write(chunk: unknown): void;
  end(chunk?: unknown): void;
}

const hex4 = (value: number) => value.toString(16).padStart(4, "0");

/** UTF-16, big-endian, in hexadecimal digits. */
const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, index) => hex4(text.charCodeAt(index))).join("");

/** More than this a table of a CMap may not have. */
const entriesPerTable = 100;

/**
 * A face as a document holds it: the glyphs that are used, each under one code for every text that it
 * stands for. One glyph drawn for two texts has two codes, so that a reader finds in the codes what was
 * said, and not only what it looks like.
 */
export class PdfFont {
  readonly name: string;
  readonly #face: Face;
  readonly #subset: ReturnType<Face["font"]["createSubset"]>;
  readonly #codes = new Map<string, number>();
  /** By code: the glyph's place in the subset, its width, its text. Code 0 is the missing glyph. */
  readonly #glyphs: { place: number; width: number; text: string }[];

  constructor(name: string, face: Face) {
    this.name = name;
    this.#face = face;
    this.#subset = face.font.createSubset();
    this.#glyphs = [{ place: 0, width: this.#widthOf(0), text: "" }];
  }

  #widthOf(id: number): number {
    return (this.#face.font.getGlyph(id).advanceWidth * 1000) / this.#face.font.unitsPerEm;
  }

  /** The place in the subset, and the width. What is not drawn is the space, without its width. */
  #shapeOf(id: number | null): { place: number; width: number } {
    const { font } = this.#face;
    const glyph = id === null ? font.glyphForCodePoint(0x20) : font.getGlyph(id);
    const place = Number(this.#subset.includeGlyph(glyph));
    return { place, width: id === null ? 0 : this.#widthOf(id) };
  }

  /** The code of `glyph`, as the page's content has it, and the width that readers take it to have. */
  encode(glyph: PlacedGlyph): { code: string; width: number } {
    const key = `${glyph.id} ${glyph.text}`;
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = this.#glyphs.length;
      this.#codes.set(key, code);
      this.#glyphs.push({ ...this.#shapeOf(glyph.id), text: glyph.text });
    }
    return { code: hex4(code), width: this.#glyphs[code]?.width ?? 0 };
  }

  /** Writes the font into the document; the result goes into the resources of pages. */
  write(document: PdfObjects): PdfObject {
    const { font } = this.#face;
    const scale = 1000 / font.unitsPerEm;
    const base = `${this.#tag()}+${(font.postscriptName ?? "Font").replace(/[^\w-]/g, "")}`;
    const file = document.ref({});
    file.end(this.#subset.encode());
    const descriptor = document.ref({
      Type: "FontDescriptor",
      FontName: base,
      Flags: 4,
      FontBBox: [font.bbox.minX, font.bbox.minY, font.bbox.maxX, font.bbox.maxY].map(
        (edge) => edge * scale,
      ),
      ItalicAngle: 0,
      Ascent: font.ascent * scale,
      Descent: font.descent * scale,
      CapHeight: (font.capHeight || font.ascent) * scale,
      StemV: 80,
      FontFile2: file,
    });
    descriptor.end();
    const map = document.ref({});
    map.end(Uint8Array.from(this.#glyphs.flatMap(({ place }) => [place >> 8, place & 0xff])));
    const descendant = document.ref({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: base,
      CIDSystemInfo: {
        Registry: pdfString("Adobe"),
        Ordering: pdfString("Identity"),
        Supplement: 0,
      },
      FontDescriptor: descriptor,
      W: [0, this.#glyphs.map(({ width }) => Math.round(width * 100) / 100)],
      CIDToGIDMap: map,
    });
    descendant.end();
    const unicode = document.ref({});
    unicode.end(this.#cmap());
    const dictionary = document.ref({
      Type: "Font",
      Subtype: "Type0",
      BaseFont: base,
      Encoding: "Identity-H",
      DescendantFonts: [descendant],
      ToUnicode: unicode,
    });
    dictionary.end();
    return dictionary;
  }

  /** Six capitals that no other font of the document has. */
  #tag(): string {
    const number = Number(this.name.slice(1));
    return Array.from({ length: 6 }, (_, place) =>
      String.fromCharCode(65 + (Math.floor(number / 26 ** place) % 26)),
    ).join("");
  }

  #cmap(): string {
    const entries = this.#glyphs.flatMap(({ text }, code) =>
      text === "" ? [] : [`<${hex4(code)}> <${utf16(text)}>`],
    );
    const tables: string[] = [];
    for (let from = 0; from < entries.length; from += entriesPerTable) {
      const part = entries.slice(from, from + entriesPerTable);
      tables.push(`${part.length} beginbfchar\n${part.join("\n")}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${tables.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`;
  }
}

/** PDFKit writes an object of this kind as a string, and a plain string as a name. */
const pdfString = (text: string) => new String(text);
