// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import AskPart from "#client/features/ask/ask-part.tsx";
import { getConversation } from "#client/features/ask/conversation.ts";
import { askMessages } from "#client/features/ask/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/observable.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { shownSound } from "#client/reading/reading-state.ts";
import { searchTarget } from "#client/reading/search-target.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { isVisitorConfirmed } from "#client/state/offline.ts";
import type { AnswerEvent, AskInput, Question } from "#shared/question.ts";
import { createKept, createPipe, row } from "#tests/unit/client/kit/ask.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  collectToasts,
  find,
  findButton,
  getToastText,
  hide,
  press,
  settle,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { recordingWith, Surface } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

const { answer } = vi.hoisted(() => ({
  answer: vi.fn<(input: unknown, signal: AbortSignal) => AsyncGenerator<never>>(),
}));
vi.mock("#client/state/ask.ts", async (load) => ({
  ...(await load<object>()),
  streamAnswer: answer,
}));
vi.mock("#client/lib/frequency/count-in-worker.ts", () => ({
  countInWorker: async () => ["entropy"],
}));

const toasts = collectToasts(getToastText);
beforeEach(async () => {
  reportFirstPage();
  await Promise.all([showLanguage("en"), askMessages.load(), readingDialogMessages.load()]);
  vi.spyOn(window, "matchMedia").mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList,
  );
  getConversation({ lectureId: "l", folderId: null }).clear();
  getConversation({ lectureId: "l", folderId: null }).draft.set("");
  isVisitorConfirmed.set(true);
  shownSound.set(null);
});

interface Options {
  kept?: Question[];
  earlier?: Question[];
  signedIn?: boolean;
  refusal?: Refusal;
  /** Until then no deletion is answered. */
  deletion?: Promise<void>;
}

/** The page of a recording with three sentences, whose questions are `kept`. The answers are what the test writes. */
async function page(options: Options = {}) {
  const { kept = [], earlier = [], signedIn = true, refusal, deletion } = options;
  const server = fakeServer({
    "ask.list": ({ cursor }: { cursor?: string }) =>
      cursor
        ? { items: earlier, nextCursor: null }
        : { items: kept, nextCursor: earlier.length > 0 ? "2" : null },
    "ask.delete": async () => {
      await deletion;
      return refusal ?? {};
    },
  });
  const { session } = recordingWith(3);
  const lecture = signedIn ? createLectureInfo({ id: "l" }) : null;
  session.view.set({ ...session.view.get(), lecture });
  let pipe = createPipe();
  answer.mockReset();
  answer.mockImplementation((_input, signal) => pipe.read(signal) as AsyncGenerator<never>);
  const Page = () => (
    <Surface lecture={session} ask={(part) => <AskPart {...part} signedIn={signedIn} />} />
  );
  await showLibrary(<Page />);
  await open();
  const write = (...events: Parameters<typeof pipe.write>) => act(() => pipe.write(...events));
  return {
    session,
    server,
    write,
    end: () => act(async () => pipe.end()),
    fail: (code: ApiError["code"]) => act(async () => pipe.fail(new ApiError(code, false))),
    renew: () => {
      pipe = createPipe();
    },
    lastInput: () => answer.mock.lastCall?.[0] as AskInput,
  };
}

const part = () => document.querySelector<HTMLElement>("[data-part]:not(.invisible)");
const field = () => document.querySelector("textarea");
const questions = () => [...document.querySelectorAll("article h3")].map((one) => one.textContent);
const enter = (more: KeyboardEventInit = {}) =>
  act(async () => {
    const event = { key: "Enter", bubbles: true, cancelable: true, ...more };
    field()?.dispatchEvent(new KeyboardEvent("keydown", event));
  });
async function open() {
  // The key comes with the page's tools.
  await find("button", "Languages and text");
  await press("a");
  await settle(() => expect(part()?.textContent).not.toBe(""));
}
async function ask(question: string) {
  await type(field(), question);
  await enter();
}
const line = (text: string, position: number): AnswerEvent[] => [
  { kind: "begin", rows: [row(position)], quote: "" },
  { kind: "text", text },
  { kind: "end" },
];

it("asks the saved lecture in its language, and the next question follows up the answer", async () => {
  const { session, write, end, renew, lastInput } = await page();
  await settle(() => expect(document.activeElement).toBe(field()));
  await type(field(), " Why does heat flow? ");
  await enter({ isComposing: true });
  expect(answer).not.toHaveBeenCalled();
  await enter();
  expect(session.saveNow).toHaveBeenCalledOnce();
  expect(lastInput()).toMatchObject({
    question: "Why does heat flow?",
    kind: "asked",
    follows: null,
    answerIn: "zh-cn",
    scope: { lectureId: "l", folderId: null },
  });
  expect(field()?.value).toBe("");
  await write({ kind: "search", words: "heat" });
  await waitForText("Searching for “heat”…");
  await write(...line("It flows to what is colder.", 1));
  await waitForText("It flows to what is colder.");
  await end();
  await settle(() => expect(findButton("Stop the answer")).toBeUndefined());
  const first = lastInput().id;

  renew();
  await waitForText("Follow-up question");
  await ask("And then?");
  expect(lastInput().follows).toBe(first);
  await write({ kind: "not_said", nearest: [row(2)] });
  await end();
  await waitForText("Not said in this lecture.");
  await waitForText("Sentence 2.");

  renew();
  await click("New question");
  await ask("Something else?");
  expect(lastInput().follows).toBeNull();
  await end();
});

it("leads to a row, also twice and where it has moved, and plays it where its sound is kept", async () => {
  const play = vi.fn(async () => {});
  const seek = vi.fn();
  const state = new Signal({ isPlaying: false });
  const hasSoundAt = (ms: number) => ms === 5_000;
  const { write, end } = await page();
  await act(async () =>
    shownSound.set({ state, hasSoundAt, seek, play } as unknown as SoundPlayer),
  );
  await ask("Where?");
  await write(...line("There.", 1), ...line("And there.", 2));
  await end();
  const open = "Open 0:05: Sentence 1.";
  await click(open);
  const target = { place: { type: "row", row: 1, startMs: 5_000 }, hit: null };
  await settle(() => expect(searchTarget.get()).toEqual(target));
  const before = searchTarget.get();
  await click(open);
  await settle(() => {
    expect(searchTarget.get()).toEqual(target);
    expect(searchTarget.get()).not.toBe(before);
  });
  // The sound stands where the row that is there begins.
  expect(seek).toHaveBeenLastCalledWith(4_000);
  await click("Play from 0:05");
  expect(play).toHaveBeenCalledExactlyOnceWith(5_000);
  expect(findButton("Play from 0:10")).toBeUndefined();
  expect(part()).toBeNull();
});

it.each([
  ["llm_failed", "The language model does not answer."],
  ["model_budget_exhausted", "Today's allowance of the language model is used up."],
  ["site_budget_exhausted", "The language model of this site is used up for today."],
  ["not_found", "What you ask about no longer exists."],
  ["rate_limited", "Too many"],
  ["unavailable", "The answer could not be fetched."],
] as const)(
  "says %s at its question, keeps what is checked, and asks again",
  async (code, text) => {
    const { write, end, fail, renew, lastInput } = await page();
    await ask("Why?");
    await write(...line("A checked line.", 1));
    await write({ kind: "begin", rows: [row(2)], quote: "" }, { kind: "text", text: "Half" });
    await fail(code);
    await waitForText(text);
    expect(questions()).toEqual(["Why?"]);
    expect(part()?.textContent).toContain("A checked line.");
    expect(part()?.textContent).toContain("The answer broke off here.");
    expect(part()?.textContent).not.toContain("Half");
    const { id } = lastInput();
    renew();
    await click("Ask again");
    expect(lastInput().id).toBe(id);
    await write(...line("The whole answer.", 1));
    await end();
    await settle(() => expect(findButton("Ask again")).toBeUndefined());
    expect(questions()).toEqual(["Why?"]);
  },
);

it("says that it is offline before anything is sent, and keeps the question over its part's closing", async () => {
  await page();
  await act(async () => isVisitorConfirmed.set(false));
  await ask("Why?");
  await waitForText("You are offline. Your question stays here");
  expect(answer).not.toHaveBeenCalled();
  await press("Escape");
  await settle(() => expect(document.activeElement?.tagName).toBe("SECTION"));
  expect(part()).toBeNull();
  await act(async () => isVisitorConfirmed.set(true));
  await open();
  expect(field()?.value).toBe("Why?");
  await enter();
  expect(answer).toHaveBeenCalledOnce();
});

it("stops the answer by its button, and when the page is left, but not for a look at the text", async () => {
  const { write, renew } = await page();
  await ask("One?");
  await write(...line("A line.", 1));
  await click("Stop the answer");
  await waitForText("Stopped.");
  renew();
  await click("Ask again");
  const signal = answer.mock.lastCall?.[1];
  expect(signal?.aborted).toBe(false);
  await click("Transcript");
  expect(part()).toBeNull();
  expect(signal?.aborted).toBe(false);
  await hide();
  expect(signal?.aborted).toBe(true);
});

it("shows what was asked before, earlier questions on demand, and deletes one or all", async () => {
  const { server } = await page({ kept: [createKept("b")], earlier: [createKept("a")] });
  await waitForText("Answer to b.");
  await click("Earlier questions");
  await settle(() => expect(questions()).toEqual(["Question a?", "Question b?"]));
  // Only the last answer is open.
  expect(document.body.textContent).not.toContain("Answer to a.");
  await click("Question a?");
  await waitForText("Answer to a.");
  await click("Delete the question “Question b?”");
  await settle(() => expect(questions()).toEqual(["Question a?"]));
  expect(server.sent).toEqual([{ 0: { ids: ["b"] } }]);
  await click("Delete all questions");
  await waitForText("Delete all questions?");
  await click("Delete", "[role=alertdialog] button");
  await settle(() => expect(questions()).toEqual([]));
  expect(server.sent.at(-1)).toEqual({ 0: { ids: ["b", "a"] } });
});

it("keeps no answer that would be complete while all questions are deleted", async () => {
  const { promise: deletion, resolve: answerDeletion } = Promise.withResolvers<void>();
  const { server, write, end } = await page({ kept: [createKept("b")], deletion });
  await ask("Why?");
  await write(...line("A line.", 1));
  await click("Delete all questions");
  await click("Delete", "[role=alertdialog] button");
  await settle(() => expect(server.calls).toContain("ask.delete"));
  await end();
  await act(async () => answerDeletion());
  await settle(() => expect(questions()).toEqual([]));
});

it("deletes a question whose answer broke off on the server as well, which may have the whole of it", async () => {
  const { server, write, fail, lastInput } = await page({ refusal: new Refusal("internal") });
  await ask("Why?");
  await write(...line("A line.", 1));
  await fail("unavailable");
  await click("Delete the question “Why?”");
  await settle(() => expect(server.sent).toEqual([{ 0: { ids: [lastInput().id] } }]));
  await settle(() => expect(questions()).toEqual([]));
  expect(toasts).toEqual([]);
});

it("shows a question again that could not be deleted, and says so", async () => {
  await page({ kept: [createKept("b")], refusal: new Refusal("internal") });
  await click("Delete the question “Question b?”");
  await settle(() => expect(toasts).toEqual(["An unexpected error occurred"]));
  await settle(() => expect(questions()).toEqual(["Question b?"]));
});

it("offers questions to begin with, key points and open questions", async () => {
  const { write, end, renew, lastInput } = await page();
  await click("What is said about entropy?");
  expect(lastInput()).toMatchObject({ kind: "asked", question: "What is said about entropy?" });
  await write(...line("A line.", 1));
  await end();
  await settle(() => expect(findButton("Stop the answer")).toBeUndefined());
  renew();
  await click("Key points");
  expect(lastInput()).toMatchObject({ kind: "key_points", follows: null });
  await end();
  await find("button", "Make flashcards");
});

it("tells a guest what signing in gives, and asks nothing", async () => {
  await page({ signedIn: false });
  await waitForText("Sign in to ask a lecture");
  expect(field()).toBeNull();
  const link = await find("a", "Sign In");
  expect(link.getAttribute("href")).toContain("/auth");
});
