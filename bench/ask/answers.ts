import { answerQuestion } from "#server/ask/answer.ts";
import type { Database } from "#server/database.ts";
import type { Llm } from "#server/ports.ts";
import type { QuestionScope, Statement } from "#shared/question.ts";
import { isQuoted } from "#shared/statements.ts";
import { type AskQuestion, askLectures, type FactPlace } from "./lectures.ts";

/** What a model answers, by the real prompts and checks. */

export interface Answers {
  answerable: number;
  /** Answerable questions with a statement, and with one that names the fact's row. */
  answered: number;
  found: number;
  unanswerable: number;
  refused: number;
  /** Rows that statements name; of the fact; there, and given to the model. */
  cited: number;
  right: number;
  given: number;
  quotes: number;
  verbatim: number;
}

const clock = { now: () => new Date() };

/** `getScope` says what a question is asked of, by its index. */
export async function measureAnswers(
  { db, llm }: { db: Database; llm: Llm },
  userId: string,
  library: { facts: ReadonlyMap<string, FactPlace>; lectureIds: readonly string[] },
  questions: readonly AskQuestion[],
  getScope: (question: AskQuestion) => QuestionScope,
): Promise<Answers> {
  const result: Answers = {
    answerable: 0,
    answered: 0,
    found: 0,
    unanswerable: 0,
    refused: 0,
    cited: 0,
    right: 0,
    given: 0,
    quotes: 0,
    verbatim: 0,
  };
  for (const question of questions) {
    const prompts: string[] = [];
    const watched: Llm = {
      ...llm,
      stream(request) {
        prompts.push(request.user);
        return llm.stream(request);
      },
    };
    const statements = await ask({ db, llm: watched }, userId, question, getScope(question));
    const fact = question.fact === null ? undefined : library.facts.get(question.fact);
    const rows = statements.flatMap((statement) => statement.rows);
    const right = rows.filter(
      ({ lectureId, position }) => lectureId === fact?.lectureId && position === fact.position,
    ).length;
    result[fact ? "answerable" : "unanswerable"] += 1;
    if (!fact && rows.length === 0) result.refused += 1;
    if (fact && rows.length > 0) result.answered += 1;
    if (right > 0) result.found += 1;
    result.cited += rows.length;
    result.right += right;
    result.given += rows.filter(({ lectureId, position, original }) => {
      const row = askLectures[library.lectureIds.indexOf(lectureId)]?.rows[position];
      return row?.original === original && prompts.some((prompt) => prompt.includes(original));
    }).length;
    for (const { quote, rows: quoted } of statements) {
      if (quote === "") continue;
      result.quotes += 1;
      const texts = quoted.flatMap(({ original, translated }) => [original, translated]);
      if (isQuoted(quote, texts)) result.verbatim += 1;
    }
  }
  return result;
}

async function ask(
  services: { db: Database; llm: Llm },
  userId: string,
  { question, language }: AskQuestion,
  scope: QuestionScope,
): Promise<Statement[]> {
  const input = {
    id: crypto.randomUUID(),
    scope,
    kind: "asked" as const,
    question,
    follows: null,
    answerIn: language,
  };
  const events = answerQuestion(
    { ...services, clock },
    { userId, input, earlier: [], spend: async () => {} },
  );
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value.statements;
  }
}
