import type { LectureFields } from "./changed-fields.ts";
import { ContextField } from "./context-field.ts";
import type { Log } from "./ports.ts";
import type { SessionApi } from "./session-api.ts";
import { renamed, type SpeakerNames } from "./speaker-names.ts";
import { SummaryField } from "./summary-field.ts";

interface Deps {
  api: SessionApi;
  log: Log;
  /** The English so far. */
  english(): string;
  /** Fields changed and are to be saved. */
  onSave(fields: LectureFields): void;
  onChange(): void;
}

/** What a lecture holds beside its rows: what it is about, its summary, and who speaks. */
export class LectureNotes {
  readonly context: ContextField;
  readonly summary: SummaryField;
  readonly #deps: Deps;
  #speakerNames: SpeakerNames;

  constructor(
    deps: Deps,
    origin: { context: string; summary: string; speakerNames: SpeakerNames },
  ) {
    this.#deps = deps;
    const { onSave } = deps;
    this.context = new ContextField(
      { ...deps, onSave: (text) => onSave({ context: text === "" ? null : text }) },
      origin.context,
    );
    this.summary = new SummaryField(
      { ...deps, onSave: (text) => onSave({ summary: text.trim() === "" ? null : text }) },
      origin.summary,
    );
    this.#speakerNames = origin.speakerNames;
  }

  get speakerNames(): SpeakerNames {
    return this.#speakerNames;
  }

  /** Nothing is noted, and nothing is on its way. */
  get empty(): boolean {
    return (
      this.context.state === "empty" &&
      this.summary.view.get().text === "" &&
      !this.summary.generating &&
      Object.keys(this.#speakerNames).length === 0
    );
  }

  /** Gives speaker `label` a name; a blank one takes it away. */
  rename(label: string, name: string): void {
    const names = renamed(this.#speakerNames, label, name);
    if (names === this.#speakerNames) return;
    this.#speakerNames = names;
    this.#deps.onSave({ speakerNames: { ...names } });
    this.#deps.onChange();
  }

  dispose(): void {
    this.context.dispose();
    this.summary.dispose();
  }
}
