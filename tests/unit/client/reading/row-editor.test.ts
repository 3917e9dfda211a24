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
  [
    "nothing where a text has spaces that one line does not keep",
    { original: "Entropy\u3000rises.", translated: "L’entropie\u00a0: elle\nmonte." },
    "Entropy\u3000rises.",
    "L’entropie\u00a0: elle\nmonte.",
    null,
  ],
  [
    "the original alone where only that was changed",
    { translated: "L’entropie\u00a0: elle monte." },
    "One too.",
    "L’entropie\u00a0: elle monte.",
    { original: "One too." },
  ],
] as const)("a correction is %s", (_, change, original, translated, correction) => {
  expect(getCorrection(createRow(change), { original, translated })).toEqual(correction);
});
