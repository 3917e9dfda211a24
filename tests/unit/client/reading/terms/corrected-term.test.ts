import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommonWords } from "#client/lib/frequency/common-words.ts";
import { findCorrectedTerm } from "#client/reading/terms/corrected-term.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const correctOriginal = (before: string, after: string, language: SpokenLanguage = "en") =>
  findCorrectedTerm(
    { original: before, translated: "x" },
    { original: after, translated: "x" },
    language,
    readCommonWords(language),
  );

describe("findCorrectedTerm", () => {
  it.each<[SpokenLanguage, string, string, string]>([
    ["en", "In my toes is, cells divide.", "In mitosis, cells divide.", "mitosis"],
    ["en", "The egg and value is two.", "The eigenvalue is two.", "eigenvalue"],
    ["en", "We add sea plus plus.", "We add C++.", "C++"],
    ["en", "The p value is small", "The null hypothesis value is small", "null hypothesis"],
    ["fr", "Voici l'élection libre.", "Voici l'électron libre.", "électron"],
    ["zh", "细胞通过坚固分裂。", "细胞通过减数分裂。", "减数"],
    ["ja", "これはメタノル です。", "これはメタノール です。", "メタノール"],
  ])("%s: %s → %s", (language, before, after, term) => {
    const found = correctOriginal(before, after, language);
    expect(found?.translation).toBeNull();
    expect(found?.term).toContain(term);
  });

  it.each<[string, string]>([
    ["In mitosis, cells divide.", "In Mitosis cells divide!"],
    ["It was there again.", "It was their again."],
    ["The exam is on Friday.", "The exam is on Monday."],
    ["We can do it.", "We can't do it."],
    ["It is in it.", "It is on it."],
    ["Cells divide.", "Cells in mitosis divide."],
    ["Cells in mitosis divide.", "Cells divide."],
    ["One two three.", "Alpha two gamma delta epsilon zeta eta."],
    ["", ""],
  ])("%s → %s is none", (before, after) => {
    expect(correctOriginal(before, after)).toBeNull();
  });

  it("gives the translation that was corrected with the term, or alone", () => {
    const before = { original: "The my toes is ends.", translated: "我的脚趾结束了。" };
    const after = { original: "The mitosis ends.", translated: "有丝分裂结束了。" };
    expect(findCorrectedTerm(before, after, "en", readCommonWords("en"))).toEqual({
      term: "mitosis",
      translation: "有丝分裂",
    });
    expect(
      findCorrectedTerm(
        { original: "The cell.", translated: "Das Gefängnis teilt sich." },
        { original: "The cell.", translated: "Das Zellchen teilt sich." },
        "en",
        readCommonWords("en"),
      ),
    ).toEqual({ term: "", translation: "Zellchen" });
  });

  it("gives a run of the corrected text, of a few words", () => {
    const text = fc
      .array(fc.constantFrom("alpha", "beta", "gamma", "delta", "细胞", "核"), { maxLength: 9 })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const found = correctOriginal(before, after);
        if (found === null) return;
        expect(after).toContain(found.term);
        expect(found.term.split(" ").length).toBeLessThanOrEqual(12);
      }),
      { numRuns: countRuns(400) },
    );
  });
});

// With a pattern that tries each dot anew this takes minutes.
it("takes a row of dots in one go", () => {
  const dots = ".".repeat(400_000);
  expect(correctOriginal("The cell is x here.", `The cell is mitosis${dots}two here.`)).toBeNull();
});
