type ProblemKind = "header" | "times" | "order" | "stray" | "empty";

export interface Problem {
  /** From 1. */
  line: number;
  kind: ProblemKind;
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

export interface CueFile {
  cues: Cue[];
  problems: Problem[];
}
