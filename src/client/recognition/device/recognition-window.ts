import type { SpeechInterval } from "#client/sound/capture/voice-activity.ts";
import type { HypothesisWord } from "./speech-model.ts";

/** What is recognised next, and what that has brought. */

/** Sound to be recognised next; times are ms on the take's own clock. */
export interface RecognitionWindow {
  startMs: number;
  endMs: number;
  /**
   * `speech`: somebody speaks on. `full`: also, and no window can be longer. After a `gap` between two words or a `pause`
   * of the speaker all its words are final.
   */
  end: "speech" | "full" | "gap" | "pause";
  /** What was said before, for the model. */
  prompt: string;
  /** The final words that it begins with, for the model. */
  said: string;
  /** It is recognised again, so the model is told nothing that may have misled it. */
  isRetry?: true;
  /** It has no more than the speech in which a window before found no words. */
  isExact?: true;
}

/** What a window has brought. */
export interface WindowResult {
  /** New final words; times ascend. */
  finals: HypothesisWord[];
  /** Words after them that may still change. */
  interim: HypothesisWord[];
  /** The speaker has paused after the final words. */
  endpoint: boolean;
  /** Speech in which the model found no words although it was asked for exactly that stretch; ms on the take's clock. */
  wordless: SpeechInterval[];
}

/** Final words before the first window, by this device or another engine. */
export interface EarlierWords {
  /** Their last words; empty where they are not known. */
  text: string;
  /** Their end, ms. */
  endMs: number;
}
