import { joinBroken, lineMark, partMark } from "#client/lib/cue-marks.ts";
import type { SpokenLine } from "./cue.ts";

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lrm: "\u200e",
  rlm: "\u200f",
};

const codePointMax = 0x10ffff;

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith("#")) return entities[name] ?? whole;
  const hex = /^#x/i.test(name);
  const point = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10);
  return point > 0 && point <= codePointMax ? String.fromCodePoint(point) : whole;
}

const decodeEntities = (text: string) =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,8});/gi, decodeEntity);

/** Tags of WebVTT, and those from HTML and other subtitle formats that SubRip files use. */
const tag =
  /<\/?(?:[cibuv]|ruby|rt|lang|font|span)(?=[\s.>])[^<>]*>|<(?:\d+:)?\d\d:\d\d\.\d{3}>|\{\\[^{}]*\}/gi;
const voice = /^<v(?:\.[^\s>]*)?\s+([^<>]*)>$/i;

/** At the beginning and at the end of lines; between words they may be needed. */
const directionStarts = "\u200e\u200f\u202a\u202b";
const directionEnds = "\u200e\u200f\u202c";

function trimDirections(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && directionStarts.includes(text.charAt(from))) from += 1;
  while (from < to && directionEnds.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Puts a line that our export has divided together again. */
function addLine(lines: SpokenLine[], line: SpokenLine): void {
  const last = lines.at(-1);
  const goesOn =
    last !== undefined &&
    last.speaker === line.speaker &&
    last.text.endsWith(lineMark) &&
    !last.text.endsWith(partMark);
  if (goesOn)
    lines[lines.length - 1] = { ...last, text: last.text.slice(0, -lineMark.length) + line.text };
  else lines.push(line);
}

/**
 * Parses the text lines of a cue, without tags. A change of voice starts a new line; a voice lasts until its end tag or
 * the next voice. `html`: decodes entities.
 */
export function parseSpokenLines(lines: readonly string[], html: boolean): SpokenLine[] {
  const spoken: SpokenLine[] = [];
  let speaker: string | null = null;
  for (const line of lines) {
    let text = "";
    let at = 0;
    const flush = () => {
      const shown = html ? decodeEntities(text) : text;
      const clean = trimDirections(joinBroken(shown)).replace(/\s+/g, " ").trim();
      if (clean !== "") addLine(spoken, { text: clean, speaker });
      text = "";
    };
    for (const match of line.matchAll(tag)) {
      text += line.slice(at, match.index);
      at = match.index + match[0].length;
      const name = voice.exec(match[0])?.[1];
      const ends = /^<\/v/i.test(match[0]);
      if (name === undefined && !ends) continue;
      flush();
      speaker = name === undefined ? null : decodeEntities(name).trim() || null;
    }
    text += line.slice(at);
    flush();
  }
  return spoken;
}
