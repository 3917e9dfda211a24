import { Signal } from "#client/lib/observable.ts";
import type { SoundSource, SourceLevels } from "./source-levels.ts";

/** What a recording captures. */
export interface SoundChoice {
  kind: SoundSource | "both";
  /** What a row's speaker is called where the sources tell speakers apart. */
  names: Readonly<Record<SoundSource, string>>;
}

/** Why a source of an open capture gives no sound. */
export type SourceProblem = "silent" | "ended" | "notShared" | "noSound" | "noMicrophone";

/** A source of the open capture. */
export interface OpenSource {
  readonly kind: SoundSource;
  readonly problem: SourceProblem | null;
  /** Loudness now, 0 to 1, smoothed. */
  level(): number;
  /** Opens it again; a display is chosen again. Never rejects: `problem` says what came of it. */
  reopen(): Promise<void>;
}

/**
 * The choice for the next recording; null: the microphone alone. It ends with the page: a stored one would ask for a tab
 * in the next lecture hall.
 */
export const soundChoice = new Signal<SoundChoice | null>(null);

/** The sources of the open capture; empty while it is the microphone alone. */
export const openSources = new Signal<readonly OpenSource[]>([]);

/** Which source was louder in the last capture of both; null: it had one source. */
export const sourceLevels = new Signal<SourceLevels | null>(null);
