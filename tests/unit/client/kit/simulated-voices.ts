import type { Clock } from "#client/lib/clock.ts";
import type { SpeechEvent, Synthesizer, Utterance } from "#client/reading/hearing/synthesizer.ts";
import type { Voice } from "#client/reading/hearing/voices.ts";

export const createVoice = (tag: string, change: Partial<Voice> = {}): Voice => ({
  id: `voice ${tag}`,
  name: `Simulated ${tag}`,
  tag,
  isLocal: true,
  isDefault: false,
  ...change,
});

/** What a simulated engine does with an utterance: how long it takes, ms, or how it fails. */
type Answer = number | "silent" | "endless" | Exclude<SpeechEvent, "start" | "end">;

interface Spoken extends Utterance {
  startMs: number;
  /** Null: it is spoken, or was interrupted. */
  endMs: number | null;
}

/** A speech engine on a clock of its own. It says what it was asked for. */
export class SimulatedVoices implements Synthesizer {
  readonly spoken: Spoken[] = [];
  #voices: readonly Voice[];
  #listener = () => {};
  /** Cancels the events that are due. */
  #end = () => {};

  constructor(
    private readonly clock: Clock,
    voices: readonly Voice[],
    private readonly answer: (utterance: Utterance, index: number) => Answer,
  ) {
    this.#voices = voices;
  }

  listVoices = () => [...this.#voices];

  onVoices(listener: () => void) {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }

  loadVoices(voices: readonly Voice[]): void {
    this.#voices = voices;
    this.#listener();
  }

  speak(utterance: Utterance, report: (event: SpeechEvent) => void): void {
    this.#end();
    const answer = this.answer(utterance, this.spoken.length);
    const spoken: Spoken = { ...utterance, startMs: this.clock.now(), endMs: null };
    this.spoken.push(spoken);
    if (answer === "silent") return;
    this.#end = this.clock.after(60, () => {
      if (typeof answer === "string" && answer !== "endless") {
        report(answer);
        return;
      }
      report("start");
      if (answer === "endless") return;
      this.#end = this.clock.after(answer, () => {
        spoken.endMs = this.clock.now();
        report("end");
      });
    });
  }

  cancel(): void {
    this.#end();
  }
}
