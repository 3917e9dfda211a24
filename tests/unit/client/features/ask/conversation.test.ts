import { beforeEach, expect, it, vi } from "vitest";
import {
  Conversation,
  LectureNotSavedError,
  listEntries,
} from "#client/features/ask/conversation.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { createInput, createKept, createPipe, row } from "#tests/unit/client/kit/ask.ts";

const { state } = vi.hoisted(() => ({
  state: { streamAnswer: vi.fn(), addQuestion: vi.fn(async () => {}) },
}));
vi.mock("#client/state/ask.ts", () => state);
beforeEach(() => void state.addQuestion.mockClear());

const scope = { lectureId: "l", folderId: null };
const saved = async () => true;

/** A conversation whose answers are what the test writes. */
function begin() {
  const conversation = new Conversation(scope);
  const pipe = createPipe();
  state.streamAnswer.mockImplementation((_input: unknown, signal: AbortSignal) =>
    pipe.read(signal),
  );
  const last = () => conversation.asked.get().at(-1);
  return { conversation, pipe, last };
}

it("takes over an answer as it is streamed, and hands it to the list when it is complete", async () => {
  const { conversation, pipe, last } = begin();
  const asking = conversation.ask(createInput("q1"), saved);
  expect(last()?.state).toBe("saving");
  await pipe.write({ kind: "search", words: "heat flow" });
  expect(last()).toMatchObject({ state: "answering", search: "heat flow" });
  await pipe.write(
    { kind: "begin", rows: [row(3)], quote: "" },
    { kind: "text", text: "Heat " },
    { kind: "text", text: "flows." },
  );
  expect(last()?.statements).toMatchObject([{ text: "Heat flows.", isChecked: false }]);
  expect(last()?.search).toBeNull();
  await pipe.write({ kind: "end" }, { kind: "begin", rows: [row(4)], quote: "" });
  await pipe.write({ kind: "text", text: "Wrong" }, { kind: "drop" });
  pipe.end();
  await asking;
  expect(last()).toMatchObject({ state: "done", failure: null });
  expect(state.addQuestion).toHaveBeenCalledExactlyOnceWith({
    id: "q1",
    scope,
    kind: "asked",
    question: "Why?",
    follows: null,
    answeredIn: "en",
    statements: [{ text: "Heat flows.", rows: [row(3)], quote: "" }],
    nearest: [],
    createdAt: expect.any(String),
  });
});

it("keeps the checked statements and the question when the answer breaks off, and asks again by its id", async () => {
  const { conversation, pipe, last } = begin();
  const asking = conversation.ask(createInput("q1"), saved);
  await pipe.write(
    { kind: "begin", rows: [row(3)], quote: "" },
    { kind: "text", text: "Checked." },
    { kind: "end" },
    { kind: "begin", rows: [row(4)], quote: "" },
    { kind: "text", text: "Half of" },
  );
  pipe.fail(new ApiError("llm_failed", true));
  await asking;
  expect(last()).toMatchObject({ state: "failed", failure: { code: "llm_failed" } });
  expect(last()?.statements.map(({ text }) => text)).toEqual(["Checked."]);
  expect(state.addQuestion).not.toHaveBeenCalled();

  const again = begin();
  const retry = conversation.ask(createInput("q1"), saved);
  expect(conversation.asked.get()).toHaveLength(1);
  expect(last()).toMatchObject({ state: "saving", failure: null, statements: [] });
  again.pipe.end();
  await retry;
  expect(last()?.state).toBe("done");
});

it("ends the answer when it is stopped, and ignores what still comes", async () => {
  const { conversation, pipe, last } = begin();
  const asking = conversation.ask(createInput("q1"), saved);
  await pipe.write({ kind: "begin", rows: [row(1)], quote: "" }, { kind: "text", text: "One" });
  await pipe.write({ kind: "end" });
  conversation.stop();
  expect(pipe.signal?.aborted).toBe(true);
  expect(last()).toMatchObject({ state: "stopped", failure: null });
  expect(conversation.isAnswering).toBe(false);
  pipe.end();
  await asking;
  expect(last()).toMatchObject({ state: "stopped", statements: [{ text: "One" }] });
  expect(state.addQuestion).not.toHaveBeenCalled();
});

it("asks nothing of a lecture that could not be saved, and one question at a time", async () => {
  const { conversation, last } = begin();
  state.streamAnswer.mockClear();
  const first = conversation.ask(createInput("q1"), async () => false);
  await conversation.ask(createInput("q2"), saved);
  await first;
  expect(state.streamAnswer).not.toHaveBeenCalled();
  expect(conversation.asked.get().map(({ id }) => id)).toEqual(["q1"]);
  expect(last()?.state).toBe("failed");
  expect(last()?.failure?.cause).toBeInstanceOf(LectureNotSavedError);
});

it("shows kept questions oldest first and those of this tab behind them, each once", () => {
  const asked = [
    { ...createKept("q2"), statements: [], search: null, state: "failed" as const, failure: null },
    { ...createKept("q3"), statements: [], search: null, state: "done" as const, failure: null },
  ];
  const list = (...kept: string[]) => listEntries(kept.map(createKept), asked).map(({ id }) => id);
  expect(list("q3", "q1", "q0")).toEqual(["q0", "q1", "q2", "q3"]);
  // Another tab has deleted it.
  expect(list("q1", "q0")).toEqual(["q0", "q1", "q2"]);
  expect(listEntries(null, asked).map(({ id }) => id)).toEqual(["q2", "q3"]);
});
