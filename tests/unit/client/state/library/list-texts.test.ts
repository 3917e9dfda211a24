import { describe, expect, test } from "vitest";
import { getListTitle, getPreview } from "#client/state/library/list-texts.ts";

describe("getListTitle", () => {
  const dated = { title: "Nov 20, 2026 9:02 AM", titleSource: "date" } as const;

  test("is a name, or the beginning of the text in place of a date", () => {
    const preview = "So far we have only asked whether energy is conserved. Entropy tells more.";
    for (const titleSource of ["proposed", "person"] as const)
      expect(getListTitle({ title: "Entropy", titleSource, preview })).toBe("Entropy");
    expect(getListTitle({ ...dated, preview })).toBe(
      "So far we have only asked whether energy is…",
    );
    expect(getListTitle({ ...dated, preview: "Light bends." })).toBe("Light bends.");
    expect(getListTitle({ ...dated, preview: "x".repeat(60) })).toBe(`${"x".repeat(50)}…`);
    expect(getListTitle({ ...dated, preview: "" })).toBe("");
  });
});

describe("getPreview", () => {
  const texts = { preview: "Light bends. It does.", translatedPreview: "光会弯曲。 确实如此。" };

  test("is the translation for a reader of Chinese, and English for others", () => {
    const english = { text: texts.preview, lang: "en" };
    const chinese = { text: "光会弯曲。确实如此。", lang: "zh-Hans" };
    expect(getPreview({ ...texts, targetLanguage: "zh-cn" }, "zh")).toEqual(chinese);
    expect(getPreview({ ...texts, targetLanguage: "zh" }, "zh").lang).toBe("zh-Hant");
    expect(getPreview({ ...texts, targetLanguage: "zh-cn" }, "en")).toEqual(english);
    expect(getPreview({ ...texts, targetLanguage: "ja" }, "zh")).toEqual(english);
    const untranslated = { ...texts, translatedPreview: "", targetLanguage: "zh-cn" } as const;
    expect(getPreview(untranslated, "zh")).toEqual(english);
  });

  test("has at most 150 characters and an ellipsis where more follows", () => {
    const lecture = { translatedPreview: "", targetLanguage: "none" } as const;
    const preview = (length: number) =>
      getPreview({ ...lecture, preview: "𝄞".repeat(length) }, "en").text;
    expect(preview(150)).toBe("𝄞".repeat(150));
    expect(preview(151)).toBe(`${"𝄞".repeat(150)}…`);
  });
});
