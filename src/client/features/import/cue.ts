export interface Problem {
  /** From 1. */
  line: number;
  kind: "header" | "times" | "order" | "stray" | "empty";
}

export interface SpokenLine {
  text: string;
  /** From a voice tag; null without one. */
  speaker: string | null;
}

export interface Cue {
  /** Milliseconds; null in a cue whose times cannot be read. `endMs` is not before `startMs`. */
  times: { startMs: number; endMs: number } | null;
  lines: SpokenLine[];
}

export const joinText = (lines: readonly SpokenLine[]): string =>
  lines.map((line) => line.text).join(" ");

export interface CueFile {
  cues: Cue[];
  problems: Problem[];
}
