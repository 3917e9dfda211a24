import { expect, it } from "vitest";
import { getCorrection } from "#client/reading/row-editor.tsx";
import { createRow } from "#tests/unit/client/kit/rows.ts";

const failed = { translation: "failed", translated: "[Translation Failed]" } as const;

it.each([
  ["nothing where only spaces differ", {}, " One  two.\n", "一二。", null],
  ["the English, on one line", {}, "One\ntoo.", "一二。", { original: "One too." }],
  ["the translation", {}, "One two.", "一，二。", { translated: "一，二。" }],
  ["nothing for empty texts", {}, "  ", "", null],
  [
    "a translation in place of a failed one",
    failed,
    "One two.",
    "一二。",
    { translated: "一二。" },
  ],
] as const)("a correction is %s", (_, change, original, translated, correction) => {
  expect(getCorrection(createRow(change), { original, translated })).toEqual(correction);
});
