import type { Cue, CueFile, Problem } from "./cue.ts";
import { parseSpokenLines } from "./parse-cue-text.ts";

interface NumberedLine {
  text: string;
  /** From 1. */
  line: number;
}

/** The maximum of a stored time. */
const timeMaxMs = 2 ** 31 - 1;

const clock = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,3}))?`;
/** Timing lines of both formats, including common variants; WebVTT cue settings may follow. */
const timing = new RegExp(String.raw`^\s*${clock}\s*-->\s*${clock}(?:\s.*)?$`);

const hasArrow = ({ text }: NumberedLine) => text.includes("-->");
/** A timing line, possibly a malformed one. */
const isTiming = (line: NumberedLine) => hasArrow(line) && /\d\s*:/.test(line.text);
const isNumber = (line: NumberedLine | undefined) =>
  line !== undefined && /^\s*\d+\s*$/.test(line.text);

/** Null if the time is invalid or too long. */
function parseMilliseconds(parts: readonly (string | undefined)[]): number | null {
  const [hours = "0", minutes = "", seconds = "", fraction = "0"] = parts;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const ms = whole * 1000 + Number(fraction.padEnd(3, "0"));
  return ms > timeMaxMs ? null : ms;
}

function splitBlocks(text: string): NumberedLine[][] {
  const blocks: NumberedLine[][] = [[]];
  text.split("\n").forEach((line, index) => {
    const block = blocks.at(-1);
    const above = block?.at(-1);
    // Captions that roll up begin with a line of a space.
    const isInside = line !== "" && above !== undefined && isTiming(above);
    if (line.trim() !== "") block?.push({ text: line, line: index + 1 });
    else if (!isInside) blocks.push([]);
  });
  return blocks.filter((block) => block.length > 0);
}

/** Parses blocks of lines into cues and collects the problems. Tolerates malformed files: no text is lost. */
class CueParser {
  readonly cues: Cue[] = [];
  readonly problems: Problem[] = [];

  constructor(private readonly format: "srt" | "vtt") {}

  parseBlock(lines: readonly NumberedLine[]): void {
    const timingIndexes = lines.flatMap((line, index) => (isTiming(line) ? [index] : []));
    const malformed = lines.findIndex((line, index) => index < 2 && hasArrow(line));
    if (timingIndexes.length === 0 && malformed >= 0) timingIndexes.push(malformed);
    const [first] = timingIndexes;
    if (first === undefined) {
      this.#parseUntimed(lines);
      return;
    }
    // One line before the times is the cue's number or name; more lines are stray text.
    if (first > 1) this.#parseUntimed(lines.slice(0, first - 1));
    else if (first === 1 && this.format === "srt" && !isNumber(lines[0]))
      this.#parseUntimed(lines.slice(0, 1));
    timingIndexes.forEach((at, place) => {
      const next = timingIndexes[place + 1];
      // Without a blank line between cues, the next cue's number is the last line of this one.
      const end =
        next !== undefined && isNumber(lines[next - 1]) && next - 1 > at ? next - 1 : next;
      this.#parseCue(lines[at] ?? { text: "", line: 0 }, lines.slice(at + 1, end));
    });
  }

  #parseCue(arrow: NumberedLine, below: readonly NumberedLine[]): void {
    const times = this.#parseTimes(arrow);
    // A line with an arrow and no digits may be spoken text.
    const textLines = times === null && !/\d/.test(arrow.text) ? [arrow, ...below] : below;
    const lines = this.#parseText(textLines);
    if (lines.length > 0) this.cues.push({ times, lines });
    else this.problems.push({ line: arrow.line, kind: "empty" });
  }

  #parseTimes(arrow: NumberedLine): Cue["times"] {
    const match = timing.exec(arrow.text);
    const startMs = match && parseMilliseconds(match.slice(1, 5));
    const endMs = match && parseMilliseconds(match.slice(5, 9));
    if (startMs === null || endMs === null) {
      this.problems.push({ line: arrow.line, kind: "times" });
      return null;
    }
    if (endMs < startMs) this.problems.push({ line: arrow.line, kind: "order" });
    return { startMs, endMs: Math.max(startMs, endMs) };
  }

  /** Text after a blank line inside a cue, or text outside of cues. */
  #parseUntimed(lines: readonly NumberedLine[]): void {
    const spoken = this.#parseText(lines);
    const [first] = lines;
    if (first === undefined || spoken.length === 0) return;
    if (lines.length === 1 && isNumber(first)) {
      this.problems.push({ line: first.line, kind: "empty" });
      return;
    }
    // A number, then text: a cue whose timing line is missing.
    if (isNumber(first) && this.format === "srt") {
      this.problems.push({ line: first.line, kind: "times" });
      this.cues.push({ times: null, lines: this.#parseText(lines.slice(1)) });
      return;
    }
    this.problems.push({ line: first.line, kind: "stray" });
    const before = this.cues.at(-1);
    if (before) for (const line of spoken) before.lines.push(line);
    else this.cues.push({ times: null, lines: spoken });
  }

  #parseText(lines: readonly NumberedLine[]) {
    return parseSpokenLines(
      lines.map((line) => line.text),
      this.format === "vtt",
    );
  }
}

export function parseSrt(text: string): CueFile {
  const reader = new CueParser("srt");
  for (const block of splitBlocks(text)) reader.parseBlock(block);
  return reader;
}

/** Skips comments, styles and regions. */
export function parseVtt(text: string): CueFile {
  const reader = new CueParser("vtt");
  const blocks = splitBlocks(text);
  const [head] = blocks;
  if (head?.[0] && /^WEBVTT(?:\s|$)/.test(head[0].text) && head[0].line === 1) {
    blocks.shift();
    // Metadata may follow the first line, and a cue if the blank line is missing.
    const from = head.findIndex((line, index) => index > 0 && isTiming(line));
    if (from > 0) blocks.unshift(head.slice(from));
  } else {
    reader.problems.push({ line: head?.[0]?.line ?? 1, kind: "header" });
  }
  for (const block of blocks) {
    const text = block[0]?.text ?? "";
    const isComment = /^NOTE(?:\s|$)/.test(text) || /^(?:STYLE|REGION)\s*$/.test(text);
    if (!isComment || block.some(isTiming)) reader.parseBlock(block);
  }
  return reader;
}
