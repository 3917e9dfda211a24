import { extractText, getDocumentProxy, getMeta } from "unpdf";
import { beforeAll, describe, expect, it } from "vitest";
import { toPdf } from "../../../../../src/client/features/lectures/transfer/pdf/make-pdf.ts";
import { translationLanguages } from "../../../../../src/shared/languages.ts";
import { fontsOnDisk, lectureOf, row, rowIn, sentences, words } from "./kit.ts";

/** What another reader finds: PDF.js. Where a line ends, the text goes on. */
async function read(bytes: Uint8Array) {
  const document = await getDocumentProxy(bytes.slice());
  const { text, totalPages } = await extractText(document, { mergePages: true });
  return { text, totalPages, meta: await getMeta(document) };
}

const squeezed = (text: string) => text.replace(/\s+/g, "");

describe("a PDF", () => {
  describe("in each language", () => {
    const rows = translationLanguages.map((language, index) => rowIn(language, index));
    let text = "";
    beforeAll(async () => {
      const bytes = await toPdf(
        lectureOf(rows, { summary: "# Points\n\n- **First** point\n- 第二点" }),
        "both",
        words,
        fontsOnDisk(),
      );
      text = (await read(bytes)).text;
    });

    for (const language of translationLanguages) {
      it(`is read as it was said: ${language}`, () => {
        expect(squeezed(text)).toContain(squeezed(sentences[language]));
      });
    }

    it("keeps words apart in scripts that have spaces", () => {
      const line = (sample: string) => sample.split(/\s+/).slice(0, 3).join(" ");
      for (const language of ["ar", "hi", "ko", "ru", "de"] as const) {
        expect(text.replace(/\s+/g, " ")).toContain(line(sentences[language]));
      }
    });

    it("has title, date, summary, times and speakers", () => {
      expect(text).toContain("Machine Learning");
      expect(text).toContain(words.date);
      expect(text).toMatch(/Summary\s+Points\s+• First point\s+• 第二点\s+Transcript/);
      expect(text).toMatch(/Ann\s+0:00\s+This is the office sentence number 0\./);
      expect(text).toMatch(/S2\s+1:01\s+This is the office sentence number 1\./);
      expect(text).not.toContain("**");
    });
  });

  it("says its title and language", async () => {
    const bytes = await toPdf(
      lectureOf([row()], { title: "机器学习" }),
      "both",
      words,
      fontsOnDisk(),
    );
    const { meta, totalPages } = await read(bytes);
    expect(meta.info.Title).toBe("机器学习");
    expect(meta.info.Language).toBe("en");
    expect(totalPages).toBe(1);
  });

  it("reads what a font has no letter for", async () => {
    const odd = "Thai ไทย, an unassigned \u{e0fff}, math ∑ x² → √2, and 👩‍🎓🇨🇳 too";
    const bytes = await toPdf(lectureOf([row({ english: odd })]), "english", words, fontsOnDisk());
    const { text } = await read(bytes);
    for (const part of ["ไทย", "∑ x² → √2", "👩", "🎓", "too"]) expect(text).toContain(part);
  });

  it("breaks what is wider than a line, and loses none of it", async () => {
    const long = "pneumono".repeat(60);
    const bytes = await toPdf(lectureOf([row({ english: long })]), "english", words, fontsOnDisk());
    expect(squeezed((await read(bytes)).text)).toContain(long);
  });

  it("fetches the fonts of the scripts in use alone", async () => {
    const fonts = fontsOnDisk();
    await toPdf(lectureOf([row()]), "english", words, fonts);
    expect(fonts.loaded).toEqual(["noto-sans-latin-400-normal.woff"]);
    const chinese = fontsOnDisk();
    await toPdf(lectureOf([rowIn("zh-cn", 1)]), "both", words, chinese);
    expect(chinese.loaded.some((file) => file.startsWith("noto-sans-sc"))).toBe(true);
    expect(chinese.loaded.filter((file) => !/^noto-sans-(sc|latin)/.test(file))).toEqual([]);
  });

  it("of 2,000 rows has every one of them, on pages that are full", async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => rowIn("zh-cn", index));
    const bytes = await toPdf(lectureOf(rows), "both", words, fontsOnDisk());
    const { text, totalPages } = await read(bytes);
    for (const index of [0, 999, 1_999]) expect(text).toContain(`sentence number ${index}.`);
    expect(text.match(/office sentence/g)).toHaveLength(2_000);
    expect(totalPages).toBeLessThan(250);
    // Fonts hold the letters that are used, not all they have.
    expect(bytes.byteLength).toBeLessThan(1_500_000);
  });
});
