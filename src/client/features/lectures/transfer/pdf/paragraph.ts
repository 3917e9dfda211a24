/// <reference path="./linebreak.d.ts" />
import bidiFactory from "bidi-js";
import LineBreaker from "linebreak";
import type { Face, Shaped } from "./face.ts";
import type { FontSet } from "./font-set.ts";

const bidi = bidiFactory();

export interface ParagraphStyle {
  /** BCP 47. */
  tag: string;
  /** `auto`: as the first letter that has a direction. */
  dir: "ltr" | "rtl" | "auto";
  /** Points. */
  size: number;
  /** Of a line, in points. */
  width: number;
}

/** Glyphs of one face. */
interface Run {
  face: Face;
  shaped: Shaped;
  /** Of the bidirectional algorithm: odd ones run from right to left. */
  level: number;
}

/** Between two places where a line may end. */
interface Item {
  runs: Run[];
  /** Points, with the space at the end and without it. */
  width: number;
  inked: number;
  /** The runs without the space at the end. */
  bare: Run[];
}

export interface Line {
  /** In the order in which they are read; `x` in points from the left end of the line. */
  runs: { face: Face; shaped: Shaped; x: number }[];
  /** Points. */
  width: number;
}

export interface Paragraph {
  lines: Line[];
  dir: "ltr" | "rtl";
}

const graphemes = new Intl.Segmenter();

/** `text` (one line) in lines no wider than `style.width`. */
export function setParagraph(text: string, style: ParagraphStyle, fonts: FontSet): Paragraph {
  const embedding = bidi.getEmbeddingLevels(text, style.dir);
  const base = embedding.paragraphs[0]?.level ?? 0;
  const mirrored = bidi.getMirroredCharactersMap(text, embedding.levels);
  const point = style.size / 1000;
  const faces = facesOf(text, style.tag, mirrored, fonts);

  /** The runs of `text` from `from` up to `to`. */
  function runsOf(from: number, to: number): Run[] {
    const runs: (Omit<Run, "shaped"> & { text: string; drawn: string })[] = [];
    let index = from;
    for (const character of text.slice(from, to)) {
      const level = embedding.levels[index] ?? base;
      const drawn = mirrored.get(index) ?? character;
      const face = faces[index] ?? null;
      index += character.length;
      if (face === null) continue;
      const last = runs.at(-1);
      if (last && last.face === face && last.level === level) {
        last.text += character;
        last.drawn += drawn;
      } else runs.push({ face, level, text: character, drawn });
    }
    return runs.map(({ face, level, text: own, drawn }) => ({
      face,
      level,
      shaped: face.shape(own, drawn, level % 2 === 1),
    }));
  }

  const widthOf = (runs: readonly Run[]) =>
    runs.reduce((sum, run) => sum + run.shaped.width, 0) * point;

  function itemOf(from: number, to: number): Item {
    const inkedTo = from + text.slice(from, to).trimEnd().length;
    const bare = runsOf(from, inkedTo);
    const space = runsOf(inkedTo, to);
    const inked = widthOf(bare);
    return { runs: [...bare, ...space], bare, inked, width: inked + widthOf(space) };
  }

  /** A word that is wider than a line is parted between its characters. */
  function* parts(from: number, to: number): Generator<Item> {
    const whole = itemOf(from, to);
    if (whole.inked <= style.width) {
      yield whole;
      return;
    }
    for (const { index, segment } of graphemes.segment(text.slice(from, to)))
      yield itemOf(from + index, from + index + segment.length);
  }

  const lines: Line[] = [];
  let line: Item[] = [];
  let width = 0;
  const endLine = () => {
    if (line.length > 0) lines.push(lineOf(line, base, point));
    line = [];
    width = 0;
  };
  for (const [from, to] of breaks(text)) {
    for (const item of parts(from, to)) {
      if (line.length > 0 && width + item.inked > style.width) endLine();
      line.push(item);
      width += item.width;
    }
  }
  endLine();
  return { lines, dir: base % 2 === 1 ? "rtl" : "ltr" };
}

/** The face of each character, at its place in the text. */
function facesOf(
  text: string,
  tag: string,
  mirrored: ReadonlyMap<number, string>,
  fonts: FontSet,
): (Face | null)[] {
  const faces: (Face | null)[] = [];
  let index = 0;
  let before: Face | null = null;
  for (const character of text) {
    const face = fonts.faceOf(mirrored.get(index) ?? character, tag, before);
    faces[index] = face;
    before = face ?? before;
    index += character.length;
  }
  return faces;
}

/** Stretches of `text` at whose ends a line may end, by UAX #14. */
function* breaks(text: string): Generator<[number, number]> {
  const breaker = new LineBreaker(text);
  let from = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    if (next.position > from) yield [from, next.position];
    from = next.position;
  }
  if (from < text.length) yield [from, text.length];
}

/** A line of `items`, whose last space is not drawn. */
function lineOf(items: readonly Item[], base: number, point: number): Line {
  const runs = items.flatMap((item, index) => (index === items.length - 1 ? item.bare : item.runs));
  const order = new Map(runs.map((run, index) => [run, index]));
  const placed: { run: Run; x: number; place: number }[] = [];
  let width = 0;
  for (const run of inVisualOrder(runs, base)) {
    const last = placed.at(-1);
    const place = order.get(run) ?? 0;
    // What is read in one go stands in the file in one piece.
    if (last && last.run.face === run.face && last.run.level === run.level) {
      last.run = { ...run, shaped: joined(last.run.shaped, run.shaped) };
      last.place = Math.min(last.place, place);
    } else placed.push({ run, x: width, place });
    width += run.shaped.width * point;
  }
  // In the order in which they are read: so a reader finds them in the file.
  placed.sort((a, b) => a.place - b.place);
  return { runs: placed.map(({ run, x }) => ({ face: run.face, shaped: run.shaped, x })), width };
}

const joined = (left: Shaped, right: Shaped): Shaped => ({
  glyphs: [...left.glyphs, ...right.glyphs],
  width: left.width + right.width,
});

/** Rule L2: from the highest level down, whatever is at it or above is turned round. */
function inVisualOrder(runs: readonly Run[], base: number): Run[] {
  const order = [...runs];
  const highest = order.reduce((level, run) => Math.max(level, run.level), base);
  for (let level = highest; level > 0; level -= 1) {
    let from = 0;
    while (from < order.length) {
      let to = from;
      while (to < order.length && (order[to]?.level ?? 0) >= level) to += 1;
      order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to + 1;
    }
  }
  return order;
}
