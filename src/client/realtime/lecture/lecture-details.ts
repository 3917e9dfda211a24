import type { LectureFields, SessionApi } from "#client/realtime/server-api.ts";
import { defaultSourceLanguage } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import { contextTextMaxLength, speakerNameMaxLength, speakerNamesMax } from "#shared/limits.ts";
import { ContextField, type ContextFieldDeps } from "./context-field.ts";
import type { InitialState } from "./initial-state.ts";
import { SummaryField, type SummaryFieldDeps } from "./summary-field.ts";

type SpeakerNames = InitialState["speakerNames"];

interface Deps
  extends Omit<SummaryFieldDeps, "api" | "onSave" | "saveOnce">,
    Omit<ContextFieldDeps, "generate" | "onSave"> {
  api: SessionApi;
  onSave(fields: LectureFields): void;
  /** See `StoredLecture.saveOnce`. */
  saveOnce(fields: LectureFields, onSaved: () => void): Promise<void>;
}

/** What a lecture has besides its rows: its context, its summary, its speakers' names and the demo's mark. */
export class LectureDetails {
  readonly context: ContextField;
  readonly summary: SummaryField;
  #speakerNames: SpeakerNames;
  #hasDemoText: boolean;

  constructor(
    private readonly deps: Deps,
    initial: Pick<InitialState, "context" | "summary" | "speakerNames" | "hasDemoText">,
  ) {
    const { onSave, saveOnce } = deps;
    this.context = new ContextField(
      {
        ...deps,
        generate: (signal) => this.#generateContext(signal),
        onSave: (text) => onSave({ context: text === "" ? null : text }),
      },
      initial.context,
    );
    this.summary = new SummaryField(
      {
        ...deps,
        onSave: (text) => onSave({ summary: text || null }),
        saveOnce: (text, onSaved) => saveOnce({ summary: text || null }, onSaved),
      },
      initial.summary,
    );
    this.#speakerNames = initial.speakerNames;
    this.#hasDemoText = initial.hasDemoText;
  }

  get speakerNames(): SpeakerNames {
    return this.#speakerNames;
  }

  get hasDemoText(): boolean {
    return this.#hasDemoText;
  }

  /** Context, summary and names are empty and none is being generated. */
  get isEmpty(): boolean {
    return (
      this.context.state === "empty" &&
      this.summary.view.get().text === "" &&
      !this.summary.isUnfinished &&
      Object.keys(this.#speakerNames).length === 0
    );
  }

  renameSpeaker(label: string, name: string): void {
    const names = renameSpeaker(this.#speakerNames, label, name);
    if (names === this.#speakerNames) return;
    this.#speakerNames = names;
    this.deps.onSave({ speakerNames: { ...names } });
    this.deps.onChange();
  }

  /** The demo voice writes into the lecture from now on. Nothing removes the mark. */
  markDemoText(): void {
    if (this.#hasDemoText) return;
    this.#hasDemoText = true;
    this.deps.onSave({ hasDemoText: true });
    this.deps.onChange();
  }

  /** Takes over what another tab or device has saved. */
  update({
    context,
    summary,
    speakerNames,
  }: Pick<Lecture, "context" | "summary" | "speakerNames">): void {
    this.context.update(context ?? "");
    this.summary.update(summary ?? "");
    this.#speakerNames = speakerNames;
  }

  /** Takes over the mark of the server's copy. */
  mergeDemoMark(hasDemoText: boolean): void {
    this.#hasDemoText ||= hasDemoText;
  }

  async #generateContext(signal: AbortSignal) {
    const { api, identity, lectureId, original, saveLecture } = this.deps;
    if (identity === "guest") {
      const text = original().slice(0, contextTextMaxLength);
      const spokenIn = this.deps.spokenIn()[0] ?? defaultSourceLanguage;
      return api.generateContext({ text, spokenIn }, signal);
    }
    await saveLecture();
    return api.generateContext({ lectureId }, signal);
  }

  dispose(): void {
    this.context.dispose();
    this.summary.dispose();
  }
}

/** `names` with `name` for speaker `label`; a blank name removes it. The same object when nothing changes. */
export function renameSpeaker(names: SpeakerNames, label: string, name: string): SpeakerNames {
  const next = name.replaceAll("\0", "").trim().slice(0, speakerNameMaxLength).trim();
  const current = Object.hasOwn(names, label) ? names[label] : undefined;
  if (next === (current ?? "")) return names;
  if (next === "") {
    return Object.fromEntries(Object.entries(names).filter(([other]) => other !== label));
  }
  if (label === "" || (current === undefined && Object.keys(names).length >= speakerNamesMax)) {
    return names;
  }
  return { ...names, [label]: next };
}
