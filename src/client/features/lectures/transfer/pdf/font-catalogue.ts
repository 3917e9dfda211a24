/** Font families by the names of their packages. */
export type Family =
  | "noto-sans"
  | "ibm-plex-sans-arabic"
  | "noto-sans-sc"
  | "noto-sans-tc"
  | "noto-sans-jp"
  | "noto-sans-kr"
  | "noto-sans-math"
  | "noto-emoji";

/** A file of a family: the part of its characters that `unicode-range` promises. */
export interface Slice {
  family: Family;
  /** As file names have it. */
  name: string;
  /** First and last code point of each range. */
  ranges: readonly (readonly [number, number])[];
}

/** Where fonts come from. */
export interface FontSource {
  slices: readonly Slice[];
  /** The bytes of a slice's WOFF file. */
  load(slice: Slice): Promise<Uint8Array<ArrayBuffer>>;
}

/** What the packages' `unicode.json` hold: `[4]` or `latin` → `U+4e00,U+5000-50ff`. */
export type UnicodeRanges = Readonly<Record<string, string>>;

/** What this font is asked for; its package promises Latin letters alone. */
const mathRanges = "U+2070-209F,U+20D0-214F,U+2190-23FF,U+25A0-25FF,U+27C0-2BFF,U+1D400-1D7FF";

/** The slices of `family`. Its Latin letters are taken from the general one. */
export function slicesOf(family: Family, ranges: UnicodeRanges): Slice[] {
  return Object.entries(ranges)
    .map(([key, text]) => ({ name: key.replace(/^\[|\]$/g, ""), text }))
    .filter(({ name }) => {
      if (family === "ibm-plex-sans-arabic") return name === "arabic";
      return family === "noto-sans" || family === "noto-sans-math" || /^\d+$/.test(name);
    })
    .map(({ name, text }) => ({
      family,
      name,
      ranges: parseRanges(family === "noto-sans-math" ? mathRanges : text),
    }));
}

/** The name of a slice's file in its package. */
export const fileOfSlice = ({ family, name }: Slice): string => `${family}-${name}-400-normal.woff`;

function parseRanges(text: string): [number, number][] {
  return text.split(",").map((range) => {
    const [first = "", last = first] = range.replace(/^U\+/i, "").split("-");
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

/** The family that writes a language's ideographs as its readers know them. */
const ideographs: Readonly<Record<string, Family>> = {
  "zh-Hans": "noto-sans-sc",
  "zh-Hant": "noto-sans-tc",
  ja: "noto-sans-jp",
  ko: "noto-sans-kr",
};

const eastAsian: readonly Family[] = [
  "noto-sans-sc",
  "noto-sans-tc",
  "noto-sans-jp",
  "noto-sans-kr",
];

/** From here on an East Asian text has punctuation of its own, as wide as its characters. */
const punctuationFrom = 0x2000;
const pictogram = /\p{Emoji_Presentation}/u;

/** Families in which `point` is looked for in a text of language `tag`, the best first. */
function familiesFor(point: number, tag: string, neighbour: Family | null): Family[] {
  const own = ideographs[tag];
  const east = [...(own ? [own] : []), ...(neighbour ? [neighbour] : []), ...eastAsian];
  const general: Family[] = ["noto-sans", "ibm-plex-sans-arabic", "noto-sans-math"];
  const order: Family[] =
    own && point >= punctuationFrom
      ? [own, ...general, "noto-emoji", ...east]
      : [...general, ...east, "noto-emoji"];
  const first: Family[] = pictogram.test(String.fromCodePoint(point)) ? ["noto-emoji"] : [];
  return [...new Set([...first, ...order])];
}

const covers = (slice: Slice, point: number) =>
  slice.ranges.some(([first, last]) => point >= first && point <= last);

/** Looks up slices by character. */
export class Catalogue {
  readonly #families = new Map<Family, Slice[]>();
  readonly #neighbour: Family | null;

  /** `tags`: languages of the document. Ideographs in a text of none of theirs are of the first one. */
  constructor(slices: readonly Slice[], tags: Iterable<string>) {
    for (const slice of slices) {
      const known = this.#families.get(slice.family);
      if (known) known.push(slice);
      else this.#families.set(slice.family, [slice]);
    }
    const found = [...tags].map((tag) => ideographs[tag]).find((family) => family !== undefined);
    this.#neighbour = found ?? null;
  }

  /** Slices that promise `point`, the best first. */
  candidates(point: number, tag: string): Slice[] {
    return familiesFor(point, tag, this.#neighbour).flatMap((family) =>
      (this.#families.get(family) ?? []).filter((slice) => covers(slice, point)),
    );
  }
}
