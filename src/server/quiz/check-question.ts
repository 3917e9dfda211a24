import * as z from "zod/mini";
import { toOneLine } from "#server/ai/texts.ts";
import {
  quizAnswerMaxLength,
  quizChoicesMax,
  quizPromptMaxLength,
  quizRowsMax,
} from "#shared/limits.ts";
import { normalize } from "#shared/normal-form.ts";
import { clozeGap, type QuizKind, type QuizQuestion, type QuizRow } from "#shared/quiz.ts";
import { findSpans, hasWords, toAnswerKey } from "#shared/quiz-text.ts";

/** A question that its sentences support. */
export type CheckedQuestion = Pick<QuizQuestion, "kind" | "prompt" | "choices" | "answer" | "rows">;

/** Those that the model writes. */
const writtenKinds = ["choice", "cloze", "short"] as const satisfies QuizKind[];

/** As the prompt asks for it; see prompts.ts. */
const written = z.object({
  kind: z.enum(writtenKinds),
  rows: z.array(z.string()).check(z.minLength(1), z.maxLength(quizRowsMax)),
  prompt: z.catch(z.string(), ""),
  answer: z.string(),
  others: z.catch(z.array(z.string()), []),
});

const choicesMin = 3;
const promptMinLength = 4;

/** Choices that say something of other choices. */
const aboutOthers =
  /\b(?:all|none|both|neither|any) of (?:the|these)\b|\b(?:all|none) (?:above|listed)\b|以上|上述|(?:都|皆)(?:是|不是|对|不对|正确|错误)/i;
const markup = /<\/?[a-z!][^<>]*>|&(?:[a-z]+|#\d+);/i;
const address = /\b(?:https?:\/\/|www\.|javascript:)/i;

/**
 * What the model has written, if it is a question with one right answer that is said in its sentences, word for word; null if it
 * is not. `given` has the rows of the prompt by their ids there.
 */
export function checkQuestion(
  value: unknown,
  given: ReadonlyMap<string, QuizRow>,
): CheckedQuestion | null {
  const { data } = written.safeParse(value);
  if (!data) return null;
  const ids = [...new Set(data.rows)];
  const rows = ids.flatMap((id) => given.get(id) ?? []);
  const answer = toOneLine(data.answer);
  const isSaid = rows.some(({ text }) => hasWords(text, answer));
  if (rows.length < ids.length || !isUsable(answer, quizAnswerMaxLength) || !isSaid) return null;
  if (data.kind === "cloze") return createCloze(rows, answer);
  const prompt = toOneLine(data.prompt);
  if (prompt.length < promptMinLength || !isUsable(prompt, quizPromptMaxLength)) return null;
  if (hasWords(prompt, answer)) return null;
  const { kind } = data;
  if (kind === "short") return { kind, prompt, answer, rows, choices: [] };
  const choices = [answer, ...data.others.map(toOneLine)];
  return areChoices(choices) ? { kind, prompt, answer, rows, choices: choices.toSorted() } : null;
}

const isUsable = (text: string, maxLength: number): boolean =>
  text.length <= maxLength &&
  /[\p{L}\p{N}]/u.test(text) &&
  !markup.test(text) &&
  !address.test(text) &&
  !text.includes(clozeGap);

/** The sentence with a gap wherever it has the answer, so that it does not say it. Null if nothing else is left of it. */
function createCloze(rows: readonly QuizRow[], answer: string): CheckedQuestion | null {
  const row = rows.find(({ text }) => hasWords(text, answer));
  if (!row) return null;
  const sentence = normalize(row.text, "NFC");
  const spans = findSpans(sentence, answer);
  let prompt = "";
  let end = 0;
  for (const span of spans) {
    prompt += `${sentence.slice(end, span.start)}${clozeGap}`;
    end = span.end;
  }
  prompt = toOneLine(prompt + sentence.slice(end));
  const rest = prompt.replaceAll(clozeGap, " ");
  const isLongEnough = toAnswerKey(rest).length >= toAnswerKey(answer).length;
  if (!isLongEnough || prompt.length > quizPromptMaxLength || !/\p{L}/u.test(rest)) return null;
  return { kind: "cloze", prompt, answer, rows: [row], choices: [] };
}

/** The first one is right, and none of the others could be: they differ, and none is a part of it or has it as a part. */
function areChoices(choices: readonly string[]): boolean {
  const [answer = "", ...others] = choices;
  return (
    choices.length >= choicesMin &&
    choices.length <= quizChoicesMax &&
    choices.every((one) => isUsable(one, quizAnswerMaxLength) && !aboutOthers.test(one)) &&
    new Set(choices.map(toAnswerKey)).size === choices.length &&
    others.every((one) => !hasWords(one, answer) && !hasWords(answer, one))
  );
}
