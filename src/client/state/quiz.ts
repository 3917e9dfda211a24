import { getQueryKey } from "@trpc/react-query";
import { callServer } from "#client/lib/call-server.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { QuestionScope } from "#shared/question.ts";
import type { QuizPage, QuizProgress, QuizQuestion, QuizReview } from "#shared/quiz.ts";
import { applyReview } from "#shared/quiz-schedule.ts";
import { addReview, listWaitingReviews, sendReviews } from "./quiz-reviews.ts";
import { streamAnswer } from "./stream-answer.ts";

/** Questions of a lecture, a folder or all lectures: cached, and kept to be answered without a network. */

export const useQuiz = (scope: QuestionScope) => api.quiz.list.useQuery({ scope });

export const useQuizLectures = (scope: QuestionScope) => api.quiz.lectures.useQuery({ scope });

/** Fetches the questions again, once the server has the answers. */
export async function refetchQuiz(): Promise<void> {
  await sendReviews();
  await queryClient.invalidateQueries({ queryKey: getQueryKey(api.quiz) });
}

/** The questions with the answers that the server does not have yet. */
export function withWaitingReviews(items: readonly QuizQuestion[]): QuizQuestion[] {
  const waiting = listWaitingReviews();
  return items.map((item) =>
    waiting
      .filter(({ questionId }) => questionId === item.id)
      .reduce((question, review) => withReview(question, review), item),
  );
}

/** One that is known already changes nothing. */
function withReview(question: QuizQuestion, review: QuizReview): QuizQuestion {
  const { memory } = question;
  const isKnown = memory !== null && Date.parse(review.answeredAt) <= Date.parse(memory.reviewedAt);
  return isKnown ? question : { ...question, ...applyReview(question, review) };
}

const changeCached = (change: (items: readonly QuizQuestion[]) => QuizQuestion[]) =>
  queryClient.setQueriesData<QuizPage>(
    { queryKey: getQueryKey(api.quiz.list) },
    (page) => page && { ...page, items: change(page.items) },
  );

/** Counts an answer here at once, and on the server when it can be reached. */
export function saveAnswer(question: QuizQuestion, rating: QuizReview["rating"]): void {
  const review: QuizReview = {
    id: crypto.randomUUID(),
    questionId: question.id,
    rating,
    answeredAt: new Date().toISOString(),
  };
  changeCached((items) =>
    items.map((item) => (item.id === question.id ? withReview(item, review) : item)),
  );
  addReview(review);
}

/** Deletes a question, at once on the page. @throws ApiError after the page shows it again */
export async function deleteQuizQuestion({ id }: QuizQuestion): Promise<void> {
  changeCached((items) => items.filter((item) => item.id !== id));
  try {
    await callServer(() => trpc.quiz.delete.mutate({ ids: [id] }));
  } finally {
    void refetchQuiz();
  }
}

/** Streams how far the site's model is with the questions on a lecture. @throws ApiError */
export const writeQuiz = (
  input: { lectureId: string; language: TranslationLanguage },
  outer: AbortSignal,
): AsyncGenerator<QuizProgress> =>
  streamAnswer((signal) => trpc.quiz.write.mutate(input, { signal }), outer);

/** Whether an answer is right, as the site's model sees it, and why. @throws ApiError */
export const gradeQuizAnswer = (
  input: { id: string; answer: string; reasonIn: TranslationLanguage },
  signal: AbortSignal,
) => callServer(() => trpc.quiz.grade.mutate(input, { signal }), signal);
