// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import AskPage from "#client/features/ask/ask-page.tsx";
import { getConversation } from "#client/features/ask/conversation.ts";
import { askMessages } from "#client/features/ask/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { isVisitorConfirmed } from "#client/state/offline.ts";
import type { AnswerEvent, AskInput, Question } from "#shared/question.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { createKept, createPipe, row } from "#tests/unit/client/kit/ask.ts";
import { folder, lecture, list, storedLecture } from "#tests/unit/client/kit/folders.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  find,
  findButton,
  hide,
  settle,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

const { answer } = vi.hoisted(() => ({
  answer: vi.fn<(input: unknown, signal: AbortSignal) => AsyncGenerator<never>>(),
}));
vi.mock("#client/state/ask.ts", async (load) => ({
  ...(await load<object>()),
  streamAnswer: answer,
}));
vi.mock("#client/lib/frequency/count-in-worker.ts", () => ({
  countInWorker: async () => ["second law", "arrow of time"],
}));

const scope = { lectureId: null, folderId: null };
const heat = lecture("heat", "a", { excerpt: "Heat flows." });

beforeEach(async () => {
  await Promise.all([showLanguage("en"), askMessages.load()]);
  signIn();
  isVisitorConfirmed.set(true);
  getConversation(scope).clear();
  getConversation(scope).draft.set("");
});
afterEach(hide);

/** The page of all lectures, whose questions are `kept`, newest first. The newest lecture has a term and a mark. */
async function page(kept: Question[] = []) {
  fakeServer({
    "ask.list": () => ({ items: kept.map((one) => ({ ...one, scope })), nextCursor: null }),
    "ask.delete": () => ({}),
    "folders.list": () => list([folder("a", null, { name: "Physics", lectures: 2 })], 1),
    "lectures.list": () => ({ items: [heat], nextCursor: null, total: null }),
    "lectures.get": () => ({
      ...storedLecture("heat", {
        folderId: "a",
        entries: [
          createEntry("Entropy grows.", 0, { ordinal: 0 }),
          createEntry("The arrow of time is the second law.", 5_000, { ordinal: 1 }),
        ],
      }),
      nextCursor: null,
    }),
    "marks.list": () => ({ items: [{ id: "m", atMs: 5_100, position: 1 }], nextCursor: null }),
    "takes.list": () => ({ items: [], nextCursor: null }),
    "glossary.get": () => ({ folderIds: ["a", null], terms: [{ term: "entropy" }] }),
  });
  const pipe = createPipe();
  answer.mockReset();
  answer.mockImplementation((_input, signal) => pipe.read(signal) as AsyncGenerator<never>);
  await showLibrary(<AskPage folderId={null} />);
  await settle(() => expect(document.querySelector("textarea")).not.toBeNull());
  return {
    write: (...events: AnswerEvent[]) => act(() => pipe.write(...events)),
    end: () => act(async () => pipe.end()),
    lastInput: () => answer.mock.lastCall?.[0] as AskInput,
  };
}

const examples = () =>
  [...document.querySelectorAll("[aria-labelledby=examples] button")].map((one) => one.textContent);
const questions = () => [...document.querySelectorAll("article h3")].map((one) => one.textContent);
const getText = () => document.body.textContent ?? "";

it("begins with three questions that the newest lecture can answer, and asks one at a press", async () => {
  const { write, end, lastInput } = await page();
  await settle(() =>
    expect(examples()).toEqual([
      "What is entropy?",
      "What does this sentence mean: “The arrow of time is the second law.”?",
      "What is said about second law?",
    ]),
  );
  await click("What is entropy?");
  expect(lastInput()).toMatchObject({ question: "What is entropy?", follows: null, scope });
  // The answer takes their place.
  expect(examples()).toEqual([]);
  const cited = row(0, { title: "Lecture heat" });
  await write({ kind: "begin", rows: [cited], quote: "" }, { kind: "text", text: "It grows." });
  await waitForText("It grows.");
  await write({ kind: "end" });
  await end();
  await find("button", "Ask further");
});

it("shows the last answer open, and of earlier ones the question and how the answer begins", async () => {
  const silent = { ...createKept("c"), statements: [], nearest: [row(2)] };
  await page([createKept("b"), silent, createKept("a")]);
  await settle(() => expect(questions()).toEqual(["Question b?", "Question c?", "Question a?"]));
  expect(getText()).toContain("Sentence 1.");
  expect(getText()).toContain("Answer to a.");
  expect(getText()).toContain("Not said in these lectures.");
  expect(getText()).not.toContain("Sentence 2.");
  await click("Question c?");
  await waitForText("Sentence 2.");
});

it("asks a new question, unless one asks further", async () => {
  const { lastInput, end } = await page([createKept("b")]);
  await click("Ask further");
  await waitForText("Follows up “Question b?”");
  await click("New question");
  await settle(() => expect(getText()).not.toContain("Follows up"));
  await type(document.querySelector("textarea"), "Why?");
  await click("Ask");
  expect(lastInput()).toMatchObject({ question: "Why?", follows: null });
  await end();
  await settle(() => expect(findButton("Stop the answer")).toBeUndefined());

  await click("Question b?");
  await click("Ask further", "[data-question=b] button");
  await type(document.querySelector("textarea"), "And then?");
  await click("Ask");
  expect(lastInput()).toMatchObject({ question: "And then?", follows: "b" });
  await end();
});
