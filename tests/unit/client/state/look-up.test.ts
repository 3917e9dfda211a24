// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { lookUp } from "#client/state/look-up.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const input = {
  words: "entropy",
  sentence: "Entropy grows.",
  language: "en",
  translateInto: "fr",
  explainIn: "en",
  wordContext: "",
} as const;

test("waits for the site's model as long as the site does, which counts from when the model begins", async () => {
  // Any limit of the page's own has passed.
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  const meaning = { meaning: "A measure of disorder.", translation: "entropie" };
  fakeServer({
    "site.info": () => ({ standIns: { speech: false, llm: false, mail: false, payments: false } }),
    "ai.lookUp": () => meaning,
  });
  expect(await lookUp(input, new AbortController().signal)).toEqual(meaning);
  vi.restoreAllMocks();
});
