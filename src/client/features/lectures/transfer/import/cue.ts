type ProblemKind = "header" | "times" | "order" | "stray" | "empty";

/** Something in a file that could not be read as it is written. */
export interface Problem {
  /** From 1. */
  line: number;
  kind: ProblemKind;
}

/** One line of a cue, without its tags. */
export interface SpokenLine {
  text: string;
  /** As a voice tag names it; null where there is none. */
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
