import type { ShownStatement } from "#client/reading/answers/shown-statements.ts";
import type { Question } from "#shared/question.ts";
import type { AskedQuestion } from "./conversation.ts";

/** A question with its answer, as it is shown. */
export interface Entry
  extends Pick<AskedQuestion, "state" | "search" | "nearest" | "failure">,
    Pick<Question, "id" | "kind" | "question" | "follows" | "answeredIn"> {
  statements: readonly ShownStatement[];
}

/**
 * The kept questions, oldest first, and those of this tab behind them: a question keeps its place while it is answered
 * and kept. One that was kept, and that another tab has deleted, is gone.
 *
 * @param kept newest first; null until they are read
 */
export function listEntries(
  kept: readonly Question[] | null,
  asked: readonly AskedQuestion[],
): Entry[] {
  const keptIds = kept && new Set(kept.map(({ id }) => id));
  const askedIds = new Set(asked.map(({ input }) => input.id));
  return [
    ...(kept ?? [])
      .filter(({ id }) => !askedIds.has(id))
      .map(toEntry)
      .reverse(),
    ...asked
      .filter(({ state, input }) => state !== "done" || keptIds?.has(input.id) !== false)
      .map(({ input, ...answer }) => ({
        ...answer,
        ...{ id: input.id, kind: input.kind, question: input.question, follows: input.follows },
        answeredIn: input.answerIn,
      })),
  ];
}

const toEntry = ({ statements, scope: _, createdAt: __, ...question }: Question): Entry => ({
  ...question,
  ...{ state: "done", search: null, failure: null },
  statements: statements.map((one) => ({ ...one, isChecked: true })),
});
