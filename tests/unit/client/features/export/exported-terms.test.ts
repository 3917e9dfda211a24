import { describe, expect, it } from "vitest";
import { listExportedTerms } from "#client/features/export/exported-terms.ts";
import { toMarkdown, toText } from "#client/features/export/files/text.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { createExportedLecture, fileLabels, row } from "./sample-lectures.ts";

const createTerm = (term: string, change: Partial<GlossaryTerm> = {}): GlossaryTerm => ({
  id: term,
  folderId: null,
  language: "en",
  term,
  translations: {},
  note: "",
  origin: { kind: "person", name: "" },
  position: 0,
  isLeftOut: false,
  ...change,
});
const terms = [
  createTerm("membrane", { translations: { "zh-cn": "膜" } }),
  createTerm("mitosis", { translations: { "zh-cn": "有丝分裂" }, note: "Not\nmeiosis" }),
  createTerm("cell", { translations: { fr: "cellule" } }),
];
const pair = { sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false } as const;
const say = (original: string) => ({ original, spokenIn: "en" as const, translatedInto: null });

describe("listExportedTerms", () => {
  it("has the terms that are said and translated, once, in the order of the lecture", () => {
    const rows = [say("A cell and its mitosis."), say("Mitosis, and the membrane.")];
    const found = listExportedTerms(terms, pair, rows);
    expect(found.map(({ term, translation, note }) => [term, translation, note])).toEqual([
      ["mitosis", "有丝分裂", "Not meiosis"],
      ["membrane", "膜", ""],
    ]);
    expect(found[0]).toMatchObject({ termLanguage: { lang: "en" }, language: { lang: "zh-Hans" } });
  });

  it("reads each term a few times, however many are said", () => {
    let reads = 0;
    const count = 600;
    const many = Array.from({ length: count }, (_, n) => {
      const term = createTerm(`word${n}x`, { translations: { "zh-cn": `词${n}` } });
      return Object.defineProperty(term, "term", {
        get: () => {
          reads += 1;
          return `word${n}x`;
        },
      });
    });
    const rows = many.map((_, n) => say(`The word${n}x.`));
    expect(listExportedTerms(many, pair, rows)).toHaveLength(count);
    expect(reads).toBeLessThan(10 * count);
  });

  it("has none of a lecture that is not translated", () => {
    const rows = [say("Mitosis.")];
    expect(listExportedTerms(terms, { ...pair, targetLanguage: "none" }, rows)).toEqual([]);
  });
});

describe("files", () => {
  const lecture = createExportedLecture([row()], {
    terms: [
      {
        term: "mi*t",
        termLanguage: { lang: "en", dir: "ltr" },
        note: "[n]",
        translation: "有_丝",
        language: { lang: "zh-Hans", dir: "ltr" },
      },
    ],
  });

  it("list the terms at the end, escaped in Markdown", () => {
    expect(toMarkdown(lecture, "both", fileLabels)).toMatch(
      /\n\n## Terms\n\n- \*\*mi\\\*t\*\* – 有\\_丝 \(\\\[n\\\]\)\n$/,
    );
    expect(toText(lecture, "both", fileLabels)).toMatch(/\n\nTerms\nmi\*t – 有_丝 \(\[n\]\)\n$/);
  });

  it("say nothing of terms where there are none", () => {
    const plain = createExportedLecture([row()]);
    for (const format of [toMarkdown, toText])
      expect(format(plain, "both", fileLabels)).not.toContain("Terms");
  });
});
