import type { LectureFields } from "#client/lecture/server-api.ts";
import { Signal } from "#client/lib/observable.ts";
import type { ActionItem } from "#shared/action-item.ts";
import type { Lecture } from "#shared/lecture.ts";
import { speakerNameMaxLength, speakerNamesMax } from "#shared/limits.ts";
import type { ContextField } from "./context-field.ts";
import type { InitialState } from "./initial-state.ts";
import type { SummaryField } from "./summary-field.ts";

type SpeakerNames = InitialState["speakerNames"];

interface Deps {
  context: ContextField;
  summary: SummaryField;
  onSave(fields: LectureFields): void;
  onChange(): void;
}

/** What a lecture has besides its rows: its context, its summary, its speakers' names, its action items and the demo's mark. */
export class LectureDetails {
  readonly context: ContextField;
  readonly summary: SummaryField;
  readonly actionItems: Signal<readonly ActionItem[]>;
  #speakerNames: SpeakerNames;
  #hasDemoText: boolean;

  constructor(
    private readonly deps: Deps,
    initial: Pick<InitialState, "speakerNames" | "actionItems" | "hasDemoText">,
  ) {
    this.context = deps.context;
    this.summary = deps.summary;
    this.actionItems = new Signal(initial.actionItems);
    this.#speakerNames = initial.speakerNames;
    this.#hasDemoText = initial.hasDemoText;
  }

  get speakerNames(): SpeakerNames {
    return this.#speakerNames;
  }

  get hasDemoText(): boolean {
    return this.#hasDemoText;
  }

  /** Context, summary, names and items are empty and none is being generated. */
  get isEmpty(): boolean {
    return (
      this.context.state === "empty" &&
      this.summary.view.get().text === "" &&
      !this.summary.isUnfinished &&
      this.actionItems.get().length === 0 &&
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

  setActionItems(items: readonly ActionItem[]): void {
    this.actionItems.set(items);
    this.deps.onSave({ actionItems: [...items] });
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
    actionItems,
  }: Pick<Lecture, "context" | "summary" | "speakerNames" | "actionItems">): void {
    this.context.update(context ?? "");
    this.summary.update(summary ?? "");
    this.#speakerNames = speakerNames;
    this.actionItems.set(actionItems);
  }

  /** Takes over the mark of the server's copy. */
  mergeDemoMark(hasDemoText: boolean): void {
    this.#hasDemoText ||= hasDemoText;
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
