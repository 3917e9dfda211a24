import type { AnswerEvent, Statement } from "#shared/question.ts";

/** A statement as it is shown: its text grows until it is checked. */
export interface ShownStatement extends Statement {
  isChecked: boolean;
}

export type StatementEvent = Exclude<AnswerEvent, { kind: "search" | "not_said" }>;

/** `statements` after `event`. */
export function addToStatements(
  statements: readonly ShownStatement[],
  event: StatementEvent,
): ShownStatement[] {
  if (event.kind === "begin") {
    const { rows, quote } = event;
    return [...statements, { rows, quote, text: "", isChecked: false }];
  }
  const before = statements.slice(0, -1);
  const last = statements.at(-1);
  if (!last || event.kind === "drop") return before;
  if (event.kind === "text") return [...before, { ...last, text: last.text + event.text }];
  return [...before, { ...last, isChecked: true }];
}
