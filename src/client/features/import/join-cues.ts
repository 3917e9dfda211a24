import { partMark } from "#client/lib/cue-marks.ts";
import type { Cue, SpokenLine } from "./cue.ts";

const goesOn = ({ text }: SpokenLine) => text.endsWith(partMark);

/** Puts the parts of rows together that our export has divided into cues. */
export function joinParts(cues: readonly Cue[]): Cue[] {
  const joined: Cue[] = [];
  for (const cue of cues) {
    const last = joined.at(-1);
    const open = last?.lines.filter(goesOn) ?? [];
    if (last === undefined || open.length === 0) {
      joined.push({ times: cue.times, lines: [...cue.lines] });
      continue;
    }
    // Each language goes on in its own line.
    const rest = [...cue.lines];
    last.lines = last.lines.map((line) => {
      if (!goesOn(line)) return line;
      return { ...line, text: line.text.slice(0, -partMark.length) + (rest.shift()?.text ?? "") };
    });
    last.lines.push(...rest);
    if (last.times !== null && cue.times !== null)
      last.times = { ...last.times, endMs: Math.max(last.times.endMs, cue.times.endMs) };
  }
  return joined.map((cue) => ({ ...cue, lines: cue.lines.map(closeLine) }));
}

/** A file may have been cut off. */
const closeLine = (line: SpokenLine): SpokenLine =>
  goesOn(line) ? { ...line, text: line.text.slice(0, -partMark.length).trim() } : line;
