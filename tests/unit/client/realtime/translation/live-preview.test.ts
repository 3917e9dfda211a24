import { expect, test } from "vitest";
import { LivePreview } from "#client/realtime/translation/live-preview.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

function setUp() {
  const clock = new ManualClock();
  const requests: { text: string; language: string; answer: (text: string) => void }[] = [];
  const shown: string[] = [];
  const preview = new LivePreview({
    translate: ({ text, targetLanguage: language }) =>
      new Promise((answer) => requests.push({ text, language, answer })),
    clock,
    show: (text) => shown.push(text),
  });
  return { clock, requests, shown, preview };
}

test("after a change of language, drops answers in the previous language and requests the new one", async () => {
  const { clock, requests, shown, preview } = setUp();
  preview.update("Good morning", "zh-cn");
  preview.update("Good morning", "es");
  requests[0]?.answer("早上好");
  await clock.advance(3_000);
  expect(shown).toEqual([]);
  expect(requests.map(({ language }) => language)).toEqual(["zh-cn", "es"]);
  requests[1]?.answer("Buenos días");
  await clock.advance(0);
  expect(shown).toEqual(["Buenos días"]);
});

test("a clock that is set back holds it up for no longer than the interval", async () => {
  const { clock, requests, preview } = setUp();
  preview.update("Good morning", "es");
  requests[0]?.answer("Buenos días");
  await clock.advance(10);
  const now = clock.now.bind(clock);
  clock.now = () => now() - 3_600_000;
  preview.update("Good morning, everybody", "es");
  await clock.advance(3_000);
  expect(requests.map(({ text }) => text)).toEqual(["Good morning", "Good morning, everybody"]);
});
