import { describe, expect, test } from "vitest";
import { getExcerpt, getListTitle, getPageTitle } from "#client/state/library/list-texts.ts";

describe("getListTitle", () => {
  const dated = { title: "Nov 20, 2026 9:02 AM", titleSource: "date" } as const;

  test("is a name, or the beginning of the text in place of a date", () => {
    const excerpt = "So far we have only asked whether energy is conserved. Entropy tells more.";
    for (const titleSource of ["proposed", "person"] as const)
      expect(getListTitle({ title: "Entropy", titleSource, excerpt })).toBe("Entropy");
    expect(getListTitle({ ...dated, excerpt })).toBe(
      "So far we have only asked whether energy is…",
    );
    expect(getListTitle({ ...dated, excerpt: "Light bends." })).toBe("Light bends.");
    expect(getListTitle({ ...dated, excerpt: "x".repeat(60) })).toBe(`${"x".repeat(50)}…`);
    expect(getListTitle({ ...dated, excerpt: "" })).toBe("");
  });
});

describe("getPageTitle", () => {
  const createdAt = new Date(2026, 10, 20, 9, 2).toISOString();
  const title = "Nov 20, 2026 9:02 AM";

  test("is a name, or a draft's date in the reader's language", () => {
    const dated = { title, titleSource: "date", createdAt } as const;
    expect(getPageTitle(dated, "en")).toBe(title);
    expect(getPageTitle(dated, "zh")).toBe("2026年11月20日 09:02");
    for (const titleSource of ["proposed", "person"] as const)
      expect(getPageTitle({ title, titleSource, createdAt }, "zh")).toBe(title);
  });
});

describe("getExcerpt", () => {
  const english = { sourceLanguage: "en", isTwoWay: false } as const;
  const texts = {
    ...english,
    excerpt: "Light bends. It does.",
    translatedExcerpt: "光会弯曲。 确实如此。",
  };

  test("is the translation for a reader of Chinese, and English for others", () => {
    const original = { text: texts.excerpt, lang: "en", dir: "ltr", translate: "no" };
    const chinese = { text: "光会弯曲。确实如此。", lang: "zh-Hans", dir: "ltr", translate: "no" };
    expect(getExcerpt({ ...texts, targetLanguage: "zh-cn" }, "zh")).toEqual(chinese);
    expect(getExcerpt({ ...texts, targetLanguage: "zh" }, "zh").lang).toBe("zh-Hant");
    expect(getExcerpt({ ...texts, targetLanguage: "zh-cn" }, "en")).toEqual(original);
    expect(getExcerpt({ ...texts, targetLanguage: "ja" }, "zh")).toEqual(original);
    const untranslated = { ...texts, translatedExcerpt: "", targetLanguage: "zh-cn" } as const;
    expect(getExcerpt(untranslated, "zh")).toEqual(original);
  });

  test("is what was said for all others, in its language and direction", () => {
    const arabic = { ...texts, sourceLanguage: "ar", targetLanguage: "en" } as const;
    expect(getExcerpt(arabic, "zh")).toMatchObject({ text: texts.excerpt, lang: "ar", dir: "rtl" });
    expect(getExcerpt(arabic, "en")).toMatchObject({ text: "光会弯曲。确实如此。", lang: "en" });
    const several = { ...texts, targetLanguage: "en", isTwoWay: true } as const;
    expect(getExcerpt(several, "en")).toEqual({
      text: texts.excerpt,
      lang: "",
      dir: "auto",
      translate: "no",
    });
    const unknown = { ...texts, targetLanguage: "fr", sourceLanguage: "detect" } as const;
    expect(getExcerpt(unknown, "en")).toMatchObject({ lang: "", dir: "auto", translate: "no" });
  });

  test("has at most 150 characters and an ellipsis where more follows", () => {
    const lecture = { ...english, translatedExcerpt: "", targetLanguage: "none" } as const;
    const excerpt = (length: number) =>
      getExcerpt({ ...lecture, excerpt: "𝄞".repeat(length) }, "en").text;
    expect(excerpt(150)).toBe("𝄞".repeat(150));
    expect(excerpt(151)).toBe(`${"𝄞".repeat(150)}…`);
  });
});
