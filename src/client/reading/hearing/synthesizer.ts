import type { Voice } from "./voices.ts";

/** What is spoken at once. */
export interface Utterance {
  text: string;
  voice: Voice;
  /** As the engine understands it: see `VoicePace`. */
  rate: number;
}

/**
 * `blocked`: the browser wants a click first. `cut`: something else has ended it. `failed`: this voice cannot speak it.
 */
export type SpeechEvent = "start" | "end" | "blocked" | "cut" | "failed";

/** What speaks: the browser, or a test's stand-in. */
export interface Synthesizer {
  listVoices(): Voice[];
  /** Voices come late. Returns the unsubscribe function. */
  onVoices(listener: () => void): () => void;
  /** `report` is called as long as nothing else is spoken. Some engines leave events out. */
  speak(utterance: Utterance, report: (event: SpeechEvent) => void): void;
  cancel(): void;
}
