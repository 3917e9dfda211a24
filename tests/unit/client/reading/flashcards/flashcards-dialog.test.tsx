// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { ApiError } from "#client/lib/call-server.ts";
import FlashcardsDialog from "#client/reading/flashcards/flashcards-dialog.tsx";
import { flashcardMessages } from "#client/reading/flashcards/messages/index.ts";
import { download } from "#client/state/download.ts";
import { queryClient } from "#client/state/queries.tsx";
import { writeFlashcards } from "#client/state/stream-answer.ts";
import type { QuizCards, QuizQuestion } from "#shared/quiz.ts";
import { click, findButton, settle, show, type } from "#tests/unit/client/kit/page.tsx";
import { createQuizQuestion } from "#tests/unit/client/kit/quiz.ts";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";
import { readAnki } from "./read-anki.ts";

vi.mock("#client/state/stream-answer.ts", () => ({ writeFlashcards: vi.fn() }));
vi.mock("#client/state/download.ts", () => ({ download: vi.fn() }));
const writer = vi.mocked(writeFlashcards);
const downloads = vi.mocked(download);

beforeAll(() => Promise.all([showLanguage("en"), flashcardMessages.load()]));
beforeEach(() => {
  queryClient.clear();
  writer.mockReset();
  downloads.mockReset().mockResolvedValue(true);
  signIn();
});

const onClose = vi.fn();

/** A lecture with two marked sentences and a term in its third one. */
async function openDialog({
  hasModel = true,
  hasSources = true,
  quiz = [] as QuizQuestion[],
} = {}) {
  fakeServer({
    "site.info": () => ({
      standIns: { speech: false, llm: !hasModel, mail: false, payments: false },
      isDemoDefault: false,
    }),
    "quiz.addCards": ({ cards }: QuizCards) => {
      quiz.push(...cards.map((card) => createQuizQuestion({ ...card, kind: "card" })));
      return cards.length;
    },
    "quiz.list": () => ({ items: quiz, nextCursor: null, total: quiz.length, due: 0 }),
  });
  const { session } = recordingWith(4);
  const lecture = createLectureInfo({ title: "Heat", titleSource: "person" });
  session.view.set({ ...session.view.get(), status: "paused", lecture });
  if (hasSources) {
    const mark = (atMs: number, note: string) => ({
      id: crypto.randomUUID(),
      atMs,
      position: null,
      note,
    });
    session.marks.set([mark(100, "Exam"), mark(4_100, "")]);
    session.terms.set([
      {
        id: "t",
        folderId: null,
        language: "en",
        term: "sentence 2",
        note: "",
        position: 0,
        translations: { "zh-cn": "第二句" },
        isLeftOut: false,
        origin: { kind: "person", name: "" },
      },
    ]);
  }
  onClose.mockReset();
  await show(<FlashcardsDialog lecture={session} onClose={onClose} />);
}

const listFields = () =>
  [...document.querySelectorAll<HTMLTextAreaElement>("li textarea")].map(({ value }) => value);
const status = () => document.querySelector("[role=status]")?.textContent;
const readFile = async () => {
  const [[file, name] = []] = downloads.mock.calls;
  return { name, notes: readAnki((await file?.text()) ?? "").notes };
};

describe("Flashcards", () => {
  it("has cards of terms at once, adds the model's questions, and exports what was not left out", async () => {
    writer.mockImplementation(async function* ({ items }) {
      for (const { id } of items.slice(0, 2))
        yield { id, question: `Question ${id}?`, answer: "Answer." };
    });
    await openDialog();
    await settle(() => expect(listFields()).toEqual(["sentence 2", "第二句"]));
    await click("Write questions");
    await settle(() =>
      expect(listFields()).toEqual([
        "Question m0?",
        "Answer.",
        "Question m1?",
        "Answer.",
        "sentence 2",
        "第二句",
      ]),
    );
    expect(writer.mock.calls[0]?.[0]).toMatchObject({
      language: "zh-cn",
      items: [{ id: "m0", note: "Exam", sentence: "Sentence 0." }, { id: "m1" }, { id: "t2" }],
    });
    expect(status()).toContain("2 questions were written.");
    expect(status()).toContain("1 has none");

    await type(document.querySelector("li textarea"), "Why?");
    const [, second] = document.querySelectorAll<HTMLElement>("li input[type=checkbox]");
    await act(async () => second?.click());
    await click("Both", "label");
    await click("Export for Anki");
    const { name, notes } = await readFile();
    expect(name).toBe("Heat (Anki).txt");
    expect(notes.map(([, ...fields]) => fields)).toEqual([
      ["Why?", "Answer.<br><br>[0:00] Sentence 0.", "Heat"],
      ["sentence 2", "第二句<br><br>[0:08] Sentence 2.", "Heat"],
      ["第二句", "sentence 2<br><br>[0:08] Sentence 2.", "Heat"],
    ]);
    expect(new Set(notes.map(([id]) => id)).size).toBe(3);
    await click("Close");
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("keeps what was written before a failure, goes on with the rest, and asks before all is lost", async () => {
    let calls = 0;
    writer.mockImplementation(async function* ({ items }) {
      calls += 1;
      const [first] = items;
      if (first) yield { id: first.id, question: `Question ${first.id}?`, answer: "Answer." };
      if (calls === 1) throw new ApiError("model_budget_exhausted", false);
    });
    await openDialog();
    await click("Write questions");
    await settle(() => expect(status()).toContain("2 questions are not written."));
    expect(listFields()).toContain("Question m0?");
    await click("Try again");
    await settle(() => expect(listFields()).toContain("Question m1?"));
    expect(writer.mock.calls[1]?.[0].items.map(({ id }) => id)).toEqual(["m1", "t2"]);

    await click("Close");
    expect(onClose).not.toHaveBeenCalled();
    await click("Discard");
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("says why marked sentences have no cards where no model can be used", async () => {
    await openDialog({ hasModel: false });
    await settle(() => expect(status()).toContain("No language model can be used here"));
    expect(listFields()).toEqual(["sentence 2", "第二句"]);
    expect(findButton("Write questions")).toBeUndefined();
    await type(document.querySelector("li textarea"), " ");
    expect(findButton("Export CSV")?.hasAttribute("disabled")).toBe(true);
    expect(document.body.textContent).toContain("A card needs both sides.");
  });

  it("exports the stored questions of the quiz, with their sentences", async () => {
    const choices = ["Heat", "Light"];
    const choice = { id: "2", kind: "choice", prompt: "What is slower?", choices } as const;
    const quiz = [createQuizQuestion(), createQuizQuestion(choice)];
    await openDialog({ hasSources: false, quiz });
    await settle(() =>
      expect(document.body.textContent).toContain("2 questions and cards that are kept"),
    );
    await click("Export for Anki");
    const { notes } = await readFile();
    const back = "Light<br><br>[1:05] Light is slower in glass.";
    expect(notes.map(([, ...fields]) => fields)).toEqual([
      ["____ is slower in glass.", back, "Heat"],
      ["What is slower?<br>– Heat<br>– Light", back, "Heat"],
    ]);
  });

  it("keeps cards to be asked, and then exports each once", async () => {
    const kept: QuizQuestion[] = [];
    await openDialog({ quiz: kept });
    await settle(() => expect(listFields()).toEqual(["sentence 2", "第二句"]));
    await click("Learn here");
    await settle(() =>
      expect(document.body.textContent).toContain("1 question or card that is kept"),
    );
    expect(kept).toMatchObject([{ kind: "card", prompt: "sentence 2", answer: "第二句" }]);
    await click("Export for Anki");
    expect((await readFile()).notes).toHaveLength(1);
  });

  it("says what to do where there is nothing to make cards from", async () => {
    await openDialog({ hasSources: false });
    expect(document.body.textContent).toContain("There is nothing to make cards from yet.");
  });
});
