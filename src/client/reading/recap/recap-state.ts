import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import {
  addToStatements,
  type ShownStatement,
  type StatementEvent,
} from "#client/reading/answers/shown-statements.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { noteMaxLength } from "#shared/limits.ts";
import type { RecapRange } from "./recap-range.ts";

export type RecapEvent =
  | StatementEvent
  /** `done` of the `total` parts are condensed that one call cannot read together. */
  | { kind: "progress"; done: number; total: number }
  | { kind: "finish" }
  | { kind: "fail"; failure: unknown };

/** A recap as it is shown. */
export interface RecapView {
  range: RecapRange;
  /** Of the statements. */
  language: TranslationLanguage;
  /** The last row that it rests on; null: nothing was said. */
  last: TranscriptRow | null;
  statements: readonly ShownStatement[];
  phase:
    | { kind: "writing"; progress: { done: number; total: number } | null }
    | { kind: "done" }
    /** What was checked before stays. */
    | { kind: "failed"; failure: unknown };
}

export const startView = (asked: Pick<RecapView, "range" | "language" | "last">): RecapView => ({
  ...asked,
  statements: [],
  phase: asked.last ? { kind: "writing", progress: null } : { kind: "done" },
});

/** `view` after `event`. */
export function updateView(view: RecapView, event: RecapEvent): RecapView {
  const checked = view.statements.filter(({ isChecked }) => isChecked);
  switch (event.kind) {
    case "progress": {
      const { done, total } = event;
      return { ...view, phase: { kind: "writing", progress: { done, total } } };
    }
    case "finish":
      return { ...view, statements: checked, phase: { kind: "done" } };
    case "fail":
      return {
        ...view,
        statements: checked,
        phase: { kind: "failed", failure: event.failure },
      };
    default:
      return { ...view, statements: addToStatements(view.statements, event) };
  }
}

/** A recap as plain text, with the time of each statement's first row. Whole lines only, as many as a note may have. */
export function formatRecap(title: string, statements: readonly ShownStatement[]): string {
  let text = title;
  for (const { text: line, rows } of statements) {
    const time = rows[0] ? ` (${formatClock(rows[0].startMs / 1_000)})` : "";
    const next = `${text}\n• ${line}${time}`;
    if (next.length > noteMaxLength) break;
    text = next;
  }
  return text;
}
