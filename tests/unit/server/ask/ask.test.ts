import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/unit/server/support/test-database.ts";
import { addRows, createQuestion, ofLecture, openUser } from "./ask-support.ts";

const database = createTestDatabase();
const optics = [
  "Today we speak of light.",
  "In glass light is slower, about two thirds of its speed.",
  "Water bends it less.",
];

test("answers from a whole lecture, and keeps the question", async () => {
  const { userId, ask, caller, prompts } = await openUser(database());
  const lectureId = await addRows(database(), userId, optics);
  const question = createQuestion(ofLecture(lectureId), {
    question: "Light in glass: which speed?",
  });
  const { statements, failure } = await ask(question);
  expect(failure).toBeNull();
  expect(statements).toEqual([
    { text: `〔English·demo〕 ${optics[1]}`, quote: optics[1], rows: [optics[1]] },
  ]);
  expect(prompts[0]?.user).toContain(
    "<text>\nLecture: Optics\nr1 [0:00]: Today we speak of light.\nr2 [0:05]: In glass",
  );
  const { items, nextCursor } = await caller.ask.list({ scope: question.scope });
  expect(nextCursor).toBeNull();
  expect(items).toMatchObject([
    { id: question.id, question: question.question, kind: "asked", follows: null },
  ]);
  expect(items[0]?.statements[0]?.rows).toEqual([
    {
      ...{ lectureId, title: "", position: 1, startMs: 5_000, original: optics[1] },
      ...{ spokenIn: "en", translated: "", translatedInto: null },
    },
  ]);
  await caller.ask.delete({ ids: [question.id] });
  expect((await caller.ask.list({ scope: question.scope })).items).toEqual([]);
});

test("refuses what was not said, with the nearest rows", async () => {
  const { userId, ask, caller } = await openUser(database());
  const lectureId = await addRows(database(), userId, optics);
  const question = createQuestion(ofLecture(lectureId), { question: "water" });
  const { nearest } = await ask({ ...question, question: "Who has measured water temperatures?" });
  expect(nearest).not.toBeNull();
  const { items } = await caller.ask.list({ scope: question.scope });
  expect(items).toMatchObject([{ statements: [], nearest: [] }]);
});
