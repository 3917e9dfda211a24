import type { InfiniteData } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { callServer, toApiError } from "#client/lib/call-server.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import type { AnswerEvent, AskInput, Question, QuestionScope } from "#shared/question.ts";
import { fetchAll } from "./fetch-lecture.ts";

/** Questions of a lecture, a folder or all lectures, with their answers: cached, and read again in other tabs. */

interface QuestionPage {
  items: Question[];
  nextCursor: string | null;
}
type QuestionPages = InfiniteData<QuestionPage, string | null>;

/** The newest first, page by page. */
export const useQuestions = (scope: QuestionScope) =>
  api.ask.list.useInfiniteQuery(
    { scope },
    { getNextPageParam: (page) => page.nextCursor, refetchOnWindowFocus: "always" },
  );

const getKey = (scope: QuestionScope) => getQueryKey(api.ask.list, { scope }, "infinite");

const otherTabs =
  typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("questions");
otherTabs?.addEventListener("message", () => {
  void queryClient.invalidateQueries({ queryKey: getQueryKey(api.ask.list) });
});

/** Streams the answer to a question, which the server then keeps. @throws ApiError */
export async function* streamAnswer(
  input: AskInput,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  try {
    yield* await trpc.ask.ask.mutate(input, { signal });
  } catch (failure) {
    throw toApiError(failure);
  }
}

/** Takes over a question that the server has kept, here and in other tabs. */
export async function addQuestion(question: Question): Promise<void> {
  const queryKey = getKey(question.scope);
  // An answer on its way does not have it yet.
  await queryClient.cancelQueries({ queryKey });
  const data = queryClient.getQueryData<QuestionPages>(queryKey);
  const [first, ...rest] = data?.pages ?? [];
  if (data && first) {
    const items = [question, ...first.items.filter(({ id }) => id !== question.id)];
    queryClient.setQueryData(queryKey, { ...data, pages: [{ ...first, items }, ...rest] });
  } else void queryClient.invalidateQueries({ queryKey });
  otherTabs?.postMessage(null);
}

const has = (items: readonly Question[], { id }: Question) => items.some((one) => one.id === id);

/** Deletes questions, at once on the page. @throws ApiError after the page shows them again */
export async function deleteQuestions(scope: QuestionScope, ids: readonly string[]): Promise<void> {
  const queryKey = getKey(scope);
  const change = (items: (page: QuestionPage, at: number) => Question[]) =>
    queryClient.setQueryData<QuestionPages>(
      queryKey,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page, at) => ({ ...page, items: items(page, at) })),
        },
    );
  await queryClient.cancelQueries({ queryKey });
  const before = queryClient.getQueryData<QuestionPages>(queryKey);
  change(({ items }) => items.filter(({ id }) => !ids.includes(id)));
  try {
    await callServer(() => trpc.ask.delete.mutate({ ids: [...ids] }));
  } catch (failure) {
    // Others may have been asked or deleted meanwhile.
    change(({ items }, at) => {
      const earlier = before?.pages[at]?.items ?? [];
      return [
        ...items.filter((one) => !has(earlier, one)),
        ...earlier.filter((one) => ids.includes(one.id) || has(items, one)),
      ];
    });
    throw failure;
  }
  otherTabs?.postMessage(null);
}

/** Deletes all questions of `scope`, also those that are not loaded. @throws ApiError */
export async function deleteAllQuestions(scope: QuestionScope): Promise<void> {
  const questions = await fetchAll<Question>((cursor) =>
    callServer(() => trpc.ask.list.query({ scope, ...(cursor !== null && { cursor }) })),
  );
  const ids = questions.map(({ id }) => id);
  if (ids.length > 0) await deleteQuestions(scope, ids);
}
