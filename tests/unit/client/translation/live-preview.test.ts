import { expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { AnswerTimes } from "#client/translation/answer-times.ts";
import { LivePreview } from "#client/translation/live-preview.ts";
import { untranslatableFragment } from "#shared/words.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { createTranslator } from "#tests/unit/client/recorder/kit/manual-translator.ts";

function createPreview() {
  const clock = new ManualClock();
  const { calls, translate, texts } = createTranslator();
  const shown: string[] = [];
  const times = new AnswerTimes();
  const rows = { areWaiting: false };
  const preview = new LivePreview({
    translate,
    clock,
    times,
    hasWaitingRows: () => rows.areWaiting,
    show: (text) => shown.push(text),
  });
  return { clock, calls, texts, shown, preview, times, rows };
}

test("from five characters on, at most every 3 s, with what the line reads by then", async () => {
  const { clock, calls, texts, shown, preview } = createPreview();
  preview.update(" four", "en", "fr");
  expect(calls).toHaveLength(0);
  preview.update(" fours", "en", "fr");
  expect(texts()).toEqual(["fours"]);
  expect(calls[0]?.context).toBe("");
  calls[0]?.answer("a");
  await clock.advance(1_000);
  preview.update(" fours and", "en", "fr");
  preview.update(" fours and more", "en", "fr");
  expect(calls).toHaveLength(1);
  await clock.advance(1_999);
  expect(calls).toHaveLength(1);
  await clock.advance(1);
  expect(texts()).toEqual(["fours", "fours and more"]);
  expect(shown).toEqual(["a"]);
});

test("the same text is not asked for twice, and none asks for nothing", async () => {
  const { clock, calls, preview } = createPreview();
  preview.update("some words", "en", "none");
  preview.update("some words", "en", "fr");
  calls[0]?.answer("a");
  await clock.advance(10_000);
  preview.update("some words", "en", "fr");
  await clock.advance(10_000);
  expect(calls).toHaveLength(1);
});

test("... on failure, on an untranslatable fragment and when nothing comes", async () => {
  const { clock, calls, shown, preview } = createPreview();
  preview.update("words one", "en", "fr");
  calls[0]?.fail(new ApiError("internal", true));
  await clock.advance(3_000);
  preview.update("words two", "en", "fr");
  calls[1]?.answer(untranslatableFragment);
  await clock.advance(3_000);
  preview.update("words three", "en", "fr");
  await clock.advance(20_000);
  expect(shown).toEqual(["...", "...", "..."]);
});

test("an answer for a line that became a row is dropped", async () => {
  const { clock, calls, shown, preview } = createPreview();
  preview.update("words one", "en", "fr");
  preview.clear();
  calls[0]?.answer("late");
  await clock.advance(10_000);
  expect(shown).toEqual([]);
  expect(calls[0]?.signal.aborted).toBe(true);
});

test("after a change of language, drops answers in the previous language and calls the new one", async () => {
  const { clock, calls, shown, preview } = createPreview();
  preview.update("Good morning", "en", "zh-cn");
  preview.update("Good morning", "en", "es");
  calls[0]?.answer("早上好");
  await clock.advance(3_000);
  expect(shown).toEqual([]);
  expect(calls.map(({ targetLanguage }) => targetLanguage)).toEqual(["zh-cn", "es"]);
  calls[1]?.answer("Buenos días");
  await clock.advance(0);
  expect(shown).toEqual(["Buenos días"]);
});

test("a clock that is set back holds it up for no longer than the interval", async () => {
  const { clock, calls, texts, preview } = createPreview();
  preview.update("Good morning", "en", "es");
  calls[0]?.answer("Buenos días");
  await clock.advance(10);
  const now = clock.now.bind(clock);
  clock.now = () => now() - 3_600_000;
  preview.update("Good morning, everybody", "en", "es");
  await clock.advance(3_000);
  expect(texts()).toEqual(["Good morning", "Good morning, everybody"]);
});

test("none while a row waits", async () => {
  const { texts, preview, rows } = createPreview();
  rows.areWaiting = true;
  preview.update("words one", "en", "fr");
  rows.areWaiting = false;
  preview.update("words one two", "en", "fr");
  expect(texts()).toEqual(["words one two"]);
});

test("none where answers take a second, until they are faster", async () => {
  const { clock, calls, texts, preview, times } = createPreview();
  preview.update("words one", "en", "fr");
  await clock.advance(1_000);
  calls[0]?.answer("a");
  await clock.advance(0);
  preview.update("words one two", "en", "fr");
  await clock.advance(60_000);
  expect(texts()).toEqual(["words one"]);
  for (const _ of [1, 2]) times.add(700, clock.now());
  preview.update("words one two three", "en", "fr");
  expect(texts()).toEqual(["words one", "words one two three"]);
});
