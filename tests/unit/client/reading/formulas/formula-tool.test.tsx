// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { Transcript } from "#client/lecture/rows/transcript.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { formulaMessages } from "#client/reading/formulas/messages/index.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { RowFormula } from "#shared/row-formulas.ts";
import {
  click,
  collectToasts,
  findButton,
  getToastText,
  settle,
  show,
} from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

const toasts = collectToasts();
const original = "So x squared plus one over n.";
const formula = { words: "x squared plus one over n", tex: "x^2 + \\frac{1}{n}" };
const info = { "site.info": () => ({ standIns: { llm: false }, isDemoDefault: false }) };
let transcript: Transcript;

beforeAll(() =>
  Promise.all([showLanguage("en"), readingDialogMessages.load(), formulaMessages.load()]),
);
beforeEach(async () => {
  queryClient.clear();
  const recording = recordingWith(4);
  ({ transcript } = recording);
  const id = transcript.row(2)?.id ?? "";
  transcript.change(id, { original });
  const setFormulas = (row: string, formulas: RowFormula[]) => transcript.change(row, { formulas });
  await show(<Surface lecture={{ ...recording.session, setFormulas }} />);
  await waitForRows();
});

const touch = (position: number) =>
  act(async () => {
    findRow(position)?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  });
const findTool = () => findButton("Show as formula");
const answer = (formulas: readonly RowFormula[], refused = 0) =>
  fakeServer({ ...info, "ai.formulas": () => ({ formulas, refused }) });

it("shows a formula below the sentence that says it, with its words, until it is hidden", async () => {
  const { sent } = answer([formula]);
  await touch(1);
  await settle(() => expect(document.querySelector("[role=toolbar]")).not.toBeNull());
  expect(findTool()).toBeUndefined();
  await touch(2);
  await settle(() => expect(findTool()).toBeDefined());
  await click("Show as formula");
  await settle(() => expect(findRow(2)?.querySelector("math")).not.toBeNull());
  expect(sent).toContainEqual({
    0: { sentence: original, before: "Sentence 1.", language: "en", wordContext: "" },
  });
  expect(document.querySelector("[role=toolbar]")).toBeNull();
  const line = findRow(2)?.querySelector("li");
  // What a screen reader hears.
  line?.querySelector("[aria-hidden=true]")?.remove();
  expect(line?.textContent).toBe(formula.words);

  await touch(2);
  await click("Hide formula");
  expect(findRow(2)?.querySelector("li")).toBeNull();
  await act(async () => toasts.at(-1)?.action?.run());
  expect(transcript.row(2)?.formulas).toEqual([formula]);
});

it.each([
  ["nothing is a formula", [], 0, "No formula was found in this sentence."],
  [
    "the model says something else",
    [],
    2,
    "The model’s formula is not what was said, so it is not shown.",
  ],
  [
    "it cannot be typeset",
    [{ ...formula, tex: "x^2^2" }],
    0,
    "The model’s formula is not what was said, so it is not shown.",
  ],
] as const)("says why there is none, where %s", async (_, formulas, refused, text) => {
  answer(formulas, refused);
  await touch(2);
  await click("Show as formula");
  await settle(() => expect(toasts.map(getToastText)).toEqual([text]));
  expect(transcript.row(2)?.formulas).toBeUndefined();
  expect(findTool()).toBeDefined();
});

it("says why the model was not asked, and can be pressed again", async () => {
  fakeServer({ ...info, "ai.formulas": () => new Refusal("model_budget_exhausted") });
  await touch(2);
  await click("Show as formula");
  await settle(() => expect(toasts[0]?.title).toBe("The formula could not be written"));
  await settle(() => expect(findTool()).toBeDefined());
});
