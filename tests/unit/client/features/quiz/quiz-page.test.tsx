// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { quizMessages } from "#client/features/quiz/messages/index.ts";
import QuizPage from "#client/features/quiz/quiz-page.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { isVisitorConfirmed } from "#client/state/offline.ts";
import { getReviewsKey, sendReviews } from "#client/state/quiz-reviews.ts";
import { getUserId } from "#client/state/visitor.ts";
import type { QuizLecture, QuizProgress, QuizQuestion, QuizReview } from "#shared/quiz.ts";
import { applyReview } from "#shared/quiz-schedule.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  find,
  findButton,
  hide,
  press,
  settle,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { createQuizQuestion } from "#tests/unit/client/kit/quiz.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

const { writeQuiz } = vi.hoisted(() => ({
  writeQuiz: vi.fn<(input: { lectureId: string }) => AsyncGenerator<QuizProgress>>(),
}));
vi.mock("#client/state/quiz.ts", async (load) => ({ ...(await load<object>()), writeQuiz }));

const lectureId = "00000000-0000-4000-8000-0000000000aa";
const lecture: QuizLecture = { id: lectureId, title: "Optics", questions: 1, languages: ["en"] };

beforeEach(async () => {
  reportFirstPage();
  localStorage.clear();
  isVisitorConfirmed.set(true);
  await Promise.all([showLanguage("en"), quizMessages.load()]);
  signIn();
});

interface Options {
  questions?: QuizQuestion[];
  lectures?: QuizLecture[];
  grade?: () => unknown;
  folderId?: string;
  /** The server cannot be reached. */
  isAway?: () => boolean;
}

async function open(options: Options = {}) {
  const { questions = [], lectures = [lecture], grade, folderId, isAway = () => false } = options;
  const reviews: QuizReview[] = [];
  let items = questions;
  const server = fakeServer({
    "quiz.list": () => ({
      items,
      nextCursor: null,
      total: questions.length,
      due: questions.length,
    }),
    "quiz.lectures": () => lectures,
    "quiz.review": (input: { reviews: QuizReview[] }) => {
      if (isAway()) throw new Error("away");
      reviews.push(...input.reviews);
      for (const review of input.reviews)
        items = items.map((item) =>
          item.id === review.questionId ? { ...item, ...applyReview(item, review) } : item,
        );
    },
    "quiz.grade": () => grade?.(),
    "quiz.delete": () => undefined,
    "folders.list": () => ({ total: 1, uncategorized: 1, folders: [] }),
    "site.info": () => ({ lacksModel: false, standIns: {}, isDemoDefault: false }),
  });
  await showLibrary(
    <QuizPage lectureId={folderId ? null : lectureId} folderId={folderId ?? null} />,
  );
  return { server, reviews };
}

const heading = () => document.querySelector("h2")?.textContent ?? "";
const article = () => document.querySelector("article")?.textContent ?? "";

it("takes a key as a choice, shows the sentence, and asks again for what was wrong", async () => {
  const question = createQuizQuestion({
    kind: "choice",
    prompt: "What is slower in glass?",
    choices: ["Light", "Sound", "Heat"],
  });
  const { reviews } = await open({ questions: [question] });
  await waitForText("What is slower in glass?");
  expect(document.body.textContent).not.toContain("Light is slower");
  const choices = [...document.querySelectorAll("ol button")];
  const wrong = choices.findIndex((one) => !one.textContent?.endsWith("Light"));
  await press(String(wrong + 1));
  await waitForText("Not right. The answer is “Light”.");
  expect(article()).toContain("1:05Light is slower in glass.");
  expect(document.querySelector("mark")?.textContent).toBe("Light");
  expect(document.activeElement?.textContent).toBe("Next");
  // It counts with the next one, so that nothing is counted twice.
  expect(reviews).toEqual([]);
  await click("Next");
  await settle(() => expect(reviews).toMatchObject([{ questionId: question.id, rating: "again" }]));
  await waitForText("What is slower in glass?");
  expect(document.activeElement).toBe(document.querySelector("h2"));
  expect(findButton("Next")).toBeUndefined();
  const right = [...document.querySelectorAll("ol button")].findIndex((one) =>
    one.textContent?.endsWith("Light"),
  );
  await press(String(right + 1));
  await click("Next");
  await waitForText("Done for now.");
  await settle(() => expect(reviews.map(({ rating }) => rating)).toEqual(["again", "good"]));
});

it("forgives a typing error and says so, and the person has the last word", async () => {
  const { reviews } = await open({
    questions: [createQuizQuestion({ prompt: "The ____ of glass is high.", answer: "refraction" })],
  });
  await waitForText("Fill the gap");
  expect(heading()).toContain("gap");
  await type(document.querySelector("input"), "refracton");
  await click("Check");
  await waitForText("You wrote “refracton”. A typing error does not count.");
  await click("Count as wrong");
  await waitForText("Not right.");
  // Leaving the page counts as well.
  await hide();
  await settle(() => expect(reviews).toMatchObject([{ rating: "again" }]));
});

it("has the model read a short answer, and shows its reason", async () => {
  let answers: (() => unknown)[] = [
    () => ({ isRight: true, reason: "Speed is meant." }),
    () => new Refusal("llm_failed"),
  ];
  const short = {
    kind: "short",
    prompt: "What is lower in glass?",
    answer: "its velocity",
  } as const;
  const ids = ["1", "2"].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
  const { reviews } = await open({
    questions: ids.map((id) => createQuizQuestion({ ...short, id })),
    grade: () => {
      const [first, ...rest] = answers;
      answers = rest;
      return first?.();
    },
  });
  await waitForText("Answer in a few words");
  await type(document.querySelector("input"), "the speed");
  await click("Check");
  await waitForText("The language model: Speed is meant.");
  await click("Next");
  // Where no model answers, the person compares.
  await settle(() => expect(document.querySelector("input")?.value).toBe(""));
  await type(document.querySelector("input"), "the speed");
  await click("Check");
  await waitForText("Did you know it?");
  await click("I did not");
  await click("Next");
  await settle(() => expect(reviews.map(({ rating }) => rating)).toEqual(["good", "again"]));
});

it("shows the answer of a flashcard, which the person compares", async () => {
  const { reviews } = await open({
    questions: [createQuizQuestion({ kind: "card", prompt: "What bends?", answer: "光" })],
  });
  await waitForText("What bends?");
  expect(document.body.textContent).not.toContain("光");
  await click("Show the answer");
  await waitForText("The answer is “光”. Did you know it?");
  await click("I knew it");
  await click("Next");
  await settle(() => expect(reviews).toMatchObject([{ rating: "good" }]));
});

it("keeps answers until the server can be reached, and sends each once", async () => {
  let isAway = true;
  const { reviews } = await open({ questions: [createQuizQuestion()], isAway: () => isAway });
  await waitForText("Fill the gap");
  await type(document.querySelector("input"), "light");
  await click("Check");
  await click("Next");
  await waitForText("Done for now.");
  expect(reviews).toEqual([]);
  await hide();
  expect(JSON.parse(localStorage.getItem(getReviewsKey(getUserId() ?? "")) ?? "[]")).toHaveLength(
    1,
  );
  // Whatever the server has of it by then, the answer counts here.
  await open({ questions: [createQuizQuestion()], isAway: () => isAway });
  await waitForText("Done for now.");
  isAway = false;
  const { reviews: sent } = await open({ questions: [createQuizQuestion()] });
  await act(async () => {
    await sendReviews();
    await sendReviews();
  });
  expect(sent).toMatchObject([{ rating: "good" }]);
  expect(localStorage.getItem(getReviewsKey(getUserId() ?? ""))).toBeNull();
  localStorage.setItem(getReviewsKey(getUserId() ?? ""), '{"damaged": [');
  await act(() => sendReviews());
  expect(sent).toHaveLength(1);
});

it("writes questions on a lecture without any, and says when none was left", async () => {
  writeQuiz.mockImplementation(async function* () {
    yield { written: 0, leftOut: 3, isStored: false };
    yield { written: 0, leftOut: 4, isStored: true };
  });
  await open({ lectures: [{ ...lecture, questions: 0 }] });
  await find("button", "Write questions");
  expect(document.body.textContent).toContain("whose answer is not said in them are left out");
  await click("Write questions");
  await waitForText("No question was written: there was nothing new to ask for. 4 were left out");
  writeQuiz.mockImplementation(async function* () {
    yield { written: 1, leftOut: 0, isStored: true };
    throw new ApiError("model_budget_exhausted", true);
  });
  await click("Write questions");
  await waitForText("What was written until then is kept.");
  expect(writeQuiz.mock.lastCall?.[0]).toEqual({ lectureId, language: "en" });
});

it("writes questions on the lectures of a folder that have none, and passes one that takes no more", async () => {
  writeQuiz.mockReset();
  writeQuiz.mockImplementation(async function* ({ lectureId: id }) {
    if (id === "full") throw new ApiError("lecture_full", false);
    yield { written: 2, leftOut: 0, isStored: true };
  });
  const lectures = ["full", "new", "old"].map((id): QuizLecture => {
    const questions = id === "old" ? 3 : 0;
    return { id, title: id, questions, languages: [id === "new" ? "zh-cn" : "en"] };
  });
  await open({ lectures, folderId: "00000000-0000-4000-8000-0000000000cc" });
  await waitForText("2 lectures have no questions yet.");
  await click("Write questions");
  await waitForText("2 questions were written.");
  expect(writeQuiz.mock.calls.map(([input]) => input)).toEqual([
    { lectureId: "full", language: "en" },
    { lectureId: "new", language: "zh-cn" },
  ]);
});

it("says that there is nothing for a lecture that is gone", async () => {
  await open({ lectures: [] });
  await waitForText("There is nothing to ask about here");
});
