// @vitest-environment happy-dom
import { getQueryKey } from "@trpc/react-query";
import { beforeEach, expect, it } from "vitest";
import { addQuestion, deleteQuestions } from "#client/state/ask.ts";
import { api, queryClient } from "#client/state/queries.tsx";
import type { Question } from "#shared/question.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

const scope = { lectureId: "l", folderId: null };
const queryKey = getQueryKey(api.ask.list, { scope }, "infinite");

const question = (id: string, minute: number): Question => ({
  id,
  scope,
  kind: "asked",
  question: id,
  follows: null,
  answeredIn: "en",
  statements: [],
  nearest: [],
  createdAt: `2026-11-27T09:0${minute}:00.000Z`,
});

const listIds = () =>
  queryClient
    .getQueryData<{ pages: { items: Question[] }[] }>(queryKey)
    ?.pages.map(({ items }) => items.map(({ id }) => id));

beforeEach(() =>
  queryClient.setQueryData(queryKey, {
    pages: [
      { items: [question("c", 3), question("b", 2)], nextCursor: "2" },
      { items: [question("a", 1)], nextCursor: null },
    ],
    pageParams: [null, "2"],
  }),
);

it("brings back only the questions that could not be deleted", async () => {
  const answers: (() => void)[] = [];
  fakeServer({
    "ask.delete": ({ ids }: { ids: string[] }) =>
      new Promise((resolve) => {
        answers.push(() => resolve(ids.includes("b") ? {} : new Refusal("rate_limited")));
      }),
  });
  const deletions = [["c"], ["b"], ["a"]].map((ids) => deleteQuestions(scope, ids));
  await expect.poll(() => answers.length).toBe(3);
  expect(listIds()).toEqual([[], []]);
  await addQuestion(question("d", 4));
  for (const answer of answers) answer();
  const kinds = (await Promise.allSettled(deletions)).map(({ status }) => status);
  expect(kinds).toEqual(["rejected", "fulfilled", "rejected"]);
  expect(listIds()).toEqual([["d", "c"], ["a"]]);
});
