import mammoth from "mammoth";
import { describe, expect, it } from "vitest";
import { toDocx } from "#client/features/export/files/docx.ts";
import { translationLanguages } from "#shared/languages.ts";
import {
  createLectureDocument,
  fileLabels,
  row,
  rowIn,
  sentences,
} from "#tests/unit/client/features/export/sample-lectures.ts";
import { unzip } from "#tests/unit/client/features/export/unzip.ts";

const textIn = async (bytes: Uint8Array) => {
  const { value, messages } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  expect(messages).toEqual([]);
  return value;
};

/** The paragraph of the document's XML that has `text` in it. */
async function paragraphWith(bytes: Uint8Array, text: string): Promise<string> {
  const xml = (await unzip(bytes)).get("word/document.xml")?.toString() ?? "";
  const found = xml.match(/<w:p>.*?<\/w:p>/gs)?.find((paragraph) => paragraph.includes(text));
  if (found === undefined) throw new Error(`No paragraph with ${text}`);
  return found;
}

describe("toDocx", () => {
  const rows = translationLanguages.map((language, index) => rowIn(language, index));

  it("is readable by another program in every language", async () => {
    const bytes = await toDocx(
      createLectureDocument(rows, { summary: "# Points\n\n- **First** point\n1. second" }),
      "both",
      fileLabels,
    );
    const text = await textIn(bytes);
    for (const language of translationLanguages) expect(text).toContain(sentences[language]);
    expect(text).toMatch(/^Machine Learning\s+Nov 20, 2026, 3:05 PM\s+Summary\s+Points/);
    expect(text).toContain("•\tFirst point");
    expect(text).toContain("1.\tsecond");
    expect(text).toContain("0:00\tAnn: This is the office sentence number 0.");
    expect(text).toContain("1:01\tS2: This is the office sentence number 1.");
  });

  it("shows marks and notes with their sentences", async () => {
    const marked = row({ english: "One.", endMs: 900, marks: ["", "مرحبًا"] });
    const bytes = await toDocx(createLectureDocument([marked, row()]), "english", fileLabels);
    expect(await textIn(bytes)).toMatch(/0:00\t⚑ One\.\s+Note: مرحبًا\s+Hello everybody\./);
    expect(await paragraphWith(bytes, "مرحبًا")).toContain("<w:bidi/>");
  });

  it("shows times without sound between the rows", async () => {
    const lecture = createLectureDocument([row({ english: "One.", gaps: ["5 s lost"] }), row()], {
      gaps: ["9 s lost"],
    });
    const text = await textIn(await toDocx(lecture, "english", fileLabels));
    expect(text).toMatch(/\[9 s lost\]\s+One\.\s+\[5 s lost\]\s+Hello everybody\./);
  });

  it("contains only the chosen language", async () => {
    const english = await textIn(await toDocx(createLectureDocument(rows), "english", fileLabels));
    expect(english).not.toContain(sentences.ru);
    const translation = await textIn(
      await toDocx(createLectureDocument(rows), "translation", fileLabels),
    );
    expect(translation).not.toContain("office");
  });

  it("declares languages and directions", async () => {
    const bytes = await toDocx(createLectureDocument(rows), "both", fileLabels);
    const arabic = await paragraphWith(bytes, sentences.ar);
    expect(arabic).toContain("<w:bidi/>");
    expect(arabic).toContain("<w:rtl/>");
    expect(arabic).toContain('w:bidi="ar-SA"');
    const hindi = await paragraphWith(bytes, sentences.hi);
    expect(hindi).toContain('w:bidi="hi-IN"');
    expect(hindi).not.toContain("<w:bidi/>");
    expect(await paragraphWith(bytes, sentences.zh)).toContain('w:eastAsia="zh-TW"');
    expect(await paragraphWith(bytes, sentences["zh-cn"])).toContain(
      'w:eastAsia="Microsoft YaHei"',
    );
    expect(await paragraphWith(bytes, sentences.fr)).toContain('w:val="fr"');
  });

  it("removes characters that XML does not allow", async () => {
    const odd = "a < b && c > d \u{1f600} \ufffe ]]>";
    const text = await textIn(
      await toDocx(createLectureDocument([row({ english: odd })]), "english", fileLabels),
    );
    expect(text).toContain("a < b && c > d \u{1f600}  ]]>");
  });
});
