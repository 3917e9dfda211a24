import type { QuizQuestion } from "#shared/quiz.ts";

/** What was answered wrong comes back so much earlier, in ms, when nothing else is due. */
const learnAheadMs = 15 * 60_000;

const isLearned = ({ memory }: QuizQuestion) => memory !== null && memory.state !== 2;

/** A new question is due, whatever the clock of this device says of the server's. */
const isDue = ({ memory, dueAt }: QuizQuestion, now: number): boolean =>
  memory === null || Date.parse(dueAt) <= now;

/** The questions that are asked now: first the one that has been due for longest, last what was answered wrong a while ago. */
export function listAsked(questions: readonly QuizQuestion[], now: number): QuizQuestion[] {
  const byTime = questions.toSorted(
    (a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt) || (a.id < b.id ? -1 : 1),
  );
  const due = byTime.filter((question) => isDue(question, now));
  const ahead = byTime.filter(
    (question) =>
      isLearned(question) && !isDue(question, now) && isDue(question, now + learnAheadMs),
  );
  return [...due, ...ahead];
}

/** The question that is asked next: not the same one again if there is another. Null if nothing is to be asked now. */
export function chooseQuestion(
  questions: readonly QuizQuestion[],
  { now, lastId }: { now: number; lastId: string | null },
): QuizQuestion | null {
  const all = listAsked(questions, now);
  return all.find(({ id }) => id !== lastId) ?? all[0] ?? null;
}

/** When the next question is due, in ms since the epoch; null without questions. */
export const findNextTime = (questions: readonly QuizQuestion[]): number | null =>
  questions.reduce<number | null>(
    (first, { dueAt }) => Math.min(first ?? Number.POSITIVE_INFINITY, Date.parse(dueAt)),
    null,
  );

/** The choices of a question, in another order each time that it is asked, so that no place is learned by heart. */
export function orderChoices({ id, choices, memory }: QuizQuestion): string[] {
  const key = (choice: string) => hash(`${id} ${memory?.reviews ?? 0} ${choice}`);
  return choices.toSorted((a, b) => key(a) - key(b));
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
